"""A driver whose kernel module does not run, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

CARD = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1080] (rev a1)\n"
NO_GPU_OF_RELEASE = (
    "You do not appear to have an NVIDIA GPU supported by the 470.57.02 NVIDIA Linux"
)
GREETING = "您好\uff0c请问一下。\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
OLD_SOURCE = "/{}/kernel/nv-linux.h:2261:23: error: too many arguments to function"
FORM = "GPU model and memory: {}\nCUDA failure 100: no CUDA-capable device is detected"
NO_DEVICE = "Call to cuInit results in CUDA_ERROR_NO_DEVICE"
GPUSTAT = "Error on querying NVIDIA devices. Use --debug flag to see more details.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "Resolving Linux kernel version...\nCould not resolve Linux kernel version",
            "driver-not-loaded",
        ),
        ("nvidia: version magic '5.15.0-84 SMP' should be '5.15.0-86 SMP'", "driver-not-loaded"),
        ("vboxdrv: version magic '5.15.0-84 SMP' should be '5.15.0-86 SMP'", "unknown"),
        ("nvidia_uvm: Unknown symbol nvUvmInterfaceRegisterGpu (err -2)", "driver-not-loaded"),
        ("wl: Unknown symbol cfg80211_ready_on_channel (err -2)", "unknown"),
        ("ERROR: NVIDIA driver is not loaded", "driver-not-loaded"),
        (CARD + NO_GPU_OF_RELEASE, "driver-not-loaded"),
        ("systemd-modules-load[412]: Failed to find module 'nvidia-uvm'", "driver-not-loaded"),
        ("systemd-modules-load[412]: Failed to find module 'vboxdrv'", "unknown"),
        (
            "systemd-modules-load[412]: Failed to insert module 'nvidia': No such device",
            "driver-not-loaded",
        ),
        ("nvidia-persistenced failed to initialize. Check syslog.", "driver-not-loaded"),
        (CARD + "\tKernel driver in use: vfio-pci\nNo devices were found", "driver-not-loaded"),
        (CARD + "\tKernel driver in use: vfio-pci", "unknown"),
        (GREETING + "内核更新之后nvidia驱动失效了", "driver-not-loaded"),
        (
            NEW_MACHINE + "After a kernel upgrade the nvidia driver stopped working",
            "driver-not-loaded",
        ),
        (NEW_MACHINE + "kernel update broke nvidia driver", "driver-not-loaded"),
        (
            "The NVIDIA modules are still not loaded after a restart: nvidia module is not loaded",
            "driver-not-loaded",
        ),
        (OLD_SOURCE.format("tmp/selfgz2281"), "driver-not-loaded"),
        (OLD_SOURCE.format("build"), "unknown"),
        ("==> ERROR: module not found: 'nvidia_uvm'", "driver-not-loaded"),
        ("==> ERROR: module not found: 'zfs'", "unknown"),
        ("the module nvidia_uvm is loaded", "unknown"),
        (
            " * ERROR: x11-drivers/nvidia-drivers-550.1::gentoo failed (compile)",
            "driver-not-loaded",
        ),
        (FORM.format("none"), "driver-not-loaded"),
        (f"DESKTOP-1A2B3C4: the host\n{NO_DEVICE}", "driver-not-loaded"),
        ("GpuArrayException: No CUDA devices avaiable\nUsed the cpu", "driver-not-loaded"),
        (GPUSTAT + "Driver Not Loaded", "driver-not-loaded"),
        (
            "ERROR: You appear to be running an X server; please exit X before installing.",
            "driver-not-loaded",
        ),
        ("Unable to find the development tool `cc` in your path", "driver-not-loaded"),
        (
            (
                "Installation has failed.  Please see the file '/var/log/nvidia-installer.log' for"
                " details."
            ),
            "driver-not-loaded",
        ),
        (
            (
                "E: Unable to locate package linux-headers-5.4.0-1029-azure\n"
                "Stopping NVIDIA persistence daemon..."
            ),
            "driver-not-loaded",
        ),
        ("E: Unable to locate package linux-headers-5.4.0-1029-azure", "unknown"),
        ("The unit is blocked: Failed to communicate with NVIDIA driver", "driver-not-loaded"),
        ("Failed to communicate with the printer's driver", "unknown"),
        (
            "==> ERROR: Missing 6.6.8-arch1-1 kernel headers for module nvidia/545.29.06.",
            "driver-not-loaded",
        ),
        (
            "error: Package 'nvidia-x11-470.223.02-6.7' in /nix/store/x is marked as broken",
            "driver-not-loaded",
        ),
        ("error: Package 'nvidia-texture-tools' in /nix/store/x is marked as broken", "unknown"),
    ],
)
def test_a_driver_that_is_not_loaded_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Could not resolve the host's name",
        GPUSTAT + "Something else",
        "a tool that cannot find libnvvmutil",
    ],
)
def test_kin_of_a_driver_that_is_not_loaded_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "GpuArrayException: out of range",
    ],
)
def test_this_is_not_a_driver_that_is_not_loaded(text: str):
    assert ruled(text) != "driver-not-loaded"
