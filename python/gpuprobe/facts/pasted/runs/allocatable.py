"""What kubectl answers who asks each node for its GPUs, in a column of their own."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..prompts import command_of
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Line, Text

_ASKED = regex(
    r"\bkubectl get no(?:des?)?\b[^\n]{0,80}\bcustom-columns=[^\n]{0,120}"
    r":\.?status\.(?:allocatable|capacity)\.['\"]?nvidia\\{1,2}\.com/gpu['\"]?\s*\Z"
)
_NODES = 64
#: A node's row, by its last column; the heading above them has capital letters alone.
_ROW = regex(r"\A\s*(?:[\w.-]{1,80}\s+){0,4}(<none>|\d{1,3})\s*\Z")
_HEADING = regex(r"\A\s*[A-Z][A-Zs _-]{0,60}\s*\Z")


def read(text: Text) -> Iterator[Statement]:
    """Said where none of the nodes has any: one that controls the others seldom has."""
    for line, _ in text.matching(_ASKED, "custom-columns"):
        below = (each for each in text.after(line, _NODES) if not _HEADING.match(each.text))
        rows = [_ROW.match(each.text) for each in takewhile(_is_row, below)]
        if rows and all(row is not None and row[1] == "<none>" for row in rows):
            yield say(said.SIGN("k8s-no-gpu-resource"), excerpt(line.text), line)


def _is_row(line: Line) -> bool:
    return command_of(line) is None and _ROW.match(line.text) is not None
