"""Work that does not fit into the memory, told by CuPy or XGBoost, TensorFlow and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

TF = """GPU: Quadro M1000M
I gpu_device.cc:1356] Found device 0 with properties:
name: Quadro M1000M major: 5 minor: 0 memoryClockRate(GHz): 1.0715
totalMemory: 1.95GiB freeMemory: 1.19GiB
I gpu_device.cc:1084] Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 \
with 939 MB memory) -> physical GPU (device: 0, name: Quadro M1000M, compute capability: 5.0)
Resource exhausted: OOM when allocating tensor with shape[64,3,512,512]
"""
TENSORRT = (
    "[E] [TRT] safeContext.cpp (124) - Cudnn Error in initializeCommonContext: 1"
    " (Could not initialize cudnn, please check cudnn installation.)\n"
)
OWN = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 13.00 GiB "
    "already allocated; 0.50 GiB free; 13.20 GiB reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # What TensorFlow took only PyTorch misses.
        (TF, "oom-workload"),
        (
            (
                "bfc_arena.cc:376 onnxruntime::BFCArena::AllocateRawInternal Failed to allocate "
                "memory for requested buffer of size 1073741824"
            ),
            "oom-workload",
        ),
        ("[LightGBM] [Fatal] [CUDA] out of memory /x/cuda_utils.hu 66", "oom-workload"),
        (
            (
                "MemoryError: std::bad_alloc: out_of_memory: RMM failure "
                "at:/x/pool_memory_resource.hpp:193: Maximum pool size exceeded"
            ),
            "oom-workload",
        ),
        (
            TENSORRT + "main.cpp:517: void f(int): Assertion `engine != nullptr' failed.",
            "oom-workload",
        ),
        (
            "GPU: RTX 2080 Ti\n\tBuffer 10:\n\t\tSize: 643.51MiB\n\t\tXLA Label: fusion\n",
            "oom-workload",
        ),
        ("[TRT] [E] 2: Error Code 2: OutOfMemory (no further information)", "oom-workload"),
        (f">>> dlib.DLIB_USE_CUDA\nFalse\n{OWN}", "oom-workload"),
        # Memory that an old Paddle does not get.
        ("Cannot allocate 195.800781MB in GPU 0, available 5.937500MBtotal 798", "oom-workload"),
        ("Cannot allocate 195.800781MB in the cache of pages", "unknown"),
        # The cuBLAS of libgpuarray tells nothing of memory.
        ("pygpu: (cublas) library not initialized.", "unknown"),
        ("cublas runtime error : library not initialized", "oom-workload"),
    ],
)
def test_work_that_is_too_large_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SEES = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    "text",
    [
        (
            "gpu_device.cc:1613] Created device /job:localhost/replica:0/task:0/device:GPU:0 "
            "with 13678 MB memory:  -> device: 0, name: Tesla T4, pci bus id: 0000:00:04.0, "
            "compute capability: 7.5\n"
            "TF-TRT Warning: Could not find TensorRT"
        ),
        "[postgres] [Fatal] out of memory /x/pool.c 66",
        "sqlalchemy.exc.TimeoutError: Maximum pool size exceeded",
        SEES + ">>> dlib.DLIB_USE_CUDA\nFalse\n",
    ],
)
def test_kin_of_work_that_is_too_large_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


JULIA = """{first}
Effective GPU memory usage: {taken}/7.787 GiB)
Memory pool usage: 0 bytes (0 bytes reserved)
"""


@pytest.mark.parametrize(
    ("first", "taken", "cause"),
    [
        ("ERROR: Out of GPU memory", "2.00% (160.000 MiB", "oom-workload"),
        ("ERROR: Out of GPU memory", "95.00% (7.400 GiB", "oom-other-process"),
        ("julia> CUDA.memory_status()", "2.00% (160.000 MiB", "unknown"),
    ],
)
def test_julia_tells_who_holds_the_gpu_and_not_how_much_it_wanted(
    first: str, taken: str, cause: str
):
    assert ruled(JULIA.format(first=first, taken=taken)) == cause


POOL = "E cuda_driver.cc:924] failed to allocate {} from device: CUDA_ERROR_OUT_OF_MEMORY"
BFC = "Ran out of memory trying to allocate 2.5GiB. OOM when allocating tensor"


def test_the_work_is_too_large_where_the_pool_was_had():
    text = POOL.format("2.50G (2684354560 bytes)") + "\nInUse:  9000000000\n" + BFC
    assert ruled(text) == "oom-workload"


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


RMM = "MemoryError: std::bad_alloc: CUDA error at: /env/include/rmm/mr/device/cuda_memory{rest}"


@pytest.mark.parametrize(
    ("rest", "fires"),
    [
        ("_resource.hpp", True),
        ("_resource.hpp:70: cudaErrorMemoryAllocation out of memory", True),
        ("_resource.hpp:70: cudaErrorIllegalAddress an illegal memory access", False),
    ],
)
def test_an_allocator_names_its_file_and_no_code(rest: str, fires: bool):
    assert (ruled(RMM.format(rest=rest)) == "oom-workload") is fires


@pytest.mark.parametrize(("version", "cause"), [("1.4", "oom-workload"), ("1.8", "gpu-too-old")])
def test_tensorflow_1_4_still_served_the_first_kepler(version: str, cause: str):
    error = "ResourceExhaustedError: OOM when allocating tensor of shape [64,3]"
    assert ruled(f"tensorflow-gpu=={version}\nGPU: GeForce GTX 660\n{error}") == cause


DEVICE = (
    "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {mb} MB memory)"
    " -> physical GPU (device: 0, name: {name}, pci bus id: 0000:01:00.0)\n"
)


@pytest.mark.parametrize(
    ("cards", "cause"),
    [
        (("GeForce 940MX", "GeForce 920MX", "GeForce GTX 950M"), "oom-workload"),
        (("Quadro K1100M", "Quadro M1000M", "NVIDIA Tegra X1"), "oom-workload"),
        (("GRID M10-1Q", "NVIDIA A16-1Q"), "oom-workload"),
        (("GeForce GTX 1060 6GB", "Tesla T4", "NVIDIA A16", "TITAN Xp"), "oom-other-process"),
    ],
)
def test_a_thousand_megabytes_are_little_of_a_large_card_alone(cards: tuple[str, ...], cause: str):
    wanted = "OOM when allocating tensor with shape[64,512]\n"
    assert {ruled(DEVICE.format(mb=1000, name=each) + wanted) for each in cards} == {cause}


CHUNKS = (
    "I tensorflow/core/common_runtime/bfc_allocator.cc:1039] Sum Total of in-use chunks: 9GiB\n"
)


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ("", "oom-workload"),
        ("type float on /device:GPU:0 by allocator GPU_0_bfc\n", "oom-workload"),
        ("type float on /device:CPU:0 by allocator mklcpu\n", "unknown"),  # main memory
    ],
)
def test_the_allocator_gives_its_account_where_it_fails(before: str, cause: str):
    assert ruled(before + CHUNKS) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("  what():  /workspace/common/device_helpers.cuh(100): out of memory", "oom-workload"),
        ("  what():  /workspace/common/host_helpers.cc(100): out of memory", "unknown"),
        ("ERROR: GPU reached OUT_OF_MEMORY", "oom-workload"),
        ("out of memory while trying to create encoder", "oom-workload"),
        ("out of memory while trying to create archive", "unknown"),
    ],
)
def test_programs_that_throw_for_want_of_memory(text: str, cause: str):
    assert ruled(text) == cause


POOL = (
    "W bfc_allocator.cc:219] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.02GiB. "
)
POOL += "The caller indicates that this is not a failure, but may mean that there could be "
POOL += "performance gains if more memory were available."
REFUSED = "E tensorflow/stream_executor/cuda/cuda_driver.cc:936] failed to allocate 378.60M "
REFUSED += "(396990720 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory"


@pytest.mark.parametrize(
    ("lines", "cause"),
    [((POOL, REFUSED), "oom-workload"), ((REFUSED, POOL), "oom-other-process")],
)
def test_a_pool_that_is_used_up_is_the_works_own(lines: tuple[str, ...], cause: str):
    assert ruled("\n".join(lines)) == cause
