"""Memory that a framework took in advance, told by older frameworks, PyTorch and others."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("UnknownError: Fail to find the dnn implementation. [Op:CudnnRNN]", "oom-preallocation"),
        ("cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY. numdev=1", "oom-preallocation"),
    ],
)
def test_memory_that_was_taken_in_advance_is_named(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "AttributeError: no dnn implementation of this solver was found",
    ],
)
def test_kin_of_memory_that_was_taken_in_advance_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("initCnmem: cnmemInit call failed! Reason={}.", "oom-preallocation"),
        ("Error allocating 838860800 bytes of device memory ({}).", "oom-workload"),
    ],
)
def test_theanos_pool_is_refused_or_is_used_up(words: str, cause: str):
    told = words.format("CNMEM_STATUS_OUT_OF_MEMORY")
    assert ruled(f"Using Theano backend, GTX 970\n{told}\n") == cause


ARENA = """Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {took} MB \
memory) -> physical GPU (device: 0, name: NVIDIA GeForce RTX 2080 Ti, pci bus id: 0000:01:00.0, \
compute capability: 7.5)
ai.onnxruntime.OrtException: {file}:342 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, \
bool) Failed to allocate memory for requested buffer of size 67108864
"""


@pytest.mark.parametrize(
    ("took", "file", "cause"),
    [
        (10066, "onnxruntime/core/framework/bfc_arena.cc", "oom-preallocation"),
        (512, "onnxruntime/core/framework/bfc_arena.cc", "oom-other-process"),
    ],
)
def test_tensorflow_left_nothing_to_onnx_runtime(took: int, file: str, cause: str):
    assert ruled(ARENA.format(took=took, file=file)) == cause


CUPY = """Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {mb} MB memory)
cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 104,857,600 bytes (allocated so far: 0 bytes).
"""  # noqa: E501


@pytest.mark.parametrize(
    ("mb", "cause"), [("7400", "oom-preallocation"), ("200", "oom-other-process")]
)
def test_cupy_gets_nothing_beside_tensorflow(mb: str, cause: str):
    assert ruled(CUPY.format(mb=mb)) == cause


# -- memory that another library of the same process keeps ---------------------------------------
BESIDE = """{code}
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total\
 capacity of 31.36 GiB of which 2.20 GiB is free. Including non-PyTorch memory, this process has\
 29.10 GiB memory in use. Of the allocated memory {own} is allocated by PyTorch, and 40.00 MiB is\
 reserved by PyTorch but unallocated.
"""


@pytest.mark.parametrize(
    ("code", "own", "cause"),
    [
        ("import jax, torch", "4.10 GiB", "oom-preallocation"),
        ("import tensorflow as tf", "4.10 GiB", "oom-preallocation"),
        ("from jax import numpy as jnp", "28.10 GiB", "oom-workload"),
        ("import torch", "4.10 GiB", "oom-workload"),
        (
            "import jax\nos.environ['XLA_PYTHON_CLIENT_PREALLOCATE'] = 'false'",
            "4.10 GiB",
            "oom-workload",
        ),
    ],
)
def test_what_a_process_holds_beside_pytorch_is_a_reserve(code: str, own: str, cause: str):
    assert ruled(BESIDE.format(code=code, own=own)) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("initCnmem: cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY. numdev=1",
         "oom-preallocation"),
        ("MemoryError: Error allocating 411041792 bytes of device memory (out of memory).",
         "oom-workload"),
    ],
)  # fmt: skip
def test_theano_keeps_memory_in_advance_where_it_was_told_to(words: str, cause: str):
    assert ruled(f"Using Theano backend, GTX 970\n{words}\n") == cause


TAKES = "When I start it, the training process takes up nearly all of the GPU memory."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"tensorflow: 1.12\n{TAKES}", "oom-preallocation"),
        (f"jax: 0.4.23\n{TAKES}", "oom-preallocation"),
        (
            "It loads TensorFlow, which goes on to hog all available GPU memory.",
            "oom-preallocation",
        ),
        (
            "tensorflow: 1.12\nThe last process takes up all the GPU, and no other runs.",
            "oom-preallocation",
        ),
        ("tensorflow: 1.12\nThe last process takes up all the GPU time.", "unknown"),
        (f"torch: 2.1\n{TAKES}", "unknown"),  # it takes what it needs
        ("tensorflow: 1.12\nWould the training process take all of the GPU memory?", "unknown"),
        ("tensorflow: 1.12\nThe training process takes most of the time.", "unknown"),
    ],
)
def test_a_program_of_a_framework_that_reserves_is_said_to_take_all(text: str, cause: str):
    assert ruled(text) == cause


AMREX = "amrex::Abort::0::CUDA error 2 in file /src/{} line 189: out of memory !!!"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Initializing AMReX (24.05)...\n" + AMREX.format("AMReX_Arena.cpp"), "oom-preallocation"),
        (AMREX.format("Base/AMReX_Arena.cpp"), "oom-preallocation"),
        ("AMReX (24.05) initialized\n" + AMREX.format("AMReX_Arena.cpp"), "oom-workload"),
        (AMREX.format("AMReX_FabArray.H"), "oom-workload"),
    ],
)
def test_amrex_takes_its_pool_at_its_start(text: str, cause: str):
    assert ruled(text) == cause


def test_amrex_is_told_to_take_less():
    mended = root_by_rules(AMREX.format("AMReX_Arena.cpp")).finding.fix
    assert mended is not None
    assert "amrex.the_arena_init_size=0" in mended.text


@pytest.mark.parametrize(
    ("asked", "free", "cause"),
    [
        (11475179929, 11156224154, "oom-preallocation"),
        (10244596957, 1133575936, "oom-other-process"),
    ],
)
def test_paddles_share_of_the_gpu_is_not_free(asked: int, free: int, cause: str):
    told = f"EnforceNotMet: enforce allocating <= available failed, {asked} > {free}"
    assert ruled(f"{told}\n at [/paddle/paddle/fluid/platform/gpu_info.cc:119]") == cause


def test_a_smaller_share_for_paddle_is_set_in_its_variable():
    root = root_by_rules("enforce allocating < available failed, 11475179929 >= 11156224154")
    assert root.finding.fix.commands[0] == "export FLAGS_fraction_of_gpu_memory_to_use=0.5"
    assert "10.69 GiB in advance, and 10.39 GiB are free" in root.finding.title


def test_another_check_of_paddles_is_no_want_of_memory():
    assert ruled("EnforceNotMet: enforce dims.size() == 2 failed, 3 != 2") == "unknown"
