"""WSL that does not reach the driver of Windows, told by PyTorch and CuPy or XGBoost."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.texts import torch_report

HANDLE = (
    "Failed to open the CUDA IPC handle (CUDA error: invalid resource handle\n"
    "Search for `cudaErrorInvalidResourceHandle' in the documentation\n"
)
NOT_SUPPORTED = "RuntimeError: CUDA error: operation not supported\n"
RAPIDS = "GeForce GTX {}\ncuDF Version: 22.06.01\n801 cudaErrorNotSupported\n"
TAICHI = "Arch=[<Arch.{}: 5>] is not supported, falling back to CPU"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (torch_report("Python platform: Linux-5.15.90.1-microsoft-standard-WSL2-x86_64"), "wsl"),
        (HANDLE + "This is WSL2.", "wsl"),
        (HANDLE, "unknown"),
        (
            (
                "WSL version: 1.1.3.0\nKernel: 5.15.90.1-microsoft-standard-WSL2\nRTX 3080 Ti\n"
                "fe50:00:00.0 3D controller: Microsoft Corporation Basic Render Driver.\n"
                "no CUDA-capable device is detected\n>>> torch.cuda.is_available()\nFalse"
            ),
            "wsl",
        ),
        (NOT_SUPPORTED + "Linux host 5.15.90.1-microsoft-standard-WSL2 x86_64", "wsl"),
        (RAPIDS.format("1660 Ti") + "This is WSL2", "wsl"),
        # Taichi does not reach the driver of WSL.
        (f"OS: Windows Subsystem for Linux 2\n[W] {TAICHI.format('cuda')}", "wsl"),
        (f"OS: Ubuntu 20.04\n[W] {TAICHI.format('cuda')}", "unknown"),
        (f"OS: Windows Subsystem for Linux 2\n[W] {TAICHI.format('vulkan')}", "unknown"),
    ],
)
def test_wsl_that_does_not_reach_the_driver_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


def test_a_box_that_is_not_ticked_tells_no_system():
    failing = "CUDA error: no CUDA-capable device is detected\n- [{}] Linux in WSL\n"
    assert ruled(failing.format("x")) == "wsl"
    assert ruled(failing.format(" ")) != "wsl"
