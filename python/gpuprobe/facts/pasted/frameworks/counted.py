"""GPUs that a program's answer lets one count, without a number in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: Numba's list of them has no numbers.
_MANAGER = regex(r"<numba\.cuda\.cudadrv\.devices\._DeviceContextManager object at 0x")


def read(text: Text) -> Statements:
    """Numba's list, printed as it is."""
    listed = [
        (line, len(_MANAGER.findall(line.text))) for line in text.having("_devicecontextmanager")
    ]
    if count := sum(found for _, found in listed):
        yield say(said.FRAMEWORK_COUNT("numba"), count, listed[0][0])
