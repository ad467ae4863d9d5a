"""Functions that a library lacks: which release they are of, and whose library was opened."""

from __future__ import annotations

import pytest

from support.cases import ruled

NUMBA = "Error: CUDA device intialisation problem. driver missing function: "
CUDARC = "cudarc-0.16.4/src/driver/sys/mod.rs:14450: "
WINDOWS = 'GetProcAddress { source: Os { code: 127, kind: Uncategorized, message: "" } }\n'
PRELOAD = (
    '  File "/usr/lib/python3.6/onnxruntime/capi/_ld_preload.py", line 12, in <module>\n'
    '    _libcublas = CDLL("libcublas.so.10.0", mode=RTLD_GLOBAL)\n'
)
CONVOLUTION = "Error while calling cudnnSetConvolution2dDescriptor(handle, padding_y) in file dlib"
TENSOR = "Error while calling cudnnSetTensor4dDescriptor(handle, CUDNN_TENSOR_NCHW) in file dlib"
REFUSED = ". code: 3, reason: CUDNN_STATUS_BAD_PARAM"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("libnvrtc.so.11.0: undefined symbol: nvrtcGetCUBIN", "cuda-libs-mismatch"),
        (f"{NUMBA}cuInit.\nRequires CUDA 7.5 or above.", "library-path-conflict"),
        ("/usr/lib/libcudart.so.10.1: undefined symbol: cuInit", "library-path-conflict"),
        (f"{NUMBA}cuOccupancyMaxPotentialBlockSize.", "driver-too-old"),
        (f"{CUDARC}{WINDOWS}Can't find symbol `cuCtxCreate_v4\\0`", "driver-too-old"),
        (f'{CUDARC}"/lib/libcuda.so: undefined symbol: cuCtxCreate_v4"', "driver-too-old"),
        (PRELOAD, "cublas-missing"),
        ("import cudf\nImportError: libcuda.so.1", "driver-missing"),
        (CONVOLUTION + REFUSED, "cudnn-mismatch"),
        ("could not set cudnn filter descriptor: CUDNN_STATUS_BAD_PARAM", "cudnn-mismatch"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "/home/user/ext/foo.so: undefined symbol: cuInit",
        "Main.java:12: error: cannot find symbol\n  symbol:   class CuContext",
        'from ctypes import CDLL\nlib = CDLL("libcublas.so.11")\nprint(lib)',
        f"{PRELOAD}ValueError: too many values to unpack",
        "ImportError: libGL.so.1",
        TENSOR + REFUSED,
        "RuntimeError: cuDNN error: CUDNN_STATUS_BAD_PARAM",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"
