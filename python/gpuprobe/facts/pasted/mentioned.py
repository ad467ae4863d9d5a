"""Failures that are only mentioned: by code, by an alert's condition, by speech."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..regex import regex
from .wordings.looked_for import LOOKED_FOR
from .wordings.mentions import MENTIONS_IN_FORM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Text

_LONGEST_ALERT = 8
#: A line of a comment that documents C; where such comments are, a code's number or its return.
_OF_C = regex(r"\A\s*(?:/?\*{1,2}(?:[\s/]|\Z)|\w+\s*=\s*(?:0x)?[\da-fA-F]+,|return \w+;)")
#: Below an alert's condition: what it would say.
_CONDITION = regex(r"\A\s*(?:- )?(?:expr|calc|crit|warn):")
_OF_ALERT = regex(r"\A\s*(?:[-#]|\w+:|\Z)")
_WOULD_SAY = regex(r"\A\s*(?:\w{1,24}: ?['\"].*['\"]|info: .*)\s*\Z")
_DEFINED = regex(r"\A\s*(?:def \w+\([^)]*\).*:|else:|if .*:|except.*:)\s*\Z")
_RAISED = regex(r"\A\s*raise \w+\(")


def lines_mentioned(text: Text) -> frozenset[int]:
    """The numbers of the lines that name failures without one."""
    forms = (*MENTIONS_IN_FORM, *LOOKED_FOR)
    written = (line.number for form in forms for line in form.lines(text))
    return frozenset((*written, *_of_code(text), *_of_alerts(text)))


def _of_code(text: Text) -> Iterator[int]:
    """Code that raises a failure, or documents one; a trace names the file above its lines."""
    for line, _ in text.matching(_RAISED, "raise "):
        above = text.before(line, 1)
        if above and _DEFINED.match(above[0].text):
            yield line.number
    for line, _ in text.matching(_OF_C, " *", "= ", "return ") if "/**" in text else ():
        yield line.number


def _of_alerts(text: Text) -> Iterator[int]:
    """What Prometheus' alerts would say, below their conditions."""
    for line, _ in text.matching(_CONDITION, "expr:", "calc:", "crit:", "warn:"):
        for below in text.after(line, _LONGEST_ALERT):
            if _CONDITION.match(below.text) or not _OF_ALERT.match(below.text):
                break
            if _WOULD_SAY.match(below.text):
                yield below.number
