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


_ATTRIBUTE = "'cuda': module 'jaxlib.xla_extension' has no attribute 'GpuAllocatorConfig'"
_PLATFORMS = 'NOT_FOUND: Could not find registered platform with name: "cuda". Available platform'


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"{_ATTRIBUTE}\nThe GPU can be found by tensorflow.", "cpu-only-build"),
        (f"{_ATTRIBUTE}\nGPU: RTX 3090", "cpu-only-build"),
        (f"'gpu': {_PLATFORMS} names are: Interpreter Host\nGPU: RTX 3090", "cpu-only-build"),
        (_ATTRIBUTE, "unknown"),
        (f"{_ATTRIBUTE}\nHow can the GPU be found by tensorflow?", "unknown"),
        (f"{_ATTRIBUTE}\nThe GPU can not be found by tensorflow.", "unknown"),
    ],
)
def test_jaxlib_that_knows_no_cuda_is_one_for_the_cpu_where_there_is_a_gpu(pasted: str, cause: str):
    assert explained(f"Unable to initialize backend {pasted}") == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("WARNING: spacy 2.1.3 does not provide the extra 'cuda101'", "cpu-only-build"),
        ("tensorflow 2.10.0 does not provide the extra 'and-cuda'", "cpu-only-build"),
        ("spacy 2.1.3 does not provide the extra 'lookups'", "unknown"),
        ("ValueError: Cannot use GPU, CuPy is not installed", "cpu-only-build"),
        ("ValueError: Cannot use GPU, the file is not installed", "unknown"),
    ],
)
def test_part_for_the_gpu_that_was_left_out_is_missed(pasted: str, cause: str):
    assert explained(pasted) == cause


def test_part_that_pip_left_out_is_not_missed_where_the_gpu_is_seen():
    told = "jax 0.4.30 does not provide the extra 'cuda12'\n>>> jax.devices()\n[CudaDevice(id=0)]"
    assert explained(told) != "cpu-only-build"


_HALF = "doesn't support efficient float16 computation"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"the target device {_HALF}\nGPU: RTX 4050", "silent-cpu-fallback"),
        (f"the target device {_HALF}\nGPU: GTX 1080", "gpu-too-old"),
        (f"the target device {_HALF}", "unknown"),
    ],
)
def test_device_without_half_precision_is_the_gpu_or_the_cpu(pasted: str, cause: str):
    assert explained(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("RuntimeError: CUDNN_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        ("GPU: Tesla K80\nRuntimeError: CUDNN_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        ("GPU: RTX 5090\nRuntimeError: CUDNN_STATUS_ARCH_MISMATCH", "gpu-too-new"),
        ("RuntimeError: CUDNN_STATUS_SUCCESS", "unknown"),
    ],
)
def test_code_by_which_cudnn_refuses_a_gpu_needs_no_name_of_it(pasted: str, cause: str):
    assert explained(pasted) == cause
