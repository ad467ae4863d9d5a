"""Windows' task manager: how full the GPU's own memory is, and how much is taken of the machine's.

Where a GPU is full Windows gives its programs main memory instead of an error: they go on, and each
step waits for the bus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_FIGURES = r"(?: usage)?[:\s]{1,40}(\d{1,3}(?:[.,]\d)?) ?/ ?(\d{1,3}(?:[.,]\d)?) GB\b"
_OWN = regex(rf"(?ai)\bdedicated GPU memory{_FIGURES}")
_SHARED = regex(rf"(?ai)\bshared GPU memory{_FIGURES}")
#: The two stand one below the other, in either order.
_NEAR = 2
_FULL = 0.9
#: Less than this is shared by every program that draws.
_MUCH_GB = 1.0


def read(text: Text) -> Statements:
    """A full GPU with much of its programs' memory beside it."""
    for line, shared in text.matching(_SHARED, "shared gpu memory"):
        around = (line, *text.before(line, _NEAR), *text.after(line, _NEAR))
        full = any(_is_full(each) for each in around)
        if full and _number(shared[1]) >= _MUCH_GB:
            yield say(said.MEMORY_SPILLED, int(_number(shared[1]) * (1 << 30)), line)
            return


def _is_full(line: Line) -> bool:
    own = _OWN.search(line.text)
    return own is not None and _number(own[1]) > _FULL * _number(own[2])


def _number(figure: str) -> float:
    return float(figure.replace(",", "."))
