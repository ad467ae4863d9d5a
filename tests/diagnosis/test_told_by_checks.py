"""What frameworks' own checks of their builds say, and their kin that say less or nothing."""

from __future__ import annotations

import pytest

from support.cases import ruled

NEWER_CUDA = """UserWarning:
    Found GPU0 GeForce RTX 2080 which requires CUDA_VERSION >= 10000 to
     work properly, but your PyTorch was compiled
     with CUDA_VERSION 9000. Please install the correct PyTorch binary"""
FASTER_WITH_NEWER = """UserWarning:
    Found GPU0 Tesla V100 which requires CUDA_VERSION >= 9000 for
     optimal performance and fast startup time, but your PyTorch was compiled
     with CUDA_VERSION 8000. Please install the correct PyTorch binary"""
OPS_OF_OTHER = (
    "DeepSpeed ops were compiled and installed with a different version than what is being used at"
    " runtime. Please re-install DeepSpeed or switch torch versions."
)
PADDLE_CUDNN = (
    "device: 0. The installed Paddle is compiled with CUDNN 8.1, but CUDNN version in your machine"
    " is 7.6, which may cause serious incompatible bug."
)
PADDLE_WORKS = "PaddlePaddle works well on 1 GPU.\nPaddlePaddle is installed successfully!"
CTRANSLATE2 = (
    "ValueError: Requested float16 compute type, but the target device or backend do not support"
    " efficient float16 computation."
)
NO_DEVICE_CODE = (
    "mmq.cu:2422: ERROR: CUDA kernel mul_mat_q has no device code compatible with CUDA arch 610."
    " ggml-cuda.cu was compiled for: 610"
)
VLLM_IMPORT = (
    'WARNING [_custom_ops.py:20] Failed to import from vllm._C with ImportError("libcudart.so.12:'
    ' cannot open shared object file: No such file or directory")'
)
NOT_CREATED = (
    "[W:onnxruntime:Default, onnxruntime_pybind_state.cc:541 CreateExecutionProviderInstance]"
    " Failed to create CUDAExecutionProvider. Please reference the requirements"
)
SYSTEM_PATH = "ValueError: libcublas.so.*[0-9] not found in the system path ['/workspace']"
GLIBC = (
    "/usr/include/bits/mathcalls.h(79): error: exception specification is incompatible with that of"
    ' previous function "cospi" (declared at line 2601 of /usr/local/cuda/include/'
)


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (NEWER_CUDA, "gpu-too-new"),
        ("Tried to instantiate dummy base class CudaStreamBase", "cpu-only-build"),
        (
            "AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'",
            "cpu-only-build",
        ),
        (
            "UserWarning: cuDNN/MIOpen library not found. Check your LD_LIBRARY_PATH",
            "cudnn-missing",
        ),
        ("cuDNN version 91100 is not compatible with devices with SM < 7.5.", "gpu-too-old"),
        (
            OPS_OF_OTHER + " Install torch version=1.10, Runtime torch version=1.11",
            "extension-mismatch",
        ),
        ("libbitsandbytes_cpu.so: undefined symbol: cget_col_row_stats", "extension-mismatch"),
        ("NameError: name 'str2optimizer32bit' is not defined", "extension-mismatch"),
        (
            "RuntimeError: Attempted to use bitsandbytes native library functionality but it's not",
            "extension-mismatch",
        ),
        ("Need to compile C++ extensions to use all xFormers features.", "extension-mismatch"),
        ("CudaDriverError: driver missing function: cuLinkCreate_v2.", "driver-too-old"),
        ("CudaDriverError: CUDA initialized before forking", "user-code"),
        ("<CUDA device 0 'b'GeForce 9400 GT''> has compute capability < (2, 0)", "gpu-too-old"),
        ("ValueError: GPU compute capability 3.0 is not supported (requires >=3.5)", "gpu-too-old"),
        (
            "cuDNN 9.10.0 had a binary backward-compatibility issue due to reordered enum values",
            "cudnn-mismatch",
        ),
        (
            "cuDNN < 9.10.0 (90800 found) had an issue that caused some multi-GPU matmuls",
            "cudnn-mismatch",
        ),
        (
            "ValueError: This ORT build has ['CPUExecutionProvider'] enabled. Since ORT 1.9",
            "cpu-only-build",
        ),
        (NOT_CREATED, "cudnn-missing"),
        ("CUDA platform is not available because vLLM is built with CPU.", "cpu-only-build"),
        (VLLM_IMPORT, "extension-mismatch"),
        ("VLLM_USE_V1=1 is not supported with Compute Capability < 8.0.", "gpu-too-old"),
        (
            'msg="NVIDIA driver too old" driver=535 required_driver="570 or newer"',
            "driver-too-old",
        ),
        (
            'msg="inference compute" id=cpu library=cpu compute=""\nCUDA_VISIBLE_DEVICES=-1',
            "hidden-by-visible-devices",
        ),
        (
            (
                "symbol lookup for cuCtxCreate_v3 failed: /usr/lib/libcuda.so.1: undefined symbol:"
                " cuCtxCreate_v3"
            ),
            "driver-too-old",
        ),
        (
            (
                "Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for"
                " 70 75 80 86, but your current GPU is 120."
            ),
            "gpu-too-new",
        ),
        (PADDLE_CUDNN, "cudnn-mismatch"),
        (PADDLE_WORKS, "healthy"),
        ("Please update your NVIDIA GPU Driver to support CUDA Runtime.", "driver-too-old"),
        ("You will need a GPU with NVIDIA Pascal™ or newer architecture", "gpu-too-old"),
        ("AssertionError: libcuda.so cannot found!", "driver-missing"),
        ("(Target GPU SM 61 is not supported by this TensorRT release.)", "gpu-too-old"),
        ("(Target GPU SM 120 is not supported by this TensorRT release.)", "gpu-too-new"),
        (NO_DEVICE_CODE + "\nGPU: RTX 5090", "gpu-too-new"),
        (CTRANSLATE2 + "\nGPU: GTX 1080", "gpu-too-old"),
        (SYSTEM_PATH, "cublas-missing"),
        (
            '"error STL1002: Unexpected compiler version, expected CUDA 12.4 or newer."',
            "toolkit-mismatch",
        ),
        ("sh: 1: cicc: not found", "toolkit-missing"),
        (GLIBC + "crt/math_functions.h)", "toolkit-mismatch"),
        ("Caffe2: CUDA cannot be found.  Depending on whether you are building", "toolkit-missing"),
        (
            "RuntimeError: CUDA was not found on the system, please set the CUDA_HOME",
            "toolkit-missing",
        ),
        (
            (
                "FindCUDA says CUDA version is 11.5 (usually determined by nvcc), but the CUDA"
                " headers say the version is 12.1."
            ),
            "toolkit-mismatch",
        ),
    ],
)
def test_check_that_fails_names_the_cause(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        FASTER_WITH_NEWER,
        "Tried to instantiate dummy base class Foo of the mock",
        "module 'torch._C' has no attribute '_jit_set_profiling'",
        "cuDNN version 91100 is compatible with devices with SM > 7.5",
        "Image library not found. Check your PATH",
        "ops were compiled with care",
        "'NoneType' object has no attribute 'calculate'",
        "driver missing function: open",
        "compute capability 3.0 is supported",
        (
            "Installed CUDA version 12.2 does not match the version torch was compiled with 12.1"
            " but since the APIs are compatible, accepting this combination"
        ),
        (
            "Installed CUDA version 11.8 does not match the version torch was compiled with 12.1."
            "Detected `DS_SKIP_CUDA_CHECK=1`: Allowing this combination of CUDA"
        ),
        "This ORT build has ['CUDAExecutionProvider', 'CPUExecutionProvider'] enabled",
        NOT_CREATED + "\nI have installed cuda toolkit==12.1 and cudnn ==8.8.1",
        'msg="inference compute" id=GPU-1 library=cuda compute=8.6 driver=12.2',
        PADDLE_CUDNN.replace("8.1", "7.6"),
        "PaddlePaddle works well on 2 CPUs.",
        CTRANSLATE2,
        NO_DEVICE_CODE,
        "libfoo.so.*[0-9] not found in the system path []",
        "TensorRT was linked against cuDNN 8.6.0 but loaded cuDNN 8.3.2",
        "error STL1001: Unexpected compiler version, expected MSVC 19.40 or newer.",
        GLIBC + "my_functions.h)",
        "Unable to load custom driver library",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) in {"unknown", "healthy"}
