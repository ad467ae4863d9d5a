"""Programs that name what they were compiled for, or lack what a GPU's driver brings for them."""

from __future__ import annotations

import pytest

from support.cases import ruled

# -- compiled for one capability, run on another -------------------------------------------------
KOKKOS = (
    "Kokkos::Cuda::initialize ERROR: running kernels compiled for compute capability {} on device "
    "with compute capability {} is not supported by CUDA!\n"
)
SLOWER = (
    "Kokkos::Cuda::initialize WARNING: running kernels compiled for compute capability {} on "
    "device with compute capability {} , this will likely reduce potential performance.\n"
)
SYMBOL = (
    "  what():  cudaMemcpyToSymbol(a, b) error( cudaErrorInvalidSymbol): invalid device symbol\n"
)
KMCUDA = "compute capability mismatch for device 0: wanted {}, have {}\n"
TOLD = "GPU: RTX 5060\nIt says that the build supports compute capability up to {}.\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (KOKKOS.format("5.2", "7.5"), "gpu-too-new"),
        (KOKKOS.format("8.0", "7.5"), "gpu-too-old"),
        (SLOWER.format("0.0", "3.5") + SYMBOL, "gpu-too-old"),
        (SLOWER.format("0.0", "9.0") + SYMBOL, "gpu-too-new"),
        (SLOWER.format("0.0", "3.5"), "unknown"),  # it may run
        (SLOWER.format("7.0", "7.5"), "unknown"),
        (KMCUDA.format("6.1", "3.7"), "gpu-too-old"),
        (KMCUDA.format("6.1", "7.5"), "gpu-too-new"),
        (KMCUDA.format("6.1", "6.1"), "unknown"),
        (TOLD.format("86 only and that mine, 120, does not match"), "gpu-too-new"),
        (TOLD.format("8.6, and my GPU has capability 12.0"), "gpu-too-new"),
        (TOLD.format("120"), "unknown"),
    ],
)
def test_both_capabilities_are_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


# -- Paddle's image, by its tag ------------------------------------------------------------------
PADDLE = """GPU: {gpu}
image: 2.4.2-gpu-cuda{cuda}-cudnn7.6-trt7.0
python tools/infer/predict_system.py --use_gpu=True
{noted}
"""


@pytest.mark.parametrize(
    ("gpu", "cuda", "noted", "too_new"),
    [
        ("RTX 3090", "10.2", "-> wrong boxes", True),
        ("RTX 3090", "10.2", "=> the results are as they were", False),
        ("RTX 3090", "11.7", "-> wrong boxes", False),
        ("RTX 2080", "10.2", "-> wrong boxes", False),
        ("RTX 3090", "10.2", "-> wrong argument", False),
    ],
)
def test_what_is_wrong_comes_of_a_cuda_before_the_gpu(
    gpu: str, cuda: str, noted: str, *, too_new: bool
) -> None:
    text = PADDLE.format(gpu=gpu, cuda=cuda, noted=noted)
    assert (ruled(text) == "gpu-too-new") is too_new


# -- OpenCL inside a container -------------------------------------------------------------------
@pytest.mark.parametrize(
    ("place", "said", "cause"),
    [
        ("own container for PyOpenCL", "PLATFORM_NOT_FOUND_KHR", "container-no-gpu"),
        ("Ubuntu 22.04 (docker container)", "PLATFORM_NOT_FOUND_KHR", "container-no-gpu"),
        ("Ubuntu 22.04", "PLATFORM_NOT_FOUND_KHR", "unknown"),
    ],
)
def test_a_container_without_the_file_for_opencl(place: str, said: str, cause: str) -> None:
    text = f"OS: {place}\npyopencl._cl.LogicError: clGetPlatformIDs failed: {said}\n"
    assert ruled(text) == cause


