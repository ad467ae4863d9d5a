"""What the kernel's log, X and hypervisors tell of a GPU and of its driver's module."""

from __future__ import annotations

import pytest

from support.cases import ruled

GPU = "NVRM: GPU 0000:01:00.0: "
CARD = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080] (rev a1)\n"
NO_GPU_OF_RELEASE = (
    "You do not appear to have an NVIDIA GPU supported by the 470.57.02 NVIDIA Linux"
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (GPU + "rm_init_adapter failed, device minor number 0", "device-lost"),
        (
            "NVRM: kgspWaitForGfwBootOk_TU102: failed to wait for GFW boot complete: 0x55",
            "device-lost",
        ),
        ("NVRM: _issueRpcAndWait: rpcRecvPoll timedout for fn 76!", "device-lost"),
        ("NVRM: _kgspLogXid119: ****** GSP Timeout ******", "device-lost"),
        ("NVRM: osInitNvMapping: *** Cannot attach gpu", "device-lost"),
        (GPU + "Failed to copy vbios to system memory.", "device-lost"),
        ("(EE) NVIDIA(GPU-0): Failed to initialize the NVIDIA GPU at PCI:1:0:0.", "device-lost"),
        ("NVRM: A GPU crash dump has been created. If possible, please run", "device-lost"),
        ("nvidia 0000:01:00.0: Unable to change power state from D3cold to D0", "device-lost"),
        ("vfio: Unable to power on device, stuck in D3", "device-lost"),
        (
            "nvidia 0000:01:00.0: AER: can't recover (no error_detected callback)",
            "device-lost",
        ),
        ("NVRM: This is a 64-bit BAR mapped above 16 TB by the system", "device-lost"),
        ("NVRM: FATAL: Failed to re-allocate BAR1.", "device-lost"),
        ("NVRM: Can't find an IRQ for your NVIDIA card!", "device-lost"),
        (
            "vfio-pci 0000:01:00.0: Invalid PCI ROM header signature: expecting 0xaa55, got 0xffff",
            "device-lost",
        ),
        (
            "Windows has stopped this device because it has reported problems. (Code 43)",
            "device-lost",
        ),
        ("My RTX 3060 shows error 43 in the device manager", "device-lost"),
        (GPU.rstrip(": ") + " is already bound to vfio-pci.", "driver-not-loaded"),
        ("nvidia: version magic '5.15.0-84 SMP' should be '5.15.0-86 SMP'", "driver-not-loaded"),
        ("nvidia_uvm: Unknown symbol nvUvmInterfaceRegisterGpu (err -2)", "driver-not-loaded"),
        (
            (
                "NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:0e22) installed\n"
                "NVRM: in this system is not supported by the 270.29 NVIDIA Linux"
            ),
            "driver-not-loaded",
        ),
        ("(EE) NVIDIA: Failed to initialize the NVIDIA kernel module.", "driver-not-loaded"),
        ("ERROR: NVIDIA driver is not loaded", "driver-not-loaded"),
        ("modprobe: ERROR: could not insert 'off': Unknown symbol in module", "driver-not-loaded"),
        (CARD + NO_GPU_OF_RELEASE, "driver-not-loaded"),
        (NO_GPU_OF_RELEASE, "no-nvidia-gpu"),
        (
            (
                "00:08.0 VGA compatible controller: Microsoft Corporation Hyper-V virtual VGA\n"
                "No devices were found"
            ),
            "no-nvidia-gpu",
        ),
        (
            "vmiop_log: Incompatible Guest/Host drivers: Guest VGX version is newer than",
            "driver-too-old",
        ),
        ("        License Status                    : Unlicensed (Restricted)", "power-thermal"),
        ("nvidia-gridd[1234]: Failed to acquire license from 10.0.0.1", "power-thermal"),
        ("NVIDIA: Failed to load the NVIDIA kernel module.", "driver-not-loaded"),
        ("systemd-modules-load[412]: Failed to find module 'nvidia-uvm'", "driver-not-loaded"),
        (
            "systemd-modules-load[412]: Failed to insert module 'nvidia': No such device",
            "driver-not-loaded",
        ),
        ("nvidia-persistenced failed to initialize. Check syslog.", "driver-not-loaded"),
        (CARD + "\tKernel driver in use: vfio-pci\nNo devices were found", "driver-not-loaded"),
        (CARD + "No devices were found", "device-lost"),
        (
            "NVRM: installed in this system requires use of the NVIDIA open kernel modules.\n"
            + GPU
            + "RmInitAdapter failed! (0x22:0x56:667)",
            "driver-not-loaded",
        ),
        ("NVRM: No NVIDIA GPU found.", "no-nvidia-gpu"),
        (
            "NVIDIA: could not open the device file /dev/nvidia0 (Input/output error).",
            "device-lost",
        ),
        ("NVRM: 0000:01:00.0: DMA address not in addressable range of device", "device-lost"),
        (CARD.replace("rev a1", "rev ff"), "device-lost"),
        ("vfio-pci 0000:03:00.0: not ready 65535ms after FLR; giving up", "device-lost"),
        (
            "libnvidia-ml.so in GDK package is a stub library that is attached only for",
            "stub-library",
        ),
        ("execute nvidia-smi on the host: NVML version mismatch", "driver-library-mismatch"),
        ("Unable to create a GPU Instance on GPU  0: Insufficient Resources", "mig"),
        ("Unable to enable MIG Mode for GPU 00000000:07:00.0: In use by another client", "mig"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "amdgpu 0000:03:00.0: amdgpu: GFW boot is slow",
        "systemd-modules-load[412]: Failed to find module 'vboxdrv'",
        CARD + "\tKernel driver in use: vfio-pci",
        "03:00.0 Network controller: Intel Corporation Wi-Fi 6 (rev ff)",
        "cat: /dev/sda: Input/output error",
        "vfio-pci 0000:03:00.0: not ready 1023ms after FLR; waiting",
        "the schema has a version mismatch",
        "NVRM: GPU 0000:01:00.0: Failed to enable MSI; falling back to PCIe virtual-wire",
        "xhci_hcd 0000:00:14.0: Unable to change power state from D3cold to D0",
        "nvme 0000:02:00.0: AER: can't recover (no error_detected callback)",
        "nvidia 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer",
        "vboxdrv: version magic '5.15.0-84 SMP' should be '5.15.0-86 SMP'",
        "wl: Unknown symbol cfg80211_ready_on_channel (err -2)",
        "This feature in this system is not supported by the vendor",
        "qxl 0000:00:02.0: already bound to vfio-pci",
        "The process ended with error 43",
        "License Status                    : Licensed (Expiry: 2026-1-1 0:0:0 GMT)",
        "systemd: Failed to acquire license from 10.0.0.1",
        "Unable to create a compute cluster for MIG",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


NOT_LOADED = "driver-not-loaded"
NOUVEAU = f"$ lspci -k\n{CARD}\tKernel driver in use: nouveau\n"
LISTED = "nouveau              2306048  4\nmxm_wmi                16384  1 nouveau\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (NOUVEAU + "\tKernel modules: nvidiafb, nouveau\n", "driver-missing"),
        (
            NOUVEAU + "\tKernel modules: nvidiafb, nouveau, nvidia_drm, nvidia\n",
            NOT_LOADED,
        ),
        ('$ lsmod | grep -iE "nvidia|nouveau"\n' + LISTED, "driver-missing"),
        (f"nvidia/535.183.01, 5.15.0-91-generic, x86_64: installed\n$ lsmod\n{LISTED}", NOT_LOADED),
    ],
)
def test_nouveau_alone_cannot_serve_cuda(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        # Both are listed; the log of a driver that answers; another code of CUDA's; another maker.
        f"$ lsmod\n{LISTED}nvidia              56823808  2\n",
        f"{NOUVEAU}NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Release Build\n",
        f"$ lsmod\n{LISTED}CUDA error 700: an illegal memory access was encountered\n",
        "$ lspci -k\n06:00.0 Display controller: Intel UHD\n\tKernel driver in use: i915\n",
    ],
)
def test_nouveau_beside_a_driver_is_no_cause(pasted: str) -> None:
    assert ruled(pasted) not in {"driver-missing", "driver-not-loaded"}


def test_a_module_that_lsmod_lists_runs_without_its_device_files() -> None:
    files = "$ ls -l /dev/nvidia*\nls: cannot access '/dev/nvidia*': No such file or directory\n"
    listed = "$ lsmod | grep nvidia\nnvidia              56717312  1 nvidia_uvm\n"
    failed = "CUDA error: no CUDA-capable device is detected\n"
    assert ruled(files + listed + failed) == "device-nodes"
    assert ruled(files + failed) == NOT_LOADED
