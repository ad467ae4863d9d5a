"""What follows from the versions beside a statement; each with a text that only looks alike."""

from __future__ import annotations

import pytest

from support.cases import explained

_REFUSED = "nvcc fatal   : Unsupported gpu architecture 'compute_75'\n"
_NVCC = "GPU 0  TITAN RTX\nNVCC  Cuda compilation tools, release 9.0, V9.0.176\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"{_REFUSED}{_NVCC}PyTorch 1.3.0\n  - CUDA Runtime 10.1\n", "toolkit-mismatch"),
        (f"{_REFUSED}{_NVCC}PyTorch 1.0.0\n  - CUDA Runtime 9.0\n", "gpu-too-new"),
        (f"{_REFUSED}GPU-GTX1080Ti, CUDA-9.0, cuDNN-7.0, gcc 6+.\n", "toolkit-mismatch"),
        (f"{_REFUSED}my-rack-GTX1080Ti, CUDA-9.0, cuDNN-7.0, gcc 6+.\n", "gpu-too-new"),
    ],
)
def test_framework_whose_cuda_serves_the_gpu_shows_that_nvcc_is_another(pasted: str, cause: str):
    assert explained(pasted) == cause


_MINOR = "requires minor version compatibility, which is not yet supported"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (f"toolkit version (12, 3) with CUDA driver version (12, 2) {_MINOR}", "driver-too-old"),
        ("toolkit version (12, 2) of the environment.", "unknown"),
    ],
)
def test_rapids_compares_the_toolkit_with_the_driver(line: str, cause: str):
    assert explained(f"UserWarning: Using CUDA {line}") == cause


def test_rapids_finds_the_toolkit_newer_than_the_driver():
    told = "CUDA Toolkit is newer than CUDA driver. Numba features will not work"
    assert explained(f"UserWarning: {told} in this configuration.") == "driver-too-old"


@pytest.mark.parametrize(
    ("share", "cause"),
    [
        ("= 1", "oom-preallocation"),
        ("=1.0", "oom-preallocation"),
        ("=0.98", "oom-preallocation"),
        ("= 0.4", "oom-workload"),
        ("= 1.5", "oom-workload"),
    ],
)
def test_tensorflow_told_to_take_all_memory_finds_less(share: str, cause: str):
    told = f"config.gpu_options.per_process_gpu_memory_fraction {share}\n"
    assert explained(f"{told}failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory") == cause
