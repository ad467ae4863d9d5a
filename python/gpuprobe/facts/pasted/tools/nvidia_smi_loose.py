"""Cells of nvidia-smi's table that stand alone, as grep and people leave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: The memory in use, and the share of the time in which the GPU works; and a state of its clocks
#: that is none of work.
_CELLS = regex(r"(?a)(?<!\d)\d{1,7}MiB / {1,4}\d{1,7}MiB \|\s{1,8}(\d{1,3}) ?%")
_RESTING = regex(r"(?a)\bP(?:[4-9]|1\d)\b")


def read(text: Text) -> Statements:
    """The first row, where the table's own heading is not there."""
    if "bus-id" in text:
        return
    for line, match in text.matching(_CELLS, "mib |"):
        if _RESTING.search(line.text):
            return
        yield say(names.GPU_UTILIZATION(0), int(match[1]), line)
        return
