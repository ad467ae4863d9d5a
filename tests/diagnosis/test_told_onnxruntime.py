"""ONNX Runtime's form: its release tells which CUDA and cuDNN it takes, where it is one build."""

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


def test_file_that_could_not_be_loaded_needs_no_quotation_marks():
    line = "Loadlibrary failed with error 126 when trying to load {}"
    assert ruled(line.format("onnxruntime_providers_cuda.dll")) == "cudnn-missing"
    assert ruled(line.format("it")) != "cudnn-missing"


_PLACED = "session_state.cc:1068] All nodes placed on [{}]. Number of nodes: 12"
_OFFERED = "['CUDAExecutionProvider', 'CPUExecutionProvider']"


def test_log_of_the_placement_tells_where_the_session_ran():
    on_cpu = _PLACED.format("CPUExecutionProvider")
    assert ruled(f"{on_cpu}\n{_OFFERED}") == "silent-cpu-fallback"
    assert ruled(on_cpu) == "unknown"
    assert ruled(f"{_PLACED.format('CUDAExecutionProvider')}\n{_OFFERED}") == "healthy"


def test_two_packages_are_told_side_by_side():
    both = "onnxruntime 1.18.0 and onnxruntime-gpu 1.18.0"
    assert ruled(f"I have {both}, and it runs on the CPU") == "mixed-installs"
    assert ruled(f"I compared the speed of {both}") != "mixed-installs"


def test_provider_that_tells_what_it_requires_misses_no_run_time_of_visual_c():
    failed = "Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*. "
    assert ruled(f"{failed}LoadLibrary failed with error 126") == "cudnn-missing"
