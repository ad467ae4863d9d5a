"""Where somebody goes on to something else: sentences that introduce what stands below them.

What works below such a line may be another machine, another environment or a smaller work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_INTRODUCES = regex(r"\s{0,3}(?:[-*#>] |\*\*)?[A-Za-z][a-z']{0,20}[ ,][^\n]{2,160}:\Z")
_COMPARES = regex(
    r"\s{0,3}(?:[-*] )?(?:The|[A-Z][^\n]{0,80}\bthe) same (?:\w+ ){0,2}?"
    r"(?:script|thing|image|program|code|command|env\w*|file|job|run|test)\b"
)
_OF_PROGRAM = regex(
    r"\w(?:Error|Exception|Warning)\b|\d\d:\d\d|Traceback|\.py(?::\d|\", line)|\bwarning:"
)
#: What the same machine does at another time is nothing else.
_OF_NOW = regex(r"(?i)\b(?:today|this morning|since then|(?:state|status|is) now|heute)\b")
_MOST = 20


def read(text: Text) -> Statements:
    """At most one statement: the numbers of the first such lines."""
    turns = [line for line in text.having(":", "he same ") if _is_turn(line.text.rstrip(" *`"))]
    if turns:
        yield say(said.TURNS, tuple(str(line.number) for line in turns[:_MOST]), turns[0])


def _is_turn(line: str) -> bool:
    turn = _INTRODUCES.match(line) if line.endswith(":") else _COMPARES.match(line)
    return turn is not None and not _OF_PROGRAM.search(line) and not _OF_NOW.search(line)
