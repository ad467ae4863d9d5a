"""The arena on a real card: memory comes from the device and goes back, and streams keep order."""

from __future__ import annotations

import json
import os

from support.child import run_python

BEGIN = """
import json
from gpuprobe import memory
from gpuprobe.memory.arenas import allocate
from support.contract import *
MIB = 1 << 20
memory.set_limit(256 * MIB)
warm = allocate(1)
driver, _ = in_context()
def room():
    free = Size()
    same("info", driver("cuMemGetInfo_v2", byref(free), byref(Size())), 0)
    return free.value
"""


def shown(code: str) -> list[object]:
    done = run_python(os.environ, "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_memory_comes_from_the_device_and_goes_back():
    code = """
before = room()
block = allocate(200 * MIB)
during = room()
del block
freed = memory.trim()
print(json.dumps([before - during, freed, room() - during, memory.stats().backing]))
"""
    taken, freed, returned, backing = shown(code)
    assert backing in {"vmm", "chunks"}
    assert (taken, returned) == (freed, freed)


def test_more_than_the_limit_is_refused_with_the_devices_numbers():
    code = """
try:
    allocate(257 * MIB)
except memory.OutOfMemory as error:
    lacking = error.shortage
    print(json.dumps([lacking.is_limit, lacking.device_free_bytes, lacking.device_total_bytes]))
"""
    is_limit, free, total = shown(code)
    assert is_limit is True
    assert isinstance(free, int)
    assert isinstance(total, int)
    assert 0 < free < total


def test_no_stream_writes_into_what_another_still_reads():
    """Each stream fills its block and copies the ends out; a block given away too early shows."""
    code = """
streams = [Pointer() for _ in range(4)]
for each in streams:
    same("stream", driver("cuStreamCreate", byref(each), NON_BLOCKING), 0)
size, turns = 60 * MIB, 200
got = create_string_buffer(2 * turns)
for turn in range(turns):
    stream = streams[turn % len(streams)]
    block = allocate(size, stream=stream.value)
    ends = (block.address, block.address + size - 1)
    same("fill", driver("cuMemsetD8Async", Pointer(ends[0]), turn % 251, Size(size), stream), 0)
    for place, end in zip((2 * turn, 2 * turn + 1), ends):
        target = Pointer(ctypes.addressof(got) + place)
        same("out", driver("cuMemcpyDtoHAsync_v2", target, Pointer(end), Size(1), stream), 0)
    del block
same("synchronize", driver("cuCtxSynchronize"), 0)
wrong = [n for n, each in enumerate(got.raw) if each != n // 2 % 251]
print(json.dumps([wrong, memory.stats().reserved_bytes <= 256 * MIB]))
"""
    assert shown(code) == [[], True]
