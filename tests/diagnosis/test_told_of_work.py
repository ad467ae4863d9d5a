"""What frameworks say of tensors, memory, compilers and layers; kin that say less name nothing."""

from __future__ import annotations

import pytest

from support.cases import explained

LAYERS = "load_tensors: offloaded {}/33 layers to GPU\n"
DEVICES = "ggml_cuda_init: found 1 CUDA devices:\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (
            "ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)",
            "user-code",
        ),
        ("RuntimeError: Expected object of backend CUDA but got backend CPU", "user-code"),
        ("    device=cpu (supported: {'cuda'})", "user-code"),
        ("torch.OutOfMemoryError: Allocation on device", "oom-workload"),
        (
            (
                "Allocation on device 0 would exceed allowed memory. (out of memory)\n"
                "Currently allocated     : 5.19 GiB\nRequested               : 20.00 MiB\n"
                "Device limit            : 6.00 GiB\nFree (according to CUDA): 0 bytes"
            ),
            "oom-workload",
        ),
        (
            "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
            "oom-workload",
        ),
        ("RuntimeError: Distributed package doesn't have NCCL built in", "nccl"),
        ("RuntimeError: Failed to find C compiler. Please specify via CC.", "toolkit-missing"),
        ("error: Microsoft Visual C++ 14.0 or greater is required.", "toolkit-missing"),
        ("RuntimeError: mamba_ssm is only supported on CUDA 11.6 and above.", "toolkit-mismatch"),
        (
            "AttributeError: partially initialized module 'torchvision' has no attribute 'ops'",
            "extension-mismatch",
        ),
        (
            (
                "CUDA Error: no kernel image is available for execution on the device (209) "
                "/tmp/flashinfer-0.1.1/include/flashinfer/sampling.cuh: line 544"
            ),
            "extension-mismatch",
        ),
        (
            (
                "FileNotFoundError: Could not find module 'C:\\torch\\lib\\c10.dll' (or one of its "
                "dependencies)."
            ),
            "msvc-runtime-missing",
        ),
        (DEVICES + LAYERS.format(0), "silent-cpu-fallback"),
        ("CUDA error: PTX JIT compiler library not found", "driver-missing"),
        (
            "root@5f2d1c3a9b10:/work# nvidia-smi\nbash: nvidia-smi: command not found",
            "container-no-gpu",
        ),
        (
            "RuntimeError: No CUDA GPUs are available\nI run this on Google Colab",
            "no-nvidia-gpu",
        ),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert explained(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "The Triton kernel took a cpu tensor and was happy",
        "RuntimeError: Allocation of the port failed",
        "mamba_ssm is supported on CUDA",
        "partially initialized module 'mymodule' has no attribute 'ops'",
        "unknown error (303) of CUDA",
        # Advice that a program prints of a loader's variable names no system.
        "Failed to find libfoo.so. Set LD_LIBRARY_PATH on Linux or DYLD_LIBRARY_PATH on Mac OS.",
        "see the notebook at colab.research.google.com for RuntimeError",
        "root@server:/work# nvidia-smi",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert explained(pasted) == "unknown"


def test_layers_on_the_gpu_are_healthy() -> None:
    assert explained(DEVICES + LAYERS.format(33)) == "healthy"
