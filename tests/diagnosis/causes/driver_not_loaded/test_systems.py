"""A driver whose kernel module does not run, told by containers, a Jetson, Windows and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

DAEMON = "docker: Error response from daemon: "
DXCORE = (
    "attempting to load dxcore to see if we are running under Windows Subsystem for Linux (WSL)\n"
    "dxcore initialization failed, continuing assuming a non-WSL environment\n"
)
ENROOT = "[WARN] Kernel module nvidia_uvm is not loaded. Make sure the NVIDIA driver is loaded\n"
CLI = "nvidia-container-cli: initialization error: driver error: failed to process request"
NO_DEVICE = "Call to cuInit results in CUDA_ERROR_NO_DEVICE"
SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
WAITS = "slurmd: error: Waiting for gres.conf file /dev/nvidia0\n"
NO_CDI = "ERRO[0000] failed to generate CDI spec: failed to initialize NVML: ERROR_{}"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            f"{DAEMON}nvidia-container-cli: initialization error: nvml error: driver not loaded",
            "driver-not-loaded",
        ),
        (DXCORE + "nvml error: driver not loaded", "driver-not-loaded"),
        (ENROOT + CLI, "driver-not-loaded"),
        ("OS: Windows 10, Git Bash on Windows\ncudaErrorNoDevice", "driver-not-loaded"),
        (f"C:\\x on DESKTOP-1A2B3C4\n{NO_DEVICE}", "driver-not-loaded"),
        ("akmods built and installed nvidia-kmod", "unknown"),
        (WAITS + SMI_FAILED, "driver-not-loaded"),  # no module, hence no files
        (NO_CDI.format("DRIVER_NOT_LOADED"), "driver-not-loaded"),
    ],
)
def test_a_driver_that_is_not_loaded_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        DXCORE,
    ],
)
def test_kin_of_a_driver_that_is_not_loaded_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_on_a_jetson_another_module_drives_the_gpu():
    lsmod = "$ lsmod | grep nvidia\n$\n"
    cuda = 'Detected 1 CUDA Capable device(s)\n\nDevice 0: "NVIDIA Tegra X2"\nResult = PASS\n'
    assert ruled(f"Board: Jetson TX2, JetPack 3.2\n{lsmod}{cuda}") == "healthy"


HOOK = (
    "docker: Error response from daemon: OCI runtime create failed: error running hook: exit"
    " status 1, stderr: nvidia-container-cli: initialization error: driver error: failed to process"
    " request"
)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("", "driver-not-loaded"),
        ("nvidia 19898368 212 nvidia_uvm,nvidia_modeset\n", "container-no-gpu"),
    ],
)
def test_the_host_shows_why_the_driver_does_not_answer_a_container(answer: str, cause: str):
    assert ruled(f"{HOOK}\n$ lsmod | grep nvidia\n{answer}$\n") == cause


DOWN = "The driver does not come up.\n"
YUM = DOWN + "kernel.x86_64   {0}   @anaconda\nkernel-devel.x86_64   {1}   @base\n"
RPM = DOWN + "$ rpm -qa kernel-core kernel-devel\nkernel-core-{0}.x86_64\nkernel-devel-{1}.x86_64\n"


DRIVER = "| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 12.2 |\n"


@pytest.mark.parametrize("listed", [YUM, RPM])
@pytest.mark.parametrize(
    ("kernel", "devel", "below", "causes"),
    [
        ("3.10.0-957.el7", "3.10.0-1127.18.2.el7", "", {"driver-not-loaded"}),
        ("5.14.0-427.13.1.el9_4", "5.14.0-503.14.1.el9_5", "", {"driver-not-loaded"}),
        ("3.10.0-957.el7", "3.10.0-957.el7", "", {"unknown"}),
        ("3.10.0-957.el7", "3.10.0-1127.18.2.el7", DRIVER, {"unknown", "healthy"}),
    ],
)
def test_what_a_module_is_built_with_is_of_another_kernel(
    listed: str, kernel: str, devel: str, below: str, causes: set[str]
):
    assert ruled(listed.format(kernel, devel) + below) in causes
