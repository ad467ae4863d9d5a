"""A driver that is missing, told by Windows, WSL, a Jetson and clusters."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"
MATLAB = (
    "There is a problem with the CUDA driver or with this GPU device. Be sure that you have a "
    "supported GPU and that the latest driver is installed.\nCaused by:\n"
)
MATLAB_NONE = (
    "    The CUDA driver could not be loaded. The library name used was 'nvcuda.dll'. The error "
    "was:\n    The specified module could not be found.\n"
)
WAITS = "slurmd: error: Waiting for gres.conf file /dev/nvidia0\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"OS: Windows 10\nGPU: GTX 1050\n{NO_DRIVER}", "driver-missing"),
        ("nvcuda.dll not found", "driver-missing"),
        ("settings.dll not found", "unknown"),
        ("NVIDIA-SMI couldn't find nvml.dll library in your system.", "driver-missing"),
        ("The program couldn't find zlib.dll library in your system.", "unknown"),
        (NO_DRIVER_LINE + "The pod of whales is large", "driver-missing"),
        (NO_DRIVER_LINE + "Our kubernetes cluster is another thing", "driver-missing"),
        (
            (
                "CUDA: Not detected: Failed to open dynamic library 'nvcuda.dll': The specified "
                "module could not be found."
            ),
            "driver-missing",
        ),
        (MATLAB + MATLAB_NONE, "driver-missing"),
        (WAITS + "$ nvidia-smi\nbash: nvidia-smi: command not found\n", "driver-missing"),
    ],
)
def test_a_driver_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        MATLAB,
    ],
)
def test_kin_of_a_driver_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('GPU: GTX 1060, listed as "Microsoft Basic Display Adapter"', "driver-missing"),
        ("GPU: GTX 1060\nMonitor: on a Microsoft Basic Display Adapter", "unknown"),
    ],
)
def test_device_manager_has_no_driver_for_the_card(line: str, cause: str):
    assert ruled(f"OS: Windows 10\n{line}\n") == cause


def test_a_board_of_nvidias_own_may_lack_nvidia_smi() -> None:
    failed = "bash: nvidia-smi: command not found"
    assert ruled(failed) == "driver-missing"
    assert ruled(f"NVIDIA Jetson AGX Orin, JetPack 5.1\n{failed}") == "unknown"


NO_SMI = "nvidia-smi: command not found\n"


@pytest.mark.parametrize(
    ("shell", "cause"),
    [
        ("I use Git Bash on Windows 10.", "driver-missing"),
        ("MINGW64, that is bash on Windows", "driver-missing"),
        ("I use Bash on Ubuntu on Windows.", "wsl"),
    ],
)
def test_a_bash_on_windows_need_not_be_wsl(shell: str, cause: str):
    assert ruled(f"{shell}\n{NO_SMI}") == cause
