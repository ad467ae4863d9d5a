"""What builders, container tools and libraries say in a line; each with one that looks alike."""

from __future__ import annotations

import pytest

from support.cases import ruled

OLD_DRIVER = "torch==2.5.1\nUbuntu 22.04\nDriver Version: 470.82.01  CUDA Version: 11.4\n"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (("The current installed version of g++ (12.2.0) is greater than the maximum required "
         "version by CUDA 11.8 (11.0.0)."), "toolkit-mismatch"),
        ("The current installed version of cmake (3.2) is too low", "unknown"),
        ('error: identifier "__builtin_ia32_sqrtsd_round" is undefined', "toolkit-mismatch"),
        ('error: identifier "my_builtin" is undefined', "unknown"),
        ("nvcc fatal   : Unknown option '-std=c++17'", "toolkit-mismatch"),
        ("nvcc fatal   : Unknown option '-Wall'", "unknown"),
        ("podman: setting up CDI devices: failed to stat CDI host device", "container-no-gpu"),
        ("podman: setting up volumes: failed to stat host path", "unknown"),
        ("error executing hook `/usr/bin/nvidia-container-runtime-hook` (exit code: 1)",
         "container-no-gpu"),
        ("error executing hook `/usr/bin/other-hook` (exit code: 1)", "unknown"),
        ("requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0",
         "container-no-gpu"),
        ("requested number of devices unavailable for example.com/fpga.", "unknown"),
        ("the nccl test is stuck with -g 8", "nccl"),
        ("the download is stuck at 8 %", "unknown"),
        ('it says "BLAS=0" when starting the model', "cpu-only-build"),
        ('it says "BLAS=1" when starting the model', "unknown"),
        ("CUDA error: API call is not supported in the installed CUDA driver", "driver-too-old"),
        ("CUDA error: operation not permitted when stream is capturing", "user-code"),
    ],
)  # fmt: skip
def test_a_tools_own_words_tell_the_cause(line: str, cause: str):
    assert ruled(line) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("AMP (`--fp16`) can only be used on CUDA devices.", "driver-too-old"),
        ("No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'", "driver-too-old"),
        ("CUDA not available, using CPU", "driver-too-old"),
        ("AMP can be used on all devices.", "unknown"),
    ],
)
def test_programs_that_torch_told_of_no_gpu_show_that_it_sees_none(line: str, cause: str):
    assert ruled(OLD_DRIVER + line) == cause


@pytest.mark.parametrize(
    ("before", "cause"),
    [("Library ", "framework-cuda-mismatch"), ("ImportError: ", "extension-mismatch")],
)
def test_what_ctranslate2_misses_is_no_extension_of_torch(before: str, cause: str):
    end = "is not found" if before == "Library " else "cannot open shared object file"
    sign = " " if before == "Library " else ": "
    text = f"CUDA 11.8\nPytorch 2.2.1+cu118\n{before}libcublas.so.12{sign}{end}"
    assert ruled(text) == cause
