"""The name of a file, where the text is nothing else: ``explain("log.txt")`` is given a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

_ENDING = r"\.(?:txt|log|out|err|json|md|html?|xml|ya?ml|csv|ipynb|gz|zip)"
#: One word with such an ending, a path with one and perhaps with blanks, a path without any.
_FILE = regex(
    rf"(?i)\A(?:\S{{1,300}}{_ENDING}|(?:~|\.{{1,2}}|[a-z]:)?[/\\][^:\n]{{0,300}}{_ENDING}"
    r"|(?:~|\.{1,2})?/[\w.+/-]{1,300})\Z"
)
#: A text of more lines, empty ones included, is no name.
_LINES = 4


def read(text: Text) -> Iterator[Statement]:
    """The only line, if it is the name of a file."""
    lines = text.first(_LINES + 1)
    said_there = [line for line in lines if line.text.strip()]
    if len(lines) <= _LINES and len(said_there) == 1 and _FILE.match(said_there[0].text.strip()):
        yield say(said.FILE_NAME, said_there[0].text.strip(), said_there[0])
