"""What nvidia-smi, the driver's module, its services and its installers log of a fault."""

from __future__ import annotations

import pytest

from support.cases import ruled

MISMATCH, NODES = "driver-library-mismatch", "device-nodes"
MISSING, NOT_LOADED, LOST = "driver-missing", "driver-not-loaded", "device-lost"
LOADED = "nvidia 0000:01:00.0: Direct firmware load for {} failed with error -2\n"
SWITCH = "nvidia-nvswitch3: SXid (PCI:0000:85:00.0): "
AVC = "avc:  denied  { read write } for  pid=2217 comm="
ENTRY = 'audit: type=1400 apparmor="DENIED" operation="open" profile="snap.app" name='


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("NVIDIA-SMI couldn't find nvml.dll library in your system.", MISSING),
        ("The program couldn't find zlib.dll library in your system.", "unknown"),
        ("    GPU Recovery Action                   : Reset", LOST),
        ("    GPU Recovery Action                   : Drain and Reset", LOST),
        ("    GPU Recovery Action                   : None", "unknown"),
        ("NVRM: uvm encountered global fatal error 0x60, requiring os reboot to recover.", LOST),
        (
            "Unable to set persistence mode for GPU 0000:01:00.0: Insufficient Permissions",
            "unknown",
        ),
        ("Failed to initialize NVML: Insufficient Permissions", NODES),
        ("NVRM: This PCI I/O region is odd:\nNVRM: BAR0 is 0M @ 0x0 (PCI:0000:0a:00.0)", LOST),
        ("NVRM: BAR0 is 16M @ 0xf6000000 (PCI:0000:0a:00.0)", "unknown"),
        ("NVRM: kgspInitRm_IMPL: unexpected WPR2 already up, cannot proceed with", LOST),
        ("NVRM: kfspSendBootCommands_HAL: FSP boot cmds failed. RM cannot boot.", LOST),
        ("NVRM: GPU0 _kgspRpcRecvPoll: GSP RM heartbeat timed out", LOST),
        ("NVRM: nvidia_frontend_open: minor 0, module->open() failed, error -5", LOST),
        ("NVRM: nvidia_frontend_open: minor 0, module->open() failed, error -19", "unknown"),
        ("NVRM: gpuHandleSanityCheckRegReadError_GM107: Possible bad register read: addr", LOST),
        ("NVRM: krcWatchdog_IMPL: RC watchdog: GPU is probably locked!", LOST),
        ("(EE) NVIDIA(GPU-0): WAIT (2, 8, 0x8000, 0x0000a4b8, 0x0000c6a8)", LOST),
        ("The code calls WAIT (2, 8, 0x8000)", "unknown"),
        ("NVRM: nvCheckOkFailedNoLog: Check failed: GPU lost from the bus [NV_ERR", LOST),
        ("NVRM: Attempting to remove device 0000:04:00.0 with non-zero usage count!", LOST),
        ("NVRM: pci_enable_device failed, aborting", LOST),
        ("nvidia 0000:01:00.0: not ready 65535ms after resume; giving up", LOST),
        ("nvme 0000:02:00.0: not ready 65535ms after resume; giving up", "unknown"),
        ("e1000e: pci_enable_device failed, aborting", "unknown"),
        ("(EE) NVIDIA(0): The NVIDIA kernel module does not appear to be receiving", LOST),
        (SWITCH + "20034, Fatal, Link 28 LTSSM Fault Up", LOST),
        (SWITCH + "12028, Non-fatal, Link 32 egress non-posted PRIV error", "unknown"),
        (
            (
                "detected number of NVSwitches don't match with any supported system topology,"
                " aborting fabric manager"
            ),
            "fabric-manager",
        ),
    ],
)
def test_a_gpu_that_does_not_answer_is_told_from_what_only_looks_alike(
    pasted: str, cause: str
) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (LOADED.format("nvidia/535.113.01/gsp_tu10x.bin"), NOT_LOADED),
        ("NVRM: RmFetchGspRmImages: No firmware image found", NOT_LOADED),
        # It is why the GPU does not start, which is logged after it.
        (
            LOADED.format("nvidia/535.113.01/gsp_ga10x.bin")
            + "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x61:0x56:1697)",
            NOT_LOADED,
        ),
        (LOADED.format("regulatory.db"), "unknown"),
        ("iwlwifi 0000:02:00.0: no firmware image found", "unknown"),
        (
            ("NVRM: installed in this vGPU host system is not supported by\n"
            "NVRM: proprietary nvidia.ko."),
            NOT_LOADED,
        ),
        (
            "NVRM: was loaded and obtained ownership of the NVIDIA device(s).",
            NOT_LOADED,
        ),
        ("insmod: ERROR: could not insert module ./nvidia.ko: Unknown symbol", NOT_LOADED),
        ("insmod: error inserting './nvidia-uvm.ko': -1 Required key missing", NOT_LOADED),
        ("insmod: ERROR: could not insert module ./vboxdrv.ko: Unknown symbol", "unknown"),
        ("Error!  Build of nvidia.ko failed for: 5.11.0-27-generic (x86_64)", NOT_LOADED),
        ("It shows: NVIDIA kernel module not found. Falling back to Nouveau.", NOT_LOADED),
        (
            ("Module build for kernel 6.2.0-34-generic was skipped since the\n"
            "kernel headers for this kernel do not seem to be installed."),
            NOT_LOADED,
        ),
        ("Module build for kernel 6.2.0-34-generic was started", "unknown"),
        ("E: Couldn't find any package by regex 'nvidia-driver-555'", MISSING),
        ("E: Couldn't find any package by regex 'htop.*'", "unknown"),
        ("No provider of 'nvidia-video-G06' found.", MISSING),
        ("No provider of 'gimp' found.", "unknown"),
        ("dpkg: dependency problems prevent configuration of nvidia-driver-470:", MISSING),
        ("dpkg: dependency problems prevent configuration of gimp:", "unknown"),
        ("Error!  Build of 8812au.ko failed for: 5.11.0-27-generic (x86_64)", "unknown"),
        (
            "Building rpms failed; see /var/cache/akmods/nvidia/545.29.06-2-for-6.7.4.failed.log",
            NOT_LOADED,
        ),
        ("Building rpms failed; see /var/cache/akmods/wl/6.30-2-for-6.7.4.failed.log", "unknown"),
        (
            "ERROR: Unable to determine the version of the kernel sources located in '/usr/src/k'.",
            NOT_LOADED,
        ),
        ("NVIDIA Quadro P2000\n" + "NVIDIA Installer cannot continue\nThis graphics driver could"
         " not find compatible graphics hardware.", NOT_LOADED),
    ],
)  # fmt: skip
def test_a_module_that_does_not_run_is_told_by_what_keeps_it(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        (
            "NVRM: API mismatch: this is the kernel module for version 310.19,\n"
            "NVRM: but this NVIDIA driver component has version 304.64.  Please make"
        ),
        (
            "Error: API mismatch: the NVIDIA kernel module has version 390.48,\n"
            "but this NVIDIA driver component has version 390.59.  Please make"
        ),
        (
            "NVRM: API mismatch: the client 'nvidia-persiste' (pid 8) has the version 550.54.14,\n"
            "NVRM: but this kernel module has the version 535.161.07."
        ),
    ],
)
def test_an_api_mismatch_is_read_in_the_words_of_all_ages(pasted: str) -> None:
    assert ruled(pasted) == MISMATCH


