"""The words of an allocation that found no memory."""

from __future__ import annotations

import pytest

from gpuprobe.memory import Holders, OutOfMemory, Shortage
from gpuprobe.memory.errors import failure_in_words

MIB = 1 << 20


@pytest.mark.parametrize(("total_bytes", "way_out"), [
    (1024 * MIB, "Raise it with gpuprobe.memory.set_limit()"),
    (64 * MIB, "Free arrays, or end a process"),
    (None, "Raise it with gpuprobe.memory.set_limit()"),
])  # fmt: skip
def test_a_limit_can_be_raised_unless_it_is_the_whole_device(total_bytes: int | None, way_out: str):
    lacking = Shortage(
        is_limit=True,
        asked_bytes=MIB,
        limit_bytes=64 * MIB,
        in_use_bytes=64 * MIB,
        reserved_bytes=64 * MIB,
        largest_free_bytes=0,
        device_total_bytes=total_bytes,
    )
    assert str(OutOfMemory(0, lacking, Holders(0))).splitlines()[-1].startswith(way_out)


def test_a_function_that_a_library_lacks_is_said_to_be_missing():
    core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
    error = core.ArenaError("symbol", "cuMemHostAlloc", 0, "", None, None)
    told = "cuMemHostAlloc failed: the library has no such function. `gpuprobe` finds out why."
    assert failure_in_words(error) == told
