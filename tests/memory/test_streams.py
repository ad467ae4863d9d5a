"""Memory that goes from stream to stream, on the fake driver, which knows who was to wait."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from support.arenas import BEGIN, ONE_CARD, SMALL, result
from support.child import printed
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

STREAMS = """
from support.contract import *
driver = cuda()
warm = allocate(1)  # starts CUDA
context, current = Pointer(), Pointer(1)
driver("cuDevicePrimaryCtxRetain", byref(context), 0)
driver("cuCtxPushCurrent_v2", context)
first, second = Pointer(), Pointer()
for each in (first, second):
    driver("cuStreamCreate", byref(each), NON_BLOCKING)
def fill(block, stream):
    assert driver("cuMemsetD8Async", Pointer(block.address), 0, Size(block.size), stream) == 0
def end():
    for each in (first, second):
        driver("cuStreamDestroy_v2", each)
    driver("cuCtxPopCurrent_v2", byref(current))
    driver("cuDevicePrimaryCtxRelease_v2", 0)
"""


@pytest.mark.parametrize("vmm", [True, False])
def test_memory_goes_from_stream_to_stream_in_order(vmm: bool, fakes: Fakes, tmp_path: Path):
    """The fake driver ends a process that uses memory before another stream is ready."""
    code = """
memory.set_limit(96 * MIB)
""" + STREAMS + """
seen = set()
for turn in range(12):
    stream = (first, second)[turn % 2]
    block = allocate(31 * MIB, stream=stream.value)
    seen.add(block.address)
    fill(block, stream)
    del block
big = allocate(60 * MIB, stream=first.value)
fill(big, first)
big.share(second.value)
driver("cuStreamSynchronize", first)
fill(big, second)
del big
again = allocate(60 * MIB, stream=first.value)
fill(again, first)
del again
show(len(seen) < 4, memory.stats().backing, memory.trim() > 0)
end()
"""  # fmt: skip
    machine = replace(ONE_CARD, gpus=(replace(SMALL, vmm=vmm),))
    backing = "vmm" if vmm else "chunks"
    assert result(machine, fakes, tmp_path, code) == [True, backing, True]


def test_any_number_of_streams_get_memory_in_order(fakes: Fakes, tmp_path: Path):
    """More than an arena tells apart, one after the other, at once, and all on one block."""
    code = """
memory.set_limit(96 * MIB)
""" + STREAMS + """
many = [Pointer() for _ in range(100)]
for each in many:
    driver("cuStreamCreate", byref(each), NON_BLOCKING)
def used_on(stream, size=1000):
    block = allocate(size, stream=stream.value)
    fill(block, stream)
    return block
for each in many:
    used_on(each)
for _ in range(2):
    kept = [used_on(each) for each in many]
    del kept
shared = used_on(first, 60 * MIB)
for before, each in zip([first, *many], many):
    driver("cuStreamSynchronize", before)
    shared.share(each.value)
    fill(shared, each)
del shared
used_on(first, 60 * MIB)
show(memory.stats().blocks, memory.trim() > 0)
for each in many:
    driver("cuStreamDestroy_v2", each)
end()
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [1, True]


def test_the_callers_context_stays_current(fakes: Fakes, tmp_path: Path):
    code = STREAMS + """
block = allocate(200 * MIB); del block; memory.trim()
driver("cuCtxGetCurrent", byref(current))
mine = current.value == context.value
end()
driver("cuCtxGetCurrent", byref(current))
block = allocate(200 * MIB); del block; memory.trim()
driver("cuCtxGetCurrent", byref(current))
show(mine, current.value)
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, None]


def test_a_stream_that_is_gone_is_in_nobodys_way(fakes: Fakes, tmp_path: Path):
    machine = replace(ONE_CARD, faults={"cuEventRecord": 400})
    code = """
memory.set_limit(100 * MIB)
allocate(MIB)
grown = allocate(60 * MIB)
del grown
other = allocate(90 * MIB, stream=2)
del other
show(memory.stats().growths, memory.stats().shortages, memory.trim() > 0)
"""
    assert result(machine, fakes, tmp_path, code) == [3, 0, True]


def test_a_driver_that_fails_at_the_limit_is_not_called_full(fakes: Fakes, tmp_path: Path):
    machine = replace(ONE_CARD, faults={"cuEventSynchronize": 700})
    code = """
import os
memory.set_limit(64 * MIB)
""" + STREAMS + """
block = allocate(40 * MIB, stream=first.value)
fill(block, first)
del block
show(raised(allocate, 60 * MIB, stream=second.value), memory.stats().shortages)
os._exit(0)
"""  # fmt: skip
    (name, text), shortages = printed(stage(machine, fakes, tmp_path), BEGIN + code)  # type: ignore[misc]
    assert name == "DriverError"
    assert "cuEventSynchronize failed with CUDA_ERROR_ILLEGAL_ADDRESS (700)" in text
    assert "start it anew" in text
    assert shortages == 0
