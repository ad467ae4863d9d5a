"""Lines that a window or a letter broke at its width, put together again.

A line is full where the next word would not have fitted any more; a terminal cuts it wherever its
width is. That several lines end so at one width, and none is longer, tells that there was one.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from ..regex import regex
from .prompts import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A longer line is cut, and none so long is made: nothing that is read stands so far to the right.
LINE_LIMIT = 4000
#: Narrower ones are columns, and lists of short lines are as long by chance.
_NARROWEST = 60
#: So many lines have to be full, or cut wherever the width was: the longest one always is.
_FEWEST_FULL, _FEWEST_CUT = 2, 3
#: Frames of tables and rules, which are as wide as what is in them.
_TABLE = regex(r"\A\s*[|+│┃╭╰─━=*#_-]{1,2}(?:\s|[-=+|─━*#_]|\Z)")
#: How entries of a log, of a shell and of a list begin, wherever the line before them ended.
_ENTRY = regex(
    r"""(?x)\A(?:
        [|+│┃$%#>*•·✓✗✖-]\s?
      | \[?\(?\d{2,4}[-:/.]\d\d
      | [IWEFDN]\d{4}\s | [IWEF]\ \S+\.\w+:\d+ | \[
      | (?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|Traceback|Collecting|Requirement|Installing)\b
      | \s*File\s" | [\w.-]+@[\w.-]+[:\s]
    )"""
)
#: How a line of code or of a form begins, and, where words were broken by chance, the rest of one.
_STATEMENT = regex(
    r"""(?x)\A(?:
        \s | @ | (?:[A-Z][\w./() -]{0,40}|[\w.\[\]-]+):(?:\s|\Z) | nvcc\s | [\w.\[\]'"]+\s?=\s?
      | (?:import|from|def|class|return|raise|if|for|with|print)\b
    )"""
)
#: How a line ends that goes no farther, however full it is.
_END = regex(r"""[:;.!?"'`)\]}]\Z|, in [\w.<>]+\Z""")
#: Cells of a table that has no frame.
_COLUMNS = regex(r"\S\s{2,}\S.*?\s\s\S")
#: Lines that begin alike are rows of one list.
_ALIKE = 8


def joined(texts: list[str]) -> list[str]:
    """The lines, where what was broken is one again, and empty ones stand for its other parts."""
    width = _width(texts)
    if width < _NARROWEST:
        return texts
    ends = [
        (at, text, after)
        for at, text, after in _long_pairs(texts, width)
        if after and _has_no_room(text, after, width) and _may_go_on(text, after)
    ]
    cut = [at for at, text, _ in ends if len(text) == width]
    if len(cut) >= _FEWEST_CUT:
        return _put_together(texts, cut, "")
    full = [at for at, text, after in ends if _is_sentence(text, after)]
    return _put_together(texts, full, " ") if len(full) >= _FEWEST_FULL else texts


def _width(texts: list[str]) -> int:
    """The length of the longest line that is no part of a table."""
    width = 0
    for text in texts:
        if len(text) > width and not _TABLE.match(text):
            width = len(text)
    return width


def _long_pairs(texts: list[str], width: int) -> Iterator[tuple[int, str, str]]:
    """Each line with the next one, where that would not have fitted as a whole."""
    lengths = [*map(len, texts)]
    for at, length in enumerate(map(add, lengths, lengths[1:])):
        if length >= width:
            yield at, texts[at], texts[at + 1]


def _has_no_room(text: str, after: str, width: int) -> bool:
    """Whether the next word would not have fitted any more."""
    return len(text) + 1 + len(after.partition(" ")[0]) > width


def _may_go_on(text: str, after: str) -> bool:
    entry = _TABLE.match(text) or _ENTRY.match(after)
    columns = _COLUMNS.search(text) and _COLUMNS.search(after)
    return not (entry or columns) and text[:_ALIKE] != after[:_ALIKE]


def _is_sentence(text: str, after: str) -> bool:
    """Whether the one is no end, and the other no beginning, of a line of its own."""
    apart = _END.search(text) or _STATEMENT.match(after) or _COLUMNS.search(text)
    return apart is None and typed(text) is None


def _put_together(texts: list[str], broken: list[int], between: str) -> list[str]:
    """Each run of parts as one line; the part that would make it too long begins another."""
    ends: dict[int, int] = {}
    start = end = length = 0
    for number in broken:
        if number >= end:
            start, end, length = number, number + 1, len(texts[number])
        length += len(between) + len(texts[number + 1])
        if length <= LINE_LIMIT:
            end = ends[start] = number + 2
    whole = list(texts)
    for start, end in ends.items():
        whole[start:end] = [between.join(texts[start:end]), *([""] * (end - start - 1))]
    return whole