@pytest.mark.parametrize(("place", "inside"), [(" (docker container)", True), ("", False)])
def test_lightgbm_finds_no_opencl_in_a_container(place: str, *, inside: bool) -> None:
    text = f"OS: Ubuntu 22.04{place}\nGPU: Tesla V100\nLightGBMError: No OpenCL device found\n"
    assert (ruled(text) == "container-no-gpu") is inside


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("A pod with this image, on a node of Kubernetes:", "container-no-gpu"),
        ("On a node of Kubernetes, which runs a pod besides:", "driver-missing"),
    ],
)
def test_a_pod_that_did_not_ask_for_the_gpu(where: str, cause: str) -> None:
    assert ruled(f"{where}\nentrypoint.sh: line 52: nvidia-smi: command not found\n") == cause


# -- no card of NVIDIA's -------------------------------------------------------------------------
MESHROOM = (
    "cudaGetDeviceCount failed: CUDA driver version is insufficient for CUDA runtime version\n"
    "[error] This program needs a CUDA-Enabled GPU (with at least compute capablility 2.0).\n"
)


@pytest.mark.parametrize(
    ("told", "none"),
    [
        ("the video card is not a CUDA one", True),
        ("My GPU isn't an NVIDIA card.", True),
        ("Is it a problem if the video card is not a CUDA one?", False),
        ("The second graphics card is not an NVIDIA card", False),
    ],
)
def test_a_card_that_is_none_of_nvidias_as_it_is_told(told: str, *, none: bool) -> None:
    assert (ruled(f"OS: Windows 7\n{told}\n\n{MESHROOM}") == "no-nvidia-gpu") is none


# -- TVM's account of its build ------------------------------------------------------------------
TVM = "USE_GTEST: AUTO\nCUDA_VERSION: NOT-FOUND\nUSE_CUDA: OFF\n"
LOCAL = "ValueError: Cannot detect local CUDA GPU target!\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (LOCAL + TVM, "cpu-only-build"),
        (TVM, "unknown"),
        (LOCAL + "CUDA_VERSION: 12.1\nUSE_CUDA: ON\n", "unknown"),
    ],
)
def test_tvm_without_cuda_where_somebody_misses_the_gpu(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


# -- Faiss, before and after Keras ---------------------------------------------------------------
FAISS = "Error: 'err == cudaSuccess' failed: {}\n"
KERAS = "model = tf.keras.Sequential()\nmodel.fit(x, y, epochs=5)\n"
GROWTH = "export TF_FORCE_GPU_ALLOW_GROWTH=true\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (FAISS.format("Failed to cudaMalloc 4294967296 bytes"), "oom-workload"),
        (FAISS.format("Failed to cudaMalloc 8 bytes (error 2 out of memory)"), "oom-workload"),
        (FAISS.format("Failed to cudaMalloc 8 bytes (error 35 insufficient)"), "unknown"),
        ("import tensorflow as tf\n" + KERAS + FAISS.format("failed to cudaMalloc"),
         "oom-preallocation"),
        ("import tensorflow as tf\n" + GROWTH + KERAS + FAISS.format("failed to cudaMalloc"),
         "oom-workload"),
    ],
)  # fmt: skip
def test_faiss_gets_no_memory(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


# -- others --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("RuntimeError: Can't enable access between nodes 0 and 1\n", "nccl"),
        ("Enabled access between nodes 0 and 1\n", "unknown"),
    ],
)
def test_tensorrt_llm_opens_no_memory_of_a_neighbour(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


ACROSS = "] Assertion `-sizes[i] <= index && index < sizes[i]{}:93` failed.\n"


@pytest.mark.parametrize(
    ("file", "cause"),
    [("../aten/src/ATen/native/cuda/IndexKernel.cu", "user-code"), ("../src/main.cpp", "unknown")],
)
def test_an_assertion_of_torch_whose_threads_write_across(file: str, cause: str) -> None:
    assert ruled(ACROSS.format(file)) == cause


RECORD = "[35.5] NVRM:     -1    4124 GSP_LOCKDOWN_NOTICE   0x0000000000000000 0x0000000000000000\n"


@pytest.mark.parametrize(
    ("told", "lost"),
    [
        ("John crashes and the GPU disappears from the system; dmesg:", True),
        ("dmesg of a machine that starts:", False),
    ],
)
def test_what_the_gpu_sent_last_beside_its_loss(told: str, *, lost: bool) -> None:
    assert (ruled(f"{told}\n{RECORD}") == "device-lost") is lost
