"""Out-of-memory messages of all ages become the same five numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import said
from gpuprobe.facts.pasted.runs import memory
from gpuprobe.facts.pasted.text import Text

MIB, GIB = 1 << 20, 1 << 30


def numbers(pasted: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, fact in memory.read(Text(pasted)):
        value = getattr(fact, "value", None)
        if key == said.MEMORY_HOLDERS:
            continue
        assert isinstance(value, int)
        found.setdefault(key.name.removeprefix("memory.").removesuffix("_bytes"), value)
    return found


def near(**expected: float) -> dict[str, object]:
    return {name: pytest.approx(value, rel=1e-6, abs=1) for name, value in expected.items()}


def test_new_torch_names_this_process_and_the_others() -> None:
    pasted = (
        "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
        "capacty of 24.00 GiB of which 1.00 GiB is free. Process 7 has 3.00 GiB memory in use. "
        "Including non-PyTorch memory, this process has 19.50 GiB memory in use. Of the allocated "
        "memory 18.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but "
        "unallocated."
    )
    assert numbers(pasted) == near(
        asked=2 * GIB, total=24 * GIB, free=GIB, own=19.5 * GIB, others=3 * GIB, beside=0.5 * GIB
    )


def test_where_torch_does_not_say_which_process_it_is_the_nearest_counts() -> None:
    pasted = (
        "CUDA out of memory. Tried to allocate 1.00 GiB. GPU 1 has a total capacity of 22.00 GiB "
        "of which 0.50 GiB is free. Process 1 has 2.00 GiB memory in use. Process 2 has 19.00 GiB "
        "memory in use. Of the allocated memory 18.00 GiB is allocated by PyTorch, and 0.25 GiB is "
        "reserved by PyTorch but unallocated."
    )
    assert numbers(pasted) == near(
        asked=GIB, total=22 * GIB, free=0.5 * GIB, own=19 * GIB, others=2 * GIB, beside=0.75 * GIB
    )


def test_old_torch_leaves_what_others_hold_to_the_sum() -> None:
    pasted = (
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total "
        "capacity; 1.00 GiB already allocated; 512.00 MiB free; 1.50 GiB reserved in total by "
        "PyTorch)"
    )
    assert numbers(pasted) == near(
        asked=20 * MIB, total=8 * GIB, free=512 * MIB, own=1.5 * GIB, others=6 * GIB
    )


def test_before_1_5_cached_came_on_top_of_what_was_allocated() -> None:
    pasted = (
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total "
        "capacity; 6.00 GiB already allocated; 1.00 GiB free; 0.50 GiB cached)"
    )
    assert numbers(pasted) == near(
        asked=20 * MIB, total=8 * GIB, free=GIB, own=6.5 * GIB, others=0.5 * GIB
    )


def test_tensorflow_1_says_what_was_free_before_it_began() -> None:
    assert numbers("Total memory: 8.00GiB\nFree memory: 1.00GiB") == near(
        total=8 * GIB, free=GIB, others=7 * GIB
    )
    assert numbers("totalMemory: 8.00GiB freeMemory: 7.00GiB") == near(
        total=8 * GIB, free=7 * GIB, others=GIB
    )


@pytest.mark.parametrize(
    ("pasted", "asked"),
    [
        ("failed to allocate 10.92G (11721506816 bytes) from device: CUDA_ERROR_OUT", 10.92 * GIB),
        ("Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB.", 2.2 * GIB),
        ("OOM when allocating tensor with shape[256,1024] and type float on /job", 1 * MIB),
        ("ResourceExhaustedError: OOM when allocating tensor with shape[1024,1024]", 4 * MIB),
        ("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 1048576 bytes.", MIB),
        ("cudaMalloc failed: out of memory; allocating 1024.00 MiB on device 0: x", GIB),
        ("ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 1048576 bytes", MIB),
    ],
)
def test_what_was_asked_for(pasted: str, asked: float) -> None:
    assert numbers(pasted) == near(asked=asked)


def test_cupy_and_vllm() -> None:
    cupy = "Out of memory allocating 1,048,576 bytes (allocated so far: 2,097,152 bytes)."
    assert numbers(cupy) == near(asked=MIB, own=2 * MIB)
    vllm = (
        "ValueError: Free memory on device (1.0/24.0 GiB) on startup is less than desired "
        "GPU memory utilization (0.9, 21.6 GiB)."
    )
    assert numbers(vllm) == near(total=24 * GIB, free=GIB, others=23 * GIB)


@pytest.mark.parametrize(
    "pasted",
    [
        "Total memory: 8.00GiB",
        "memory allocated: 3 GiB, all is well",
        "GPU memory: 24 GB total",
        "Tried to allocate . GiB",
        "MemoryError: Unable to allocate 1.00 GiB for an array with shape (1,)",
        "DefaultCPUAllocator: not enough memory: you tried to allocate 1048576 bytes.",
        "OOM when allocating tensor with shape[9,9] on /device:CPU:0 by allocator cpu",
        (
            "ran out of memory trying to allocate 2.20GiB. The caller indicates "
            "that this is not a failure"
        ),
    ],
)
def test_half_a_message_says_nothing(pasted: str) -> None:
    assert numbers(pasted) == {}


ACCOUNT = "Sum Total of in-use chunks: 4.71GiB\nInUse:    1048576"


@pytest.mark.parametrize(
    "failed",
    [
        "",  # a log that is cut short
        "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB",
        "shape[9] and type float on /job:localhost/device:GPU:0 by allocator GPU_0_bfc",
        "created /device:CPU:0\nAllocator (GPU_0_bfc) ran out of memory",
    ],
)
def test_the_account_of_a_gpus_allocator(failed: str) -> None:
    found = dict(memory.read(Text(f"{failed}\n{ACCOUNT}")))
    assert {said.SIGN("framework-out-of-memory"), said.MEMORY_OWN} <= set(found)


@pytest.mark.parametrize(
    "failed",
    [
        "OOM when allocating tensor with shape[9,9] on /device:CPU:0 by allocator cpu",
        "Allocator (cpu) ran out of memory trying to allocate 1.00GiB",
        "BFCAllocator dump for mklcpu",
        "Stats of gpu_host_bfc:",
    ],
)
def test_the_account_of_main_memory_is_none_of_a_gpus(failed: str) -> None:
    assert dict(memory.read(Text(f"{failed}\n{ACCOUNT}"))) == {}


@given(st.text(alphabet="0123456789., GMKiBbytes[];", max_size=200))
def test_no_text_breaks_the_reader(noise: str) -> None:
    for intro in ("Tried to allocate ", "OOM when allocating tensor with shape[", "InUse: "):
        numbers(intro + noise + " total capacity; has a total capacity of " + noise)
