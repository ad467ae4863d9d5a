"""What torch warns of a GPU outside the range of its build: below it, or above it.

The warning is the same for both; only its numbers tell. A GPU above the range of its own major
number runs the code of that number, as a GB10 (12.1) does that of 12.0: there nothing fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_FOUND = regex(r"(?ai)which is of (?:cuda|compute) capability (\d{1,2}\.\d)(?!\d)")
_RANGE = regex(r"(?a)\((\d{1,2}\.\d)\) - \((\d{1,2}\.\d)\)")
#: The range follows the GPU, after a line break or three.
_AHEAD = 3


def read(text: Text) -> Statements:
    """The capability of a GPU that the build does not serve, and on which side."""
    for line, match in text.matching(_FOUND, "which is of c"):
        own, last = Version(match[1]), _last_served(text, line)
        if last is None or own < last:
            yield say(said.SIGN("torch-capability-too-old"), match[1], line)
        elif own.major != last.major:
            number = match[1].replace(".", "")
            yield say(said.SIGN("torch-capability-not-covered"), f"sm_{number}", line)
        elif own > last:
            yield say(said.NOISE("torch-warns-of-a-gpu-that-runs-its-code"), match[1], line)


def _last_served(text: Text, line: Line) -> Version | None:
    """The end of the range that torch tells; older ones told its start alone."""
    for each in (line, *text.after(line, _AHEAD)):
        found = _RANGE.search(each.text)
        if found is not None:
            return Version(found[2])
    return None