def test_an_api_mismatch_of_another_program_is_none_of_the_drivers() -> None:
    assert ruled("RuntimeError: API mismatch: expected 3, got 4") == "unknown"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (AVC + '"python3" name="nvidiactl" dev="devtmpfs" tclass=chr_file', NODES),
        (AVC + '"python3" name="sda1" dev="devtmpfs" tclass=blk_file', "unknown"),
        (ENTRY + '"/dev/nvidiactl" pid=22 comm="python" requested_mask="wr"', NODES),
        (ENTRY + '"/dev/nvidiactl" pid=22 comm="firefox" requested_mask="wr"', "unknown"),
        (ENTRY + '"/dev/video0" pid=22 comm="python" requested_mask="wr"', "unknown"),
    ],
)
def test_a_device_file_that_the_kernel_closes(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


def test_one_file_that_lacks_beside_those_of_the_gpu() -> None:
    there = "crw-rw-rw- 1 root root 195, 255 Jan 10 10:00 /dev/nvidiactl\n"
    lacks = "ls: cannot access '/dev/{}': No such file or directory"
    assert ruled(there + lacks.format("nvidia-uvm")) == NODES
    assert ruled(there + lacks.format("nvidia-modeset")) == "unknown"
    assert ruled(lacks.format("nvidia-uvm")) != NODES


def test_nvml_that_fails_inside_wsl_has_no_device_files_to_open() -> None:
    unknown = "Failed to initialize NVML: Unknown Error"
    kernel = "Linux pc 5.15.146.1-microsoft-standard-WSL2 x86_64 GNU/Linux\n"
    assert ruled(unknown) == NODES
    assert ruled(kernel + unknown) == "wsl"


def test_wsl_that_cannot_count_the_gpus_is_not_full() -> None:
    count = "Unexpected error from cudaGetDeviceCount(). Error 2: out of memory (at c10/cuda.cpp)\n"
    work = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    kernel = "Linux pc 5.15.146.1-microsoft-standard-WSL2 x86_64 GNU/Linux\n"
    assert ruled(kernel + count) == "wsl"
    assert ruled(count) != "wsl"
    assert ruled(kernel + work) != "wsl"
