"""gpustat: ``[0] Tesla V100-SXM2-16GB | 44'C,   0 % | 15836 / 16130 MB | alice(15820M)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

#: Of the second cell only the sign of the degrees is sure; fan, power and engines are asked for.
_ROW = regex(
    r"(?a)\A\s*\[(?P<gpu>\d{1,2})\] (?P<name>[A-Z][^|]{2,60}?)\s*\|[^|]{0,12}C,[^|]{0,60}\|"
    r"\s*(?P<used>\d{1,7}) ?/ {0,4}(?P<total>\d{1,7}) MB\s*\|?(?P<users>.*)"
)
#: "host  Mon Jan  6 12:00:00 2020  440.33.01", above the rows.
_HEAD = regex(r"(?a)\d\d:\d\d:\d\d (?:[AP]M )?\d{4}\s+(\d{3}(?:\.\d{2,3}){1,2})\s*\Z")
_USER = regex(r"([\w.:/-]{1,40})\((\d{1,7})M\)")
_MIB = 1 << 20


def read(text: Text) -> Statements:
    """Each GPU with its memory and who holds it; the driver, where the heading is there."""
    listed: dict[str, Line] = {}
    for line, match in text.matching(_ROW, " mb "):
        listed.setdefault(match["gpu"], line)
        yield from _gpu(match, line)
    if not listed:
        return
    first = next(iter(listed.values()))
    yield say(names.NVML_COUNT, len(listed), first)
    for line in text.before(first, 1):
        if head := _HEAD.search(line.text):
            yield say(names.DRIVER_VERSION, Version(head[1]), line)


def _gpu(match: re.Match[str], line: Line) -> Statements:
    gpu, used, total = match["gpu"], int(match["used"]) * _MIB, int(match["total"]) * _MIB
    yield say(names.GPU_NAME(gpu), match["name"].strip(), line)
    yield say(names.GPU_MEMORY(gpu), total, line)
    yield say(names.GPU_MEMORY_FREE(gpu), total - used, line)
    holders = _USER.findall(match["users"])
    if holders:
        told = tuple(f"{user}: {held} MiB" for user, held in holders)
        yield say(names.GPU_PROCESSES(gpu), told, line)
        held_by_all = sum(int(held) for _, held in holders) * _MIB
        yield say(names.GPU_PROCESS_BYTES(gpu), held_by_all, line)
