"""What compilers say of the GPU they are to make code for, and programs of the cuDNN they got."""

from __future__ import annotations

import pytest

from support.cases import ruled

NVRTC = "nvrtc: error: invalid value for --gpu-architecture (-arch)\nOptions: -I/x -arch={}\n"
FALLS_BACK = "Falling back to the CUDA driver for PTX compilation; ptxas does not support CC 8.9\n"
PADDLE = (
    "Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for 75 80 86 89 "
    ",but your current GPU is {} Solution: Install the correct wheel package"
)
ARCH = "nvcc fatal   : Unsupported gpu architecture '{}'"
RAPIDS = "GeForce GTX {}\ncuDF Version: 22.06.01\n801 cudaErrorNotSupported\n"
NVENC = "[h264_nvenc @ 0x1] The minimum required Nvidia driver for nvenc is 530.41.03 or newer\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (NVRTC.format("compute_21"), "gpu-too-old"),
        (NVRTC.format("compute_120"), "gpu-too-new"),
        (
            FALLS_BACK + 'failed to get PTX kernel "x" from module: CUDA_ERROR_NOT_FOUND',
            "gpu-too-new",
        ),
        (
            (
                "ptxas fatal   : Program with .target 'sm_90a' cannot be compiled to future "
                "architecture"
            ),
            "gpu-too-new",
        ),
        (
            "Check failed: [cudnn init] libcudnn v5 with header v7 unmatched!",
            "cudnn-mismatch",
        ),
        (
            (
                "The installed Paddle is compiled with CUDNN 7.6, but CUDNN version in your "
                "machine is 7.3, which may cause serious incompatible bug.\n"
                "ExternalError: Cudnn error, CUDNN_STATUS_BAD_PARAM"
            ),
            "cudnn-mismatch",
        ),
        (ARCH.format("compute_native"), "toolkit-mismatch"),
        ("GPU: RTX 3090\n" + ARCH.format("compute_"), "toolkit-mismatch"),
        (ARCH.format("compute_No CUDA devices found."), "toolkit-mismatch"),
        (ARCH.format("compute_120a"), "gpu-too-new"),
        (PADDLE.format(120), "gpu-too-new"),
        (PADDLE.format(61), "gpu-too-old"),
        (RAPIDS.format("1070") + "This is WSL2", "gpu-too-old"),
        (RAPIDS.format("1660 Ti") + "This is WSL2", "wsl"),
        (NVENC, "driver-too-old"),
        (NVENC + "[h264_nvenc @ 0x1] Cannot load libnvidia-encode.so.1", "driver-missing"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        FALLS_BACK,
        "the options of NVRTC were -arch=compute_21",
        "libcudnn v7 with header v7 matched",
        RAPIDS.format("1070"),
        "cmake -DCMAKE_CUDA_ARCHITECTURES=native",
        "PaddlePaddle was compiled for 75 80 86 89",
        "The installed Paddle is compiled with CUDNN 8.2, but CUDNN version in your machine is 8.9",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"
