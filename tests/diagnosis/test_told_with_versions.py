"""What follows from the versions beside a statement; each with a text that only looks alike."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

_REFUSED = "nvcc fatal   : Unsupported gpu architecture 'compute_75'\n"
_OTHER_CUDA = (
    "RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA"
    " versions. PyTorch has CUDA Version=11.6 and torchvision has CUDA Version=11.3."
)
_IGNORED = (
    "Ignoring visible gpu device (device: 0, name: GeForce GT 630M) with Cuda compute "
    "capability 2.1. The minimum required Cuda capability is 3.5."
)
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
    assert ruled(pasted) == cause


_MINOR = "requires minor version compatibility, which is not yet supported"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (f"toolkit version (12, 3) with CUDA driver version (12, 2) {_MINOR}", "driver-too-old"),
        ("toolkit version (12, 2) of the environment.", "unknown"),
    ],
)
def test_rapids_compares_the_toolkit_with_the_driver(line: str, cause: str):
    assert ruled(f"UserWarning: Using CUDA {line}") == cause


def test_rapids_finds_the_toolkit_newer_than_the_driver():
    told = "CUDA Toolkit is newer than CUDA driver. Numba features will not work"
    assert ruled(f"UserWarning: {told} in this configuration.") == "driver-too-old"


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
    assert ruled(f"{told}failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory") == cause


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
    assert ruled(f"Unable to initialize backend {pasted}") == cause


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
    assert ruled(pasted) == cause


def test_part_that_pip_left_out_is_not_missed_where_the_gpu_is_seen():
    told = "jax 0.4.30 does not provide the extra 'cuda12'\n>>> jax.devices()\n[CudaDevice(id=0)]"
    assert ruled(told) != "cpu-only-build"


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
    assert ruled(pasted) == cause


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
    assert ruled(pasted) == cause


_NVRTC = "nvrtc: error: invalid value for --gpu-architecture (-arch)\nOptions: -arch=compute_61"


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("/usr/lib/cupy-4.0.0b2-py3.5-linux-x86_64.egg/cupy/core", "gpu-too-new"),
        ("/usr/lib/site-packages/cupy_cuda12x-12.3.0.dist-info/RECORD", "gpu-too-new"),
        ("/usr/lib/site-packages/cupy_cuda13x-14.1.0.dist-info/RECORD", "gpu-too-old"),
        ("/usr/lib/python3.13/site-packages/cupy/core", "gpu-too-old"),
    ],
)
def test_age_of_cupy_tells_which_toolkits_it_can_have(path: str, cause: str):
    assert ruled(f"{_NVRTC}\nFile {path}") == cause


_LINKED = "The header is from one version, but we link with a different version"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Mixed dnn version. The header is version 5005 while the library is version 5110.", True),
        (f"Mixed dnn version. {_LINKED} (6021, 5005)", True),
        ("Version is too old. Update to v5, was 4004.", True),
        ("Version is too old. Update to v5.", False),
    ],
)
def test_theano_compiles_with_another_cudnn_than_it_loads(pasted: str, cause: bool):
    assert ruled(pasted) == ("cudnn-mismatch" if cause else "unknown")


def test_versions_of_the_toolkit_and_torch_behind_their_message_are_read():
    told = "('The detected CUDA version (%s) mismatches the version that was used to compilePyTorch"
    assert ruled(f"{told} (%s). Use the same.', '11.3', '12.8')") == "toolkit-mismatch"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Cannot load the CUDA libraries `libcufft.so.10` or `libcusparse.so.11`.", "cublas"),
        ("TensorFlow 1.11.0 is still looking for cublas 9.0 despite CUDA 10", "cublas"),
        ("it keeps asking for libcudart.so.10.1, though CUDA 11 is there", "cudart"),
        ("it looks for cublas 9.0 first", ""),
        ("I am still looking for the cause", ""),
    ],
)
def test_library_that_a_sentence_says_is_sought_is_missing(told: str, cause: str):
    assert ruled(told) == (f"{cause}-missing" if cause else "unknown")


_EIGEN = "tensorflow 2.3.0 mkl_py38h8557ec7_0\ntensorflow-base 2.3.0 eigen_py38h75a453f_0\n"


@pytest.mark.parametrize(
    ("more", "cause"),
    [("tensorflow-gpu 2.3.0 he13fc11_0\n", "cpu-only-build"), ("", "cpu-only-build")],
)
def test_name_tensorflow_gpu_of_conda_makes_no_build_for_the_gpu(more: str, cause: str):
    assert ruled(f"# packages in environment\n{_EIGEN}{more}") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("out-of-memory CUDNN_STATUS_SUCCESS (8 vs. 0) CUDNN_STATUS_EXECUTION_FAILED", True),
        ("out-of-memory handling of CUDNN_STATUS_EXECUTION_FAILED", False),
    ],
)
def test_status_of_cudnn_for_want_of_memory(line: str, cause: bool):
    assert (ruled(line) == "oom-workload") is cause


@pytest.mark.parametrize(
    ("pasted", "title"),
    [
        (
            _OTHER_CUDA,
            "torchvision was compiled with CUDA 11.3, torch with CUDA 11.6",
        ),
        (
            _IGNORED,
            "TensorFlow says that the GPU is below what it serves: 2.1, and the least is 3.5",
        ),
        (
            "Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1.",
            "The program is at fault: on CUDA device 1 but torch.cuda.device_count() is 1",
        ),
        (
            "Feb 17 19:00:16 host kernel: NVRM: GPU at 0000:01:00.0 has fallen off the bus.",
            "GPU 0000:01:00.0 has fallen off the bus",
        ),
        (
            "Unable to determine the device handle for GPU0000:07:00.0: Unknown Error",
            "A GPU does not answer: 0000:07:00.0 Unknown Error",
        ),
    ],
)
def test_a_title_says_what_its_numbers_are(pasted: str, title: str) -> None:
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    assert root.finding.title == title


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("INTERNAL: cuSPARSE library was not found.", "cublas-missing"),
        ("RuntimeError: cuDNN library not found", "cudnn-missing"),
        ("the cuDNN library was found", "unknown"),
        ("a library not found in CUDA", "unknown"),
    ],
)
def test_a_library_is_missing_by_its_products_name(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


def test_a_size_is_told_in_the_unit_that_shows_it() -> None:
    pasted = "failed to allocate 2.2KiB (2304 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY"
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    assert "2.2 KiB" in root.finding.title


INVALID = "CUDA error: device kernel image is invalid\n"
CU121 = "torch 2.1.0+cu121\ntorch.cuda.is_available() False\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (INVALID + "drivers 535", "driver-too-old"),
        (INVALID + "NVIDIA Driver: 535.288.01\nGPU: Tesla V100", "driver-too-old"),
        (INVALID + "Driver Version: 546.12       CUDA Version: 12.3", "driver-too-old"),
        (INVALID + "Driver: 570.86\nGPU: GTX 1080 Ti", "unknown"),
        (INVALID + "Driver: 470.82", "unknown"),
        (INVALID, "unknown"),
        ("Driver: 535\nFailed to load in-memory CUBIN: CUDA_ERROR_INVALID_IMAGE", "unknown"),
        (CU121 + "Driver: 525.53", "driver-too-old"),
        (CU121 + "Driver: 525", "unknown"),
        (CU121 + "Driver: 470", "driver-too-old"),
    ],
)
def test_a_driver_is_as_old_as_its_branch(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause
