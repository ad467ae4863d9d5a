"""What a recognised statement looks like: the row of the tables in `wordings/`."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Line, Text


@dataclass(frozen=True, slots=True)
class Sign:
    """A statement that programs make in stable words.

    `cues` are small-letter parts of the wording: a line without one of them is not looked at.
    `pattern`, where the cue alone does not decide, is searched for in the line, blind to case;
    what its groups catch is the value, else the line itself.
    """

    id: str
    means: str
    cues: tuple[str, ...]
    pattern: str = ""

    def find(self, text: Text) -> tuple[Line, str] | None:
        """The first line that makes the statement, and its value."""
        for line in text.unlike(*self.cues):
            value = self.read(line.text)
            if value is not None:
                return line, value
        return None

    def lines(self, text: Text) -> Iterator[Line]:
        """All lines that make the statement."""
        for line in text.having(*self.cues):
            if _compiled(self.pattern).search(line.text):
                yield line

    def read(self, line: str) -> str | None:
        """What a line that holds a cue states; None: not this statement."""
        if not self.pattern:
            return excerpt(line)
        matches = [*_compiled(self.pattern).finditer(line)]
        if not matches:
            return None
        caught = (" ".join(filter(None, match.groups())) for match in matches)
        value = next(filter(None, caught), "")  # what carries something comes before what does not
        # A pattern with a guard begins where the line does.
        return excerpt(value) if value else excerpt(line, matches[0].start() or matches[0].end())


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Only when a cue was met: compiling all the tables would cost more than reading a paste.
    return re.compile(pattern, re.IGNORECASE)
