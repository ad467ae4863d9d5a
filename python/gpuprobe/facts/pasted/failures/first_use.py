"""How long the same step took, each time that a program printed it: minutes first, then nothing.

So it goes where the driver has to compile a build's code for the GPU before the first kernel runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_CLOCKS = ("datetime.now()", "timedelta(")
_ON_GPU = (".cuda(", ".to(", "device='cuda", 'device="cuda')
#: As Python prints a difference of times, mostly behind a number: "0 0:02:01.451538".
_DURATION = regex(r"(?a)\A\W{0,3}(?:\w{1,12}\W{1,3}){0,3}?(\d):(\d\d):(\d\d\.\d{6})\W{0,2}\Z")
_CUES = tuple(f"{hours}:{ten}" for hours in range(2) for ten in range(6))
_LONG, _SHORT = 60.0, 1.0


def read(text: Text) -> Statements:
    """A first step of minutes before one of less than a second, in a text that times the GPU."""
    if not any(each in text for each in _CLOCKS) or not any(each in text for each in _ON_GPU):
        return
    for line in text.having(*_CUES):
        following = text.after(line, 1)
        first = _seconds(line)
        second = _seconds(following[0]) if following else None
        if first is not None and second is not None and first >= _LONG and second <= _SHORT:
            yield say(said.SIGN("told-slow-copy"), f"{first / 60:.0f} minutes", line)
            return


def _seconds(line: Line) -> float | None:
    match = _DURATION.match(line.text)
    if match is None:
        return None
    return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
