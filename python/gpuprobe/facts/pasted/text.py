"""A pasted text, cleaned and indexed, so that readers look only at the lines that concern them.

People paste logs with colours, quoted with ``> ``, numbered, with Windows line ends. What a
line says is kept; what the way of pasting added is taken off. Reading is linear in the input:
a reader names the words that it is interested in (its cues) and gets the lines that hold them,
found by plain substring search.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A longer line is cut: nothing that is read here stands so far to the right.
LINE_LIMIT = 4000

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\u200b\ufeff]")
_QUOTE = re.compile(r"\A(?:>[ \t])+|\A>\Z")
_PROCESS = re.compile(r"\A\((?:[\w.-]+ )*pid=\d+[^)\n]{0,40}\) ?")
_NUMBER = re.compile(r"\A[ \t]*(\d{1,7})(?:[ \t]*[:|│][ \t]?|\t)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the text; `number` counts from 1 as the reporter's editor does."""

    number: int
    text: str

    @property
    def source(self) -> str:
        """Where a fact that this line states was read."""
        return f"line {self.number} of the text"


class Text:
    """The cleaned lines, and a case-blind index over them."""

    __slots__ = ("_folded", "_starts", "lines")

    def __init__(self, pasted: str) -> None:
        self.lines = _clean(pasted)
        self._folded = "\n".join(line.text for line in self.lines).lower()
        self._starts = [0, *(at.end() for at in re.finditer("\n", self._folded))]

    def __contains__(self, cue: str) -> bool:
        return cue in self._folded

    def having(self, *cues: str) -> Iterator[Line]:
        """The lines that hold one of these lower-case words, each once, in order."""
        numbers = {index for cue in cues for index in self._find(cue)}
        return (self.lines[index] for index in sorted(numbers))

    def after(self, line: Line, count: int) -> tuple[Line, ...]:
        """Up to `count` lines that follow `line`."""
        at = bisect.bisect_right(self.lines, line.number, key=lambda each: each.number)
        return self.lines[at : at + count]

    def _find(self, cue: str) -> Iterator[int]:
        at = self._folded.find(cue)
        while at >= 0:
            index = bisect.bisect_right(self._starts, at) - 1
            yield index
            if index + 1 == len(self._starts):
                return
            at = self._folded.find(cue, self._starts[index + 1])


def _clean(pasted: str) -> tuple[Line, ...]:
    plain = _CONTROL.sub("", _ANSI.sub("", pasted.replace("\r\n", "\n")))
    texts = [
        _unwrap(text[:LINE_LIMIT]) for text in re.split(r"[\n\x0b\x0c\r\x85\u2028\u2029]", plain)
    ]
    if _is_numbered(texts):
        texts = [_NUMBER.sub("", text, count=1) for text in texts]
    return tuple(Line(number, text) for number, text in enumerate(texts, start=1))


def _unwrap(text: str) -> str:
    return _PROCESS.sub("", _QUOTE.sub("", text, count=1), count=1).rstrip()


_FEWEST_NUMBERED = 3


def _is_numbered(texts: list[str]) -> bool:
    """Whether an editor or ``cat -n`` numbered the lines: nearly all start with a count."""
    filled = [text for text in texts if text]
    found = [int(match[1]) for text in filled if (match := _NUMBER.match(text))]
    steps = sum(later - former == 1 for former, later in pairwise(found))
    if len(found) < max(_FEWEST_NUMBERED, 0.9 * len(filled)):
        return False
    return steps >= 0.8 * (len(found) - 1)
