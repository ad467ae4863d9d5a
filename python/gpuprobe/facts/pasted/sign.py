"""What a recognised statement looks like: the row of the tables in `wordings/`."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .text import Line, Text

#: What is kept of a line as a statement's value.
VALUE_LIMIT = 240


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
        for line in text.having(*self.cues):
            value = self.read(line.text)
            if value is not None:
                return line, value
        return None

    def read(self, line: str) -> str | None:
        """What a line that holds a cue states; None: not this statement."""
        if not self.pattern:
            return line.strip()[:VALUE_LIMIT]
        match = _compiled(self.pattern).search(line)
        if match is None:
            return None
        caught = " ".join(group.strip() for group in match.groups() if group)
        return (caught or line.strip())[:VALUE_LIMIT]


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Only when a cue was met: compiling all the tables would cost more than reading a paste.
    return re.compile(pattern, re.IGNORECASE)
