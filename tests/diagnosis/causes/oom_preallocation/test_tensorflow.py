"""Memory that a framework took in advance, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

POOL = "E cuda_driver.cc:924] failed to allocate {} from device: CUDA_ERROR_OUT_OF_MEMORY"
LIBRARY = "failed to create cublas handle: CUBLAS_STATUS_ALLOC_FAILED"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "tensorflow-gpu 1.13\nfailed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED",
            "oom-preallocation",
        ),
        (POOL.format("5.93G (6365773824 bytes)"), "oom-preallocation"),
        ("Although small, my tf.Session() takes the memory of all GPUs.", "oom-preallocation"),
        ("Although small, my tf.Session() takes the memory of one GPU.", "unknown"),
        # A library finds no room where the framework took all.
        ("tensorflow-gpu 1.4.0, GTX 980\n" + LIBRARY, "oom-preallocation"),
        ("torch 1.4.0, GTX 980\n" + LIBRARY, "oom-workload"),
        ("tensorflow-gpu 1.4.0\n" + LIBRARY + "\nCUDA_ERROR_OUT_OF_MEMORY", "oom-workload"),
    ],
)
def test_memory_that_was_taken_in_advance_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


TOOK = (
    "gpu_device.cc:1105] Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0"
    " with 10413 MB memory) -> physical GPU (device: 0, name: GeForce GTX 1080 Ti)\n"
)
OF_DLIB = (
    "RuntimeError: Error while calling cudaMalloc(&data, n) in file dlib/cuda/cuda_data_ptr.cpp:28."
    " code: 2, reason: out of memory\n"
)
OF_ITS_OWN = "ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512]\n"
OF_PYCUDA = "pycuda._driver.MemoryError: cuMemAlloc failed: out of memory\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (TOOK + OF_DLIB, "oom-preallocation"),
        (TOOK + OF_PYCUDA, "oom-preallocation"),
        (OF_DLIB, "oom-workload"),
        (TOOK + OF_ITS_OWN, "oom-workload"),
    ],
)
def test_tensorflow_told_what_it_took_before_another_library_asked(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("Could not create cudnn handle: CUDNN_STATUS_ALLOC_FAILED", "oom-preallocation"),
        ("RuntimeError: CUDNN_STATUS_ALLOC_FAILED", "oom-workload"),
    ],
)
def test_tensorflows_words_tell_who_took_the_memory(words: str, cause: str):
    assert ruled(f"GPU: RTX 2070\n{words}\n") == cause


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


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("It runs out of memory with one GPU and 3 or more CPUs", "oom-preallocation"),
        ("Out of memory when I start several workers", "oom-preallocation"),
        ("It runs out of memory with batches of 64", "healthy"),
    ],
)
def test_several_processes_of_tensorflow_have_no_room_on_one_gpu(sentence: str, cause: str):
    made = "Creating TensorFlow device (/device:GPU:0) -> (device: 0, name: TITAN X (Pascal),"
    assert ruled(f"{sentence}\nTensorflow 1.5.0\n{made}") == cause
    assert ruled(f"{sentence}\nPyTorch 2.1") == "unknown"


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ("When I run this, all the K80s in the machine get occupied.", True),
        ("The session grabs all GPUs on the server. How do I restrict it?", True),
        ("It allocates memory on every GPU even though I only use one.", True),
        ("The memory of all GPUs is occupied as soon as I create a session.", True),
        ("It takes up all 8 GPUs of our server, how do I limit it to a single one?", True),
        ("With MirroredStrategy it occupies all GPUs.", False),
        ("Does it occupy all GPUs?", False),
        ("All GPUs are occupied by jobs of my colleagues.", False),
    ],
)
def test_the_memory_of_all_gpus_is_taken_for_one(told: str, *, named: bool) -> None:
    assert (ruled(f"import tensorflow as tf\n{told}\n") == "oom-preallocation") is named
    assert ruled(f"import torch\n{told}\n") != "oom-preallocation"
    grows = "gpu_options.allow_growth = True"
    assert ruled(f"import tensorflow as tf\n{grows}\n{told}\n") != "oom-preallocation"
