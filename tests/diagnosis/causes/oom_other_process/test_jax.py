"""Memory that another process holds, as JAX tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

OTHERS = (
    "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.76 GiB total capacity; 3.00 GiB "
    "already allocated; 0.50 GiB free; 3.20 GiB reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "UserWarning: Plan failed with an OutOfMemoryError: CUDA out of memory. Tried"
                " to allocate 1.01 GiB. GPU 0 has a total capacity of 10 GiB of which "
                "600 MiB is free"
            ),
            "unknown",
        ),
        ("JAX and PyTorch are never in the same process.\n" + OTHERS, "oom-other-process"),
        (
            "I ported the model from jax.\nThe same script runs in float16.\n" + OTHERS,
            "oom-other-process",
        ),
        ("jax and torch are in one process, jax on the CPU only.\n" + OTHERS, "oom-other-process"),
    ],
)
def test_memory_that_another_process_holds_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


# -- JAX before PyTorch, by its log --------------------------------------------------------------
NO_TPU = "INFO:jax._src.xla_bridge:Unable to initialize backend 'tpu': INTERNAL: no libtpu.so"
NO_CUDA = "INFO:jax._src.xla_bridge:Unable to initialize backend 'cuda': no plugin"
FOLDED = "I0301 09:01:17 run.py:190] Total JAX model model_3 predict time (includes compile): 9s"
FAILED = (
    "RuntimeError: CUDA out of memory. Tried to allocate 40.00 MiB (GPU 0; 31.75 GiB total "
    "capacity; 0 bytes already allocated; 20.50 MiB free; 0 bytes reserved in total by PyTorch)"
)


@pytest.mark.parametrize(
    "pasted",
    [
        FAILED,
        f"{FAILED}\n{NO_TPU}",  # the next program
        f"{NO_TPU}\n{NO_CUDA}\n{FAILED}",  # JAX is on the CPU
        f"{NO_TPU}\nNo GPU/TPU found, falling back to CPU.\n{FAILED}",
        f"export XLA_PYTHON_CLIENT_PREALLOCATE=false\n{FOLDED}\n{FAILED}",
        f"Our JAX model predicts well.\n{FAILED}",
    ],
)
def test_where_jax_keeps_nothing_others_hold_it(pasted: str):
    assert ruled(pasted + "\n") == "oom-other-process"


XLA = (
    "E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:439] Could not create cudnn handle: "
    "CUDNN_STATUS_NOT_INITIALIZED\n"
    "E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:443] Memory usage: {} bytes free, "
    "42505273344 bytes total.\n"
)


@pytest.mark.parametrize(("free", "cause"), [(7995392, "oom-other-process"), (42069065728, "")])
def test_memory_that_is_free_is_not_what_cudnn_lacks(free: int, cause: str):
    named = ruled(XLA.format(free))
    assert named.startswith("oom-") is bool(cause)


# -- memory that another library of the same process keeps ---------------------------------------
BESIDE = """{code}
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total\
 capacity of 31.36 GiB of which 2.20 GiB is free. Including non-PyTorch memory, this process has\
 29.10 GiB memory in use. Of the allocated memory {own} is allocated by PyTorch, and 40.00 MiB is\
 reserved by PyTorch but unallocated.
"""


def test_what_a_message_says_of_another_process_is_that_ones():
    told = "Process 77 has 28.00 GiB memory in use. Including non-PyTorch memory"
    text = BESIDE.format(code="import jax", own="1.00 GiB").replace("29.10 GiB", "1.20 GiB")
    assert ruled(text.replace("Including non-PyTorch memory", told)) == "oom-other-process"


OLD = """{code}
RuntimeError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 23.70 GiB total capacity;\
 1.10 GiB already allocated; 31.00 MiB free; {own} reserved in total by PyTorch)
"""
PROCESSES = """|    0   N/A  N/A      1200      C   python          17000MiB |
|    0   N/A  N/A      1300      C   python           2000MiB |
"""


def test_two_processes_in_the_table_hold_it_each_for_itself():
    text = OLD.format(code="import torch, jax", own="1.20 GiB") + PROCESSES
    assert ruled(text) == "oom-other-process"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "When the game uses the entire video memory: cudaErrorMemoryAllocation: out of memory",
            "oom-other-process",
        ),
        (
            "When the game uses the network: cudaErrorMemoryAllocation: out of memory",
            "oom-workload",
        ),
    ],
)
def test_a_game_holds_the_memory(text: str, cause: str):
    assert ruled(text) == cause
