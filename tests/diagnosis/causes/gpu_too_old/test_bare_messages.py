"""A GPU that is too old for the software, as messages that name no program tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

TITAN_X = "GPU: GTX TITAN X\ncuda: {}\n\nCheck failed: error == cudaSuccess (8 vs. 0)"
INVALID_FUNCTION = (
    "RuntimeError: cuda runtime error (8) : invalid device function at THCTensorCopy.cu:204\n"
)
K40M = "GPU: Tesla K40m\nTesla K40m does not meet minimum required compute capability: 3.7.\n"
LOADED = "Failed to load CUDA kernel from '/home/user/kernel_sm_61.cubin' ({})\n"
NUMBA = "id 0    b'GeForce GTX 560'                              [{}]\n"
TRITON = 'ValueError("type {} not supported in this architecture. The supported fp8 dtypes are")'
LAMMPS_OTHER = "ERROR: GPU library not compiled for this accelerator (src/GPU/gpu_extra.h:40)\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "ValueError: FP8 quantized models is only supported on GPUs with compute capability"
                " >= 8.9 (e.g 4090/H100), actual = `7.5`"
            ),
            "gpu-too-old",
        ),
        ("FP8 needs newer GPUs; ours is only supported in int8", "unknown"),
        ("RuntimeError: GPUs with compute capability below 7.0 are not supported.", "gpu-too-old"),
        (
            "ImportError: GPU with CUDA capability 7 0 is not supported for Flash Attention V2",
            "gpu-too-old",
        ),
        (
            (
                "ValueError: type fp8e4nv not supported in this architecture. The supported fp8"
                " dtypes are ('fp8e4b15', 'fp8e5')"
            ),
            "gpu-too-old",
        ),
        (
            "AssertionError: Device compute capability 9.x required for FP8 execution.",
            "gpu-too-old",
        ),
        (
            "Float8 dynamic quantization requires CUDA compute capability \u22658.9 or MI300+.",
            "gpu-too-old",
        ),
        (
            (
                "ValueError: Marlin does not support weight_bits = uint4b8. Only types = [] are"
                " supported (for group_size = 128, device_capability = 75, zp = False)."
            ),
            "gpu-too-old",
        ),
        ("Marlin: only types = [uint4, uint8] are supported (device_capability = 80)", "unknown"),
        ("Assertion failed: pre SM 80 GPUs do not support bfloat16", "gpu-too-old"),
        ("method fp8 is not supported. Minimum capability: 89. Current: 80.", "gpu-too-old"),
        ("cuDNN version 91100 is not compatible with devices with SM < 7.5.", "gpu-too-old"),
        ("<CUDA device 0 'b'GeForce 9400 GT''> has compute capability < (2, 0)", "gpu-too-old"),
        ("ValueError: GPU compute capability 3.0 is not supported (requires >=3.5)", "gpu-too-old"),
        (f"{TITAN_X.format('12.4')}  invalid device function", "gpu-too-old"),
        ("FlashAttention-3 only supports Hopper GPUs or newer.", "gpu-too-old"),
        ("RuntimeError: Expected is_sm8x || is_sm90 to be true, but got false.", "gpu-too-old"),
        ("Expected is_small to be true, but got false.", "unknown"),
        ("Expected is_sm75 || is_sm8x to be true, but got false.\nTesla V100", "gpu-too-old"),
        ("ValueError: Unsupported CUDA architecture: sm70\n", "gpu-too-old"),
        (INVALID_FUNCTION + "GPU: Nvidia GTX 860 M", "gpu-too-old"),
        (K40M + "Falling back to CPU mode.", "gpu-too-old"),
        (LOADED.format("No binary for GPU") + "GPU: Tesla K40c", "gpu-too-old"),
        (NUMBA.format("NOT SUPPORTED: CC < 3.0"), "gpu-too-old"),
        (TRITON.format("fp8e4nv"), "gpu-too-old"),
        ("CUSOLVER_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        (LAMMPS_OTHER + "GPU: Tesla K40c", "gpu-too-old"),
        ("No double-precision capable gpu located, exiting.", "gpu-too-old"),
        (
            (
                'Warning: The device selected (device 1, "GeForce GT 330") does not have '
                "sufficient compute capability to be used."
            ),
            "gpu-too-old",
        ),
        ("ERROR: Device capability v2.1.0 not supported by available toolchain", "gpu-too-old"),
        ("Error: invalid device function\nGPU: GeForce GTX 765M", "gpu-too-old"),
        ("CUDA device supported only with compute capability 3.0 or up, found 2.1.", "gpu-too-old"),
        ("CUDA device with compute capability 3.0 or up found", "unknown"),
    ],
)
def test_a_gpu_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "cuDNN version 91100 is compatible with devices with SM > 7.5",
        "compute capability 3.0 is supported",
        TRITON.format("float128"),
        "The device selected has sufficient compute capability",
        "Error: invalid device function name in the manual",
    ],
)
def test_kin_of_a_gpu_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: Tesla V100\nGPU with CUDA capability 7 0 is not supported!", "gpu-too-old"),
        ("GPU: Tesla V100\nGPU with CUDA capability 7 0 found", "unknown"),
        ("GPU: Tesla V100\nA Python of at least 4 is not supported!", "unknown"),
    ],
)
def test_a_kernel_refuses_the_capability(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("kernel", "gpu", "cause"),
    [
        ("cast_f32_bf16", "GPU 0: NVIDIA GeForce RTX 2080 Ti", "gpu-too-old"),
        ("cast_bf16_f16", "We run this on a Tesla T4.", "gpu-too-old"),
        ("is_u32_bf16", "", "gpu-too-old"),
        ("cast_f32_bf16", "GPU 0: NVIDIA A100-SXM4-40GB", "unknown"),
        ("my_own_kernel", "GPU 0: NVIDIA GeForce RTX 2080 Ti", "unknown"),
    ],
)
def test_a_kernel_of_bfloat16_is_not_there(kernel: str, gpu: str, cause: str):
    missed = 'Error: DriverError(CUDA_ERROR_NOT_FOUND, "named symbol not found") when loading '
    assert ruled(f"{missed}{kernel}\n{gpu}\n") == cause
