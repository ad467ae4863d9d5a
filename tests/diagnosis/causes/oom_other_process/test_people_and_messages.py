"""Memory that another process holds, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

NEW_MACHINE = "I have a problem with my new machine.\n"
OOM = "CUDA out of memory. Tried to allocate {} MiB (GPU 0; 10.92 GiB total capacity; "
COUNTED = "UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error {}\n"
OOM_AT_THE_SECOND_START = "At the second start I get a CUDA out-of-memory error.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.92 GiB total capacity; "
                "312.49 MiB already allocated; 8.56 MiB free; 9.51 MiB cached)"
            ),
            "oom-other-process",
        ),
        (
            (
                "ValueError: Free memory on device (3.21/23.64 GiB) on startup is "
                "less than desired "
                "GPU memory utilization (0.9, 21.28 GiB)."
            ),
            "oom-other-process",
        ),
        (
            (
                "ValueError: The memory capacity is unbalanced. "
                "min_per_gpu_memory=32.4, local_gpu_memory=77\n"
            ),
            "oom-other-process",
        ),
        (
            "CtxRetain: CUDA_ERROR_OUT_OF_MEMORY; total memory reported: 11711807488\n",
            "oom-other-process",
        ),
        (
            NEW_MACHINE + "GPU memory is still occupied after the process was killed",
            "oom-other-process",
        ),
        (
            NEW_MACHINE + "After the job was killed the GPU memory is not released",
            "oom-other-process",
        ),
        (OOM.format("20.00") + "2.81 GiB already allocated; 25.38 MiB free)", "oom-other-process"),
        (COUNTED.format("2: out of memory"), "oom-other-process"),
        ("CUDA out of memory: 22 GB are used by a zombie python process", "oom-other-process"),
        (
            "cuda driver library failed to get device context 2time=2024-06-01T10:00:00.000Z",
            "oom-other-process",
        ),
        (
            OOM_AT_THE_SECOND_START + "The previous process is still holding GPU memory.",
            "oom-other-process",
        ),
        (
            OOM_AT_THE_SECOND_START
            + "GPU memory is not released after the training process was killed",
            "oom-other-process",
        ),
        (
            OOM_AT_THE_SECOND_START + "The GPU memory was already in use before it began.",
            "oom-other-process",
        ),
        (
            OOM_AT_THE_SECOND_START + "My VRAM is full before the program starts.",
            "oom-other-process",
        ),
    ],
)
def test_memory_that_another_process_holds_is_named(text: str, cause: str):
    assert ruled(text) == cause


UNBALANCED = "The memory capacity is unbalanced. Some GPUs may be occupied by other processes.\n"


@pytest.mark.parametrize(
    "text",
    [
        f"WARNING {UNBALANCED}The server is fired up and ready to roll!\n",
        f'raise ValueError("{UNBALANCED}")\n',
    ],
)
def test_kin_of_memory_that_another_process_holds_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "The previous process is still holding the lock of the memory-mapped file.",
        OOM_AT_THE_SECOND_START + "The memory is not released after each batch of the training",
        OOM_AT_THE_SECOND_START + "The memory is full before it starts the second epoch.",
        OOM_AT_THE_SECOND_START + "Is the memory already in use before it begins?",
    ],
)
def test_this_is_not_memory_that_another_process_holds(text: str):
    assert ruled(text) != "oom-other-process"


# -- CUDA.jl's account ---------------------------------------------------------------------------
JULIA = """GPU: NVIDIA RTX A4000
ERROR: Out of GPU memory trying to allocate 256.000 MiB
Effective GPU memory usage: 99.10% (15.594 GiB/15.736 GiB)
{pool}
"""


@pytest.mark.parametrize(
    ("pool", "cause"),
    [
        ("Memory pool usage: 64.000 MiB (96.000 MiB reserved)", "oom-other-process"),
        ("Memory pool usage: 9.871 GiB (14.906 GiB reserved)", "oom-workload"),
        ("CUDA allocator usage: 1.250 GiB", "oom-other-process"),
        ("CUDA allocator usage: 14.250 GiB", "oom-workload"),
        ("", "oom-workload"),  # nothing tells whose it is
    ],
)
def test_what_is_not_of_its_own_pool_others_hold(pool: str, cause: str):
    assert ruled(JULIA.format(pool=pool)) == cause


@pytest.mark.parametrize(
    ("call", "cause"),
    [("cuDevicePrimaryCtxRetain", "oom-other-process"), ("cuMemAlloc", "oom-workload")],
)
def test_a_context_that_finds_no_room_meets_what_others_hold(call: str, cause: str):
    assert ruled(f"failed call to {call}: CUDA_ERROR_OUT_OF_MEMORY: out of memory") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [("直接kill主进程显卡不会释放显存", "oom-other-process"), ("kill进程后显存释放了", "unknown")],
)
def test_memory_is_not_given_back_in_chinese(told: str, cause: str):
    assert ruled(f"GPU: RTX 3090\n{told}\n") == cause


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        ("kubectl inspect gpushare", "oom-other-process"),
        ("limits: aliyun.com/gpu-mem: 5", "oom-other-process"),
        ("kubectl get pods", "unknown"),
    ],
)
def test_pods_that_share_a_gpu_take_memory_from_each_other(shown: str, cause: str):
    assert ruled(f"The second one goes down with out of GPU memory errors.\n{shown}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("After I kill it this way the GPU memory isn't given back.", "oom-other-process"),
        ("I terminated the job, but its GPU memory was never freed.", "oom-other-process"),
        ("The program crashed and the VRAM has not been released.", "oom-other-process"),
        ("If I kill it, the GPU memory isn't given back.", "unknown"),
        ("I del the model, and the GPU memory isn't freed.", "unknown"),
        ("After I kill it the GPU memory is given back.", "unknown"),
        ("The memory is occupied by an import, not released until it terminates.", "unknown"),
    ],
)
def test_memory_that_a_killed_program_does_not_give_back(told: str, cause: str):
    assert ruled(f"GPU: TITAN Xp\n{told}\n") == cause
