"""What programs around PyTorch say of their builds and of the GPU, and their kin that say less."""

from __future__ import annotations

import pytest

from support.cases import ruled

REPORT = """PyTorch version: {torch}
Is debug build: False
CUDA used to build PyTorch: {cuda}
{more}
Is CUDA available: {sees}
CUDA runtime version: {toolkit}
GPU models and configuration: Could not collect
Nvidia driver version: Could not collect
"""


def report(more: str = "OS: Ubuntu 22.04", sees: str = "False", toolkit: str = "11.8.89") -> str:
    return REPORT.format(torch="2.1.0+cu118", cuda="11.8", more=more, sees=sees, toolkit=toolkit)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (report(), "driver-missing"),
        (report("Python platform: Linux-5.15.90.1-microsoft-standard-WSL2-x86_64"), "wsl"),
        (report("$ docker run -it image python"), "container-no-gpu"),
        (
            "RuntimeError: nms_impl: implementation for device cuda:0 not found.",
            "extension-mismatch",
        ),
        ("AVX = 1 | FMA = 1 | BLAS = 0 | SSE3 = 1 |", "cpu-only-build"),
        (
            "MIG-1\ninvalid literal for int() with base 10: 'MIG-1'",
            "mig",
        ),
        ("ValueError: invalid literal for int() with base 10: 'GPU-8f2c'", "user-code"),
        (
            (
                "RuntimeError: cuda runtime error (48) : no kernel image is available for"
                " execution on"
                " the device at /pytorch/aten/src/THC/THCTensorMath.cu:15"
            ),
            "gpu-too-old",
        ),
        (
            (
                "RuntimeError: cublas runtime error : an absent device architectural feature is"
                " required"
                " at /x/THCBlas.cu:411\nGPU: RTX 3090\ntorch==1.2.0"
            ),
            "gpu-too-new",
        ),
        (
            (
                "WSL2\nRuntimeError: Unexpected error from cudaGetDeviceCount(). Error 500:"
                " named symbol"
                " not found"
            ),
            "wsl",
        ),
        (
            "UserWarning: CUDA initialization: Error 500: named symbol not found",
            "driver-library-mismatch",
        ),
        (
            (
                "`cutlassF` is not supported because:\n  requires device with capability < (9,"
                " 0) but"
                " your GPU has capability (12, 0) (too new)"
            ),
            "gpu-too-new",
        ),
        (
            (
                "`flshattF` is not supported because:\n  requires device with capability > (8,"
                " 0) but"
                " your GPU has capability (7, 5) (too old)"
            ),
            "gpu-too-old",
        ),
        (
            (
                "0.00.120.911 I   Device 0: NVIDIA GeForce RTX 5090, compute capability 12.0\n"
                "0.00.120.999 E CUDA error: no kernel image is available for execution on"
                " the device"
            ),
            "gpu-too-new",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        report(sees="True").replace("True", "unknown"),
        "AVX = 1 | FMA = 1 | BLAS = 1 | SSE3 = 1 |",
        "ValueError: invalid literal for int() with base 10: 'ten'",
        "nms_impl: implementation found for device cuda:0",
        "RuntimeError: Torch is not able to use GPU; add --skip-torch-cuda-test",
        # A symbol that the program's own module lacks.
        "cuModuleGetFunction failed: CUDA error 500: named symbol not found",
        "the newest CUDA error: no kernel image is available for execution on the device",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_a_report_that_sees_the_gpu_without_nvidia_smi_is_healthy() -> None:
    assert ruled(report(sees="True")) == "healthy"
