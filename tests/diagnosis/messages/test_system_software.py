"""What the software around the driver says, by its sources: modules, monitors, containers, MPI."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import root_by_rules, ruled

LEGACY = (
    "NVRM: The Unknown NVIDIA GK104 Series GPU installed in this\n"
    "NVRM:  system is not supported through the 580.65.06 NVIDIA\n"
    "NVRM:  driver. You can try the NVIDIA 470.xx Legacy drivers.\n"
)
DEBCONF = (
    "This system has a graphics card which is no longer handled by the NVIDIA\n"
    "driver (package nvidia-tesla-driver). You may wish to keep the package installed -\n"
)
DKMS = (
    "Error! Bad return status for module build on kernel: 6.8.0-55-generic (x86_64)\n"
    "Consult /var/lib/dkms/{}/build/make.log for more information.\n"
)


@pytest.mark.parametrize(
    ("text", "cause", "title"),
    [
        # The kernel's log and the driver's own programs
        ("NVRM: No NVIDIA PCI devices found.", "no-nvidia-gpu", "kernel module found no"),
        (LEGACY, "driver-not-loaded", "older branch"),
        ("NVRM: ignoring the legacy GPU 0000:af:00.0", "driver-not-loaded", "older branch"),
        (
            (
                "[drm:nv_drm_init [nvidia_drm]] *ERROR* [nvidia-drm] Version mismatch: "
                "nvidia-modeset.ko(570.86.10) nvidia-drm.ko(570.124.06)"
            ),
            "driver-library-mismatch",
            "different releases",
        ),
        (
            (
                "Mismatch in versions between nvidia-smi and NVML.\n"
                "Are you sure you are using nvidia-smi provided with the driver?"
            ),
            "driver-library-mismatch",
            "different releases",
        ),
        (
            (
                "3 devices did not complete reset successfully, and may be in an unstable state."
                " Please reboot your system."
            ),
            "device-lost",
            "reset",
        ),
        (
            (
                "nvidia-nvswitch4: SXid (PCI:0000:0b:00.0): 10003, PMGR OVERT Threshold reached."
                " Shutting Down"
            ),
            "device-lost",
            "An NVSwitch has failed",
        ),
        ("[  12.1] [ERROR]Module 'nvidia' is not found.", "driver-not-loaded", "module"),
        (
            "NVRM: f: Failed GPU reg read : 0xffffffff. Check whether GPU is present on the bus",
            "device-lost",
            "reg read",
        ),
        ("NVRM: RmInit: GPU Config Space not accessible", "device-lost", "Config Space"),
        ("NVRM: ******* GSP-CrashCat Report *******", "device-lost", "CrashCat"),
        ("NVRM: g: GPU is unable to transition from GC6 to D0 state.", "device-lost", "GC6"),
        ("NVRM: k: GPU7 marked Degraded for error on linkId 2", "nccl", "GPU7 marked Degraded"),
        (
            (
                "NVRM: The NVIDIA probe routine failed for 2 device(s).\n"
                "NVRM: None of the NVIDIA devices were initialized."
            ),
            "driver-not-loaded",
            "does not run",
        ),
        # DCGM
        ("Error: Detected fatal NvSwitch SXID 12028", "device-lost", "An NVSwitch has failed"),
        ("Detected fatal errors on NvSwitch 1 link 7", "device-lost", "An NVSwitch has failed"),
        ("Error: Found 12 faulty memory elements on GPU 5", "device-lost", "faulty memory"),
        (
            "GPU 2 had uncorrectable memory errors and row remapping failed. Run a field",
            "device-lost",
            "row remapping failed",
        ),
        ("GPU 0 had memory errors and row remappings are pending", "device-lost", "pending"),
        (
            "There were thermal violations totaling 0.4 seconds for GPU 7",
            "power-thermal",
            "slows itself down",
        ),
        ("Error: GPU 1's NvLink link 11 is currently down", "nccl", "GPU 1's NvLink link 11"),
        ("Detected 3 recovery NvLink errors on GPU 0's NVLink", "nccl", "NvLink errors on GPU 0"),
        ("GPU 5 unsuccessfully wrote data in a peer-to-peer test: copy", "nccl", "GPU 5"),
        # Installers
        (DEBCONF, "driver-not-loaded", "does not know this GPU"),
        ("Aborting nvidia driver installation.", "driver-not-loaded", "does not know this GPU"),
        (
            "Your card is not supported by any driver version up to 535.247.01.",
            "driver-not-loaded",
            "does not know this GPU",
        ),
        (
            "Your card is only supported by the Tesla 418 drivers series.",
            "driver-not-loaded",
            "older branch",
        ),
        (
            "Error! Missing module 'nvidia-peermem' in /var/lib/dkms/nvidia/570.1/.tmp_a/module",
            "driver-not-loaded",
            "not built",
        ),
        (
            (
                "Error! Could not find module source directory.\n"
                "Directory: /usr/src/nvidia-current-open-535.247.01 does not exist."
            ),
            "driver-not-loaded",
            "not built",
        ),
        (DKMS.format("nvidia-current/535.247.01"), "driver-not-loaded", "not built"),
        (
            DKMS.format("zfs/2.2.2") + DKMS.format("nvidia/570.124.06"),
            "driver-not-loaded",
            "not built",
        ),
        ("  E: System's DKMS key is NOT installed in MOK.", "driver-not-loaded", "Secure Boot"),
        ("ERROR: Unable to build the Unified Memory kernel module.", "driver-not-loaded", "built"),
        ("ERROR: Unable to link kernel module.", "driver-not-loaded", "built"),
        (
            (
                "The signed kernel module failed to load. Secure boot is enabled on this system, so"
                " this is likely because the kernel does not trust any key which is capable of"
                " verifying the module signature."
            ),
            "driver-not-loaded",
            "Secure Boot",
        ),
        # What starts containers
        (
            "E0101 00:00:00.000001 99 nvc.c:280] could not load kernel module nvidia",
            "driver-not-loaded",
            "module does not run",
        ),
        (
            (
                'level=error msg="failed to uninstall nvidia driver components: failed to unload'
                ' driver: resource temporarily unavailable"'
            ),
            "driver-not-loaded",
            "installer stopped",
        ),
        ("Error: The NVIDIA LXC hook couldn't be found", "container-no-gpu", "not there"),
        (
            (
                "I0101 00:00:00.000001 1 health.go:99] unable to get device handle from UUID:"
                " Unknown Error; marking it as unhealthy"
            ),
            "device-lost",
            "does not answer",
        ),
        (
            ("E0101 dxcore.c:99] Found a WDDM adapter running a driver with pre-WDDM 2.8 . it."),
            "wsl",
            "WSL",
        ),
        # Between GPUs
        ("a:1:1 [3] NCCL WARN Insufficient driver: 12020 < 12040", "driver-too-old", "older CUDA"),
        (
            (
                "[b:2 :1] ib_md.c:99 UCX  ERROR mlx5_3: Couldn't enable GPUDirect RDMA. Please make"
                " sure nv_peer_mem or amdgpu plugin installed correctly."
            ),
            "nccl",
            "nv_peer_mem is not loaded",
        ),
    ],
)
def test_what_system_software_says_names_its_cause(text: str, cause: str, title: str) -> None:
    ruling = root_by_rules(text)
    assert ruling is not None
    assert (ruling.cause, title in ruling.finding.title) == (cause, True), ruling.finding.title


@pytest.mark.parametrize(
    "text",
    [
        DKMS.format("rtl8821ce/5.5.2.1"),
        "Directory: /usr/src/nvidia-fs does exist.",
        "E0101 00:00:00.000001 99 nvc.c:307] could not load kernel module nvidia_modeset",
        "NVRM: GPU 0000:01:00.0 is no legacy GPU",
        "NVRM: gcx: GPU is in GC6 state.",
        "NVRM: The NVIDIA probe routine failed for 0 device(s).",
        "Your card is supported by the Tesla 470 drivers series.",
        "Warning: Found 0 faulty memory elements on GPU 5",
        "nvidia-nvswitch1: SXid (PCI:0000:c2:00.0): 10005, Thermal slowdown Disengaged",
        "Error! Missing module 'v4l2loopback' in /var/lib/dkms/v4l2loopback/0.12/module",
        "sonora is no longer handled by the NVIDIA web shop, which sells it",
    ],
)
def test_a_near_miss_of_them_names_none(text: str) -> None:
    assert ruled(text) == "unknown"


def test_another_want_of_nccl_is_not_the_driver_that_is_too_old() -> None:
    assert ruled("NCCL WARN Insufficient driver support in the plugin") == "nccl"


def test_incus_is_not_mended_by_setting_up_docker() -> None:
    root = gpuprobe.explain("Error: The NVIDIA container tools couldn't be found").diagnosis.root
    assert root is not None
    assert "Incus" in root.finding.fix.text
    assert not any("docker" in each for each in root.finding.fix.commands)


def test_a_module_that_cannot_be_unloaded_is_not_said_to_help_when_loaded_anew() -> None:
    text = "Failed to unload kernel module nvidia_uvm: resource temporarily unavailable"
    root = gpuprobe.explain(text).diagnosis.root
    assert root is None or "loaded anew" not in root.finding.title


@pytest.mark.parametrize(
    "text",
    [
        (
            "nvidia-persistenced[7]: Failed to open libnvidia-cfg.so.1: libnvidia-cfg.so.1: cannot"
            " open shared object file: No such file or directory"
        ),
        (
            "ERROR: [Loader Message] Code 0 : libGLX_nvidia.so.0: cannot open shared object"
            " file: No such file or directory"
        ),
    ],
)
def test_a_missing_part_of_the_driver_does_not_read_like_a_missing_library_of_cuda(
    text: str,
) -> None:
    root = gpuprobe.explain(text).diagnosis.root
    assert root is None or root.cause != "cublas-missing"
