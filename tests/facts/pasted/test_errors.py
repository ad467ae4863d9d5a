"""Error codes are recognised by name, number and words, under one name each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.failures import errors
from gpuprobe.facts.pasted.text import Text
from gpuprobe.knowledge import error_texts


def names(pasted: str) -> set[str]:
    return {key.name.removeprefix("error.") for key, _ in errors.read(Text(pasted))}


@pytest.mark.parametrize(
    ("pasted", "name"),
    [
        (
            "CUDA error 'CUDA driver version is insufficient for CUDA\nruntime version' in func",
            "cudaErrorInsufficientDriver",
        ),
        # of Torch 7, whose number is that of a line
        (
            "Cuda runtime error(25):CUDA driver version is insufficient for CUDA runtime version",
            "cudaErrorInsufficientDriver",
        ),
        # names
        ("failed call to cuInit: CUDA_ERROR_NO_DEVICE", "CUDA_ERROR_NO_DEVICE"),
        ("failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error", "CUDA_ERROR_UNKNOWN"),
        (
            "cupy_backends.CUDARuntimeError: cudaErrorInsufficientDriver: x",
            "cudaErrorInsufficientDriver",
        ),
        ("cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU"),
        ("NVMLError_LibRmVersionMismatch: x", "NVML_ERROR_LIB_RM_VERSION_MISMATCH"),
        (
            "pynvml.nvml.NVMLError_DriverNotLoaded: Driver Not Loaded",
            "NVML_ERROR_DRIVER_NOT_LOADED",
        ),
        ("RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_NOT_INITIALIZED"),
        (
            "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(h)`",
            "CUBLAS_STATUS_ALLOC_FAILED",
        ),
        ("cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR", "CUSOLVER_STATUS_INTERNAL_ERROR"),
        ("RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR", "CUFFT_INTERNAL_ERROR"),
        ("hipErrorNoBinaryForGpu: Unable to find code object", "hipErrorNoBinaryForGpu"),
        ("HIP error: invalid device function", "hipError_invalid_device_function"),
        # the vendor's words, in several programs
        (
            "RuntimeError: CUDA error: no kernel image is available for execution on the device",
            "CUDA_ERROR_NO_BINARY_FOR_GPU",
        ),
        (
            "CUDA driver version is insufficient for CUDA runtime version",
            "cudaErrorInsufficientDriver",
        ),
        (
            "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
            "CUDA_ERROR_DEVICE_UNAVAILABLE",
        ),
        (
            "RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable",
            "CUDA_ERROR_DEVICE_UNAVAILABLE",
        ),
        ("RuntimeError: CUDA error: out of memory", "CUDA_ERROR_OUT_OF_MEMORY"),
        ("CUDA out of memory. Tried to allocate 2.00 GiB", "CUDA_ERROR_OUT_OF_MEMORY"),
        ("NCCL WARN Cuda failure 'initialization error'", "CUDA_ERROR_NOT_INITIALIZED"),
        (
            "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected",
            "CUDA_ERROR_NO_DEVICE",
        ),
        (
            "pycuda._driver.LogicError: cuInit failed: initialization error",
            "CUDA_ERROR_NOT_INITIALIZED",
        ),
        (
            "CUDA initialization: CUDA unknown error - this may be due to an incorrectly",
            "CUDA_ERROR_UNKNOWN",
        ),
        (
            "Failed to initialize NVML: Driver/library version mismatch",
            "NVML_ERROR_LIB_RM_VERSION_MISMATCH",
        ),
        ("Failed to initialize NVML: Unknown Error", "NVML_ERROR_UNKNOWN"),
        ("Failed to initialize NVML: Insufficient Permissions", "NVML_ERROR_NO_PERMISSION"),
        (
            "Unable to determine the device handle for GPU 0000:02:00.0: Unknown Error",
            "NVML_ERROR_UNKNOWN",
        ),
        ("Unable to determine the device handle for GPU0: GPU is lost.", "NVML_ERROR_GPU_IS_LOST"),
        # MATLAB's, whose end is in the next line
        ("The CUDA error was:\ninvalid device function", "cudaErrorInvalidDeviceFunction"),
        ("The CUDA error was:\n  unspecified launch failure.", "CUDA_ERROR_LAUNCH_FAILED"),
        # numbers
        (
            "Error 803: system has unsupported display driver / cuda driver combination",
            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        ),
        (
            "nvidia-container-cli: cuda error: system has unsupported display driver combination",
            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        ),
        (
            "CUDA fails: unsupported display driver/CUDA driver combination",
            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        ),
        # the run time's words behind the place of the call
        ("src/check.cu : 52 invalid device function", "cudaErrorInvalidDeviceFunction"),
        ("include/scan.cuh(310): invalid argument", "CUDA_ERROR_INVALID_VALUE"),
        ("failed call to cuInit: UNKNOWN ERROR (303)", "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"),
        ("[999] Call to cuInit results in UNKNOWN_CUDA_ERROR", "CUDA_ERROR_UNKNOWN"),
        ("cudaGetDeviceCount returned 35", "cudaErrorInsufficientDriver"),
        ("cuInit(0) failed with error code 100", "CUDA_ERROR_NO_DEVICE"),
        ("cuInit returns 802", "CUDA_ERROR_SYSTEM_NOT_READY"),
        ("cuInit(0) -> 802", "CUDA_ERROR_SYSTEM_NOT_READY"),
        ("cuInit() = 100", "CUDA_ERROR_NO_DEVICE"),
        ("failed call to cuInit: 999", "CUDA_ERROR_UNKNOWN"),
        ("[TRT] CUDA initialization failure with error: 35", "cudaErrorInsufficientDriver"),
        ("CUDA failure 100: something ; GPU=0 ; hostname=x", "CUDA_ERROR_NO_DEVICE"),
        ("(External) CUDA error(719), unspecified.", "CUDA_ERROR_LAUNCH_FAILED"),
        ("Failed to get device properties, error code: 3", "CUDA_ERROR_NOT_INITIALIZED"),
        ("cuda driver library init failure: 999", "CUDA_ERROR_UNKNOWN"),
        ("CUDA error: x (code 100, ERROR_NO_DEVICE)", "CUDA_ERROR_NO_DEVICE"),
        ("CUDNN failure 4: x", "CUDNN_STATUS_INTERNAL_ERROR"),
        ("cuBLAS error 13", "CUBLAS_STATUS_EXECUTION_FAILED"),
        ("nvml vram init failure: 9", "NVML_ERROR_DRIVER_NOT_LOADED"),
        # before CUDA 10.1
        (
            (
                "cuda runtime error (48) : no kernel image is available for execution "
                "on the device at x.cu"
            ),
            "CUDA_ERROR_NO_BINARY_FOR_GPU",
        ),
        ("cuda runtime error (30) at THCGeneral.cpp:87", "CUDA_ERROR_UNKNOWN"),
        ("cuda runtime error (59) : device-side assert triggered at x.cu:535", "CUDA_ERROR_ASSERT"),
        ("cuda runtime error (100) : no CUDA-capable device is detected", "CUDA_ERROR_NO_DEVICE"),
    ],
)
def test_one_meaning_has_one_name(pasted: str, name: str) -> None:
    assert names(pasted) == {name}


@pytest.mark.parametrize(
    "pasted",
    [
        "cudaGetLastError() and cudaErrorString are functions",
        "CUDA_ERROR_CHECK(cuInit(0))",
        "cudaGetDeviceCount() = 2",
        "cuInit() = 0",
        "cuDriverGetVersion() = 12040",
        "Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading",
        (
            "OSError: [WinError 126] cuda: The specified module could not be found "
            "(error code is 126) cudart.dll"
        ),
        "FileNotFoundError: model file not found",
        "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB",
        "Killed: out of memory",
        "http error 404: not found",
        "CUDA Version: 12.2",
        "CUDA 11.8 error in documentation",
        "cudaErrorNotReady",
        "CUDNN_STATUS_SUCCESS",
        "CUFFT_PLAN is a name",
        "invalid argument: --frobnicate",
        "the game says: unsupported display driver",
        "src/main.cpp:52: invalid argument",
        "src/sort.cu:52: the flag is an invalid argument",
        "The error was:\ninvalid device function",
        "The CUDA error was:\nout of memory is what it is not",
        "The CUDA error was in the log:\nunknown error",
    ],
)
def test_what_only_looks_like_an_error_is_none(pasted: str) -> None:
    assert names(pasted) == set()


@pytest.mark.parametrize("wording", error_texts.texts(), ids=lambda each: each.text[:40])
def test_every_wording_of_the_table_is_recognised(wording: error_texts.ErrorText) -> None:
    intro = "Failed to initialize NVML: " if wording.api == "nvml" else "RuntimeError: CUDA error: "
    assert wording.name in names(intro + wording.text)


def test_the_value_is_the_message_and_the_source_its_line() -> None:
    [(key, fact)] = errors.read(Text("first\nRuntimeError: CUDA error: misaligned address"))
    assert (key.name, fact.source) == ("error.CUDA_ERROR_MISALIGNED_ADDRESS", "line 2 of the text")


@given(st.text())
def test_no_text_breaks_the_reader(pasted: str) -> None:
    list(errors.read(Text("cuda error " + pasted + " nvml cudnn cublas (code ")))
