"""The CUDA of ONNX Runtime's releases, by what its provider says when it cannot be loaded."""

from __future__ import annotations

import pytest

from support.cases import ruled

_FORM = """### Describe the issue

LoadLibrary failed with error 126 "" when trying to load "C:\\x\\onnxruntime_providers_cuda.dll"

### ONNX Runtime Version or Commit ID

{}

### Execution Provider Library Version

CUDA {}, cuDNN {}
"""


@pytest.mark.parametrize(
    ("release", "cuda", "cudnn", "cause"),
    [
        ("1.16.3", "12.4", "8.9", "framework-cuda-mismatch"),
        ("1.17.1", "12.4", "9.1", "cudnn-mismatch"),
        ("1.17.1", "12.4", "8.9", "cudnn-missing"),  # it is built for either CUDA
        ("1.19.2", "12.4", "8.9", "cudnn-mismatch"),
        ("1.19.2", "12.4", "9.1", "cudnn-missing"),
        ("onnxruntime-win-x64-cuda12-1.17.1", "12.4", "9.1", "cudnn-mismatch"),
        ("onnxruntime-win-x64-cuda12-1.17.1", "11.8", "8.9", "framework-cuda-mismatch"),
        ("onnxruntime-win-x64-gpu-1.23.0", "12.4", "8.9", "cudnn-mismatch"),
        ("b713855a980056d89b1e550ad81e3de6", "12.4", "9.1", "cudnn-missing"),
    ],
)
def test_release_of_onnxruntime_tells_what_it_takes(
    release: str, cuda: str, cudnn: str, cause: str
):
    assert ruled(_FORM.format(release, cuda, cudnn)) == cause


def test_release_without_a_failure_tells_nothing():
    assert ruled(_FORM.format("1.16.3", "12.4", "8.9").replace("failed", "went")) == "unknown"


BEGINS = (
    "onnxruntime::CudaCall CUDNN failure 1001: CUDNN_STATUS_NOT_INITIALIZED ; GPU=0 ; "
    "file=cuda_execution_provider.cc ; line=182 ; expr={}(&handle_);\n"
)
LOADS = (
    'Error loading "C:\\app\\onnxruntime_providers_cuda.dll" LoadLibrary failed with error 126\n'
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BEGINS.format("cudnnCreate") + "cuda is 13.0 here", "framework-cuda-mismatch"),
        (LOADS + "CUDA 13.0 is installed", "framework-cuda-mismatch"),
        (
            BEGINS.format("cudnnCreate") + "onnxruntime-gpu 1.22.0, CUDA 13.0",
            "framework-cuda-mismatch",
        ),
        (BEGINS.format("cublasCreate") + "CUDA 13.0 is installed", "framework-cuda-mismatch"),
        (BEGINS.format("cudnnCreate") + "onnxruntime-gpu 1.28.0, CUDA 13.0", "oom-workload"),
        (BEGINS.format("cudnnCreate") + "CUDA 12.6 is installed", "oom-workload"),
        (BEGINS.format("cudnnConvolutionForward") + "CUDA 13.0", "oom-workload"),
        (LOADS + "CUDA 12.8 is installed", "cudnn-missing"),
    ],
)
def test_onnxruntime_of_no_release_came_before_the_newest_cuda(text: str, cause: str):
    assert ruled(text) == cause
