"""A GPU that is held at some watts, and how many are its own, as somebody tells of both.

"GPU power is stuck at 55 W, though its TGP is 140 W": the two numbers may stand in one sentence or
in two. A limit that its owner has chosen is no fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: The higher one of "40-45 W"; a tilde, an asterisk or a bracket may stand in front of it.
_WATTS = (
    r"\W{0,4}(?<![\d.])(?:\d{2,3} ?(?:[-\u2013~]|or|to) ?)?(\d{2,3})(?:\.\d{1,2})? ?W(?:atts?)?\b"
)
#: What takes the power.
_CARD = regex(r"(?i)\b(?:d?gpus?|cards?|graphics|[GR]TX ?\d{3,4})\b")
_HELD = regex(
    r"(?i)(?:\b(?:limited|(?:hard-?)?capped|stuck|held|locked|pinned)\b(?: \w+)?? (?:to|at|around)"
    r"(?: around| about| only| just)?"
    r"|\b(?:never|refuses? to|does(?: not|n't)|do(?: not|n't)|can(?:not|'t)|won't)\b[^.\n\d]{0,12}?"
    r"\b(?:go(?:es)?|draws?|pulls?|takes?|gets?|exceeds?)\b(?: (?:above|over|beyond|past|more than"
    r"|any more than))?(?: around| about)?"
    r"|\b(?:power )?draw(?: of (?:the|my) gpu)?(?: is| was| stays) (?:only|just)"
    r"|\b(?:goes|falls|drops|reverts|resets) (?:back|down) to(?: around| about| only)?"
    rf"|\bno matter the load\b[^.\d\n]{{0,60}}){_WATTS}"
)
#: The same where work is told of in the same line, so that no other number is needed.
_AT_MOST = regex(
    rf"(?i)\b(?:refuses? to (?:draw|pull|take) more than|(?:draw|pull|take)s?(?: only| just)?)"
    rf"{_WATTS}"
)
_MOST = regex(r"(?i)\b(?:refuses?|at most|at max|maximum|only|just|never)\b")
_AT_WORK = regex(
    r"(?i)\b(?:full|maximum|any|heavy)(?: \w+)? load\b|\bunder load\b|(?<![\d.])(?:9\d|100) ?%"
)
_OWN = regex(
    r"(?i)(?:\b(?:max(?:imum)?|TGP|TDP|made for|rated (?:for|at)|official|default|usual"
    r"|normal(?:ly)?|can (?:go|take|draw|use|reach)|sustains?|power limit of|on Windows)\b"
    rf"[^.;\d\n]{{0,40}}?{_WATTS}"
    rf"|{_WATTS}[ *)]{{0,3}}(?:[^.;,\d\n]{{0,12}}\b(?:TDP|TGP|normally|max(?:imum)?|should)\b))"
)
#: Who has chosen it, or asks for it; and a GPU that rests.
_CHOSEN = regex(
    r"(?i)\b(?:if|unless|would|might|idl\w+|on purpose|deliberate\w*|undervolt\w*"
    r"|(?:I|we)(?:'ve| have)? (?:\w+ )?(?:set|limit(?:ed)?|cap(?:ped)?|lower(?:ed)?|chose))\b"
)
_CHOSEN_AFTER = regex(
    r"(?i)\A[^.\n]{0,40}(?:\?|\b(?:by (?:me|us)|on purpose|deliberate\w*|to save|to keep|I want)\b)"
)
#: Another part of the machine.
_OTHERS = regex(r"(?i)\b(?:cpu|psu|power supply|charger|adapter|fan)\b")
#: Less than this share of its own is felt, as the rule for nvidia-smi's limits has it.
_MUCH_LOWER = 0.8
_LONGEST = 600


def read(text: Text) -> Statements:
    """At how many watts it is held, where that is far below its own or told of a busy GPU."""
    held = tuple(_held(text))
    own = max(_own(text), default=0) if held else 0
    for line, watts in held:
        if watts < _MUCH_LOWER * own:
            yield say(said.SIGN("told-power-of"), f"{watts} W of the {own} W", line)
            return
    for line, watts in held:
        if not own and _AT_WORK.search(line.text) and _MOST.search(line.text):
            yield say(said.SIGN("told-power-held"), f"{watts}", line)


def _lines(text: Text) -> Iterator[Line]:
    for line in text.unlike("w"):
        if len(line.text) <= _LONGEST and not _OTHERS.search(line.text):
            yield line


def _held(text: Text) -> Iterator[tuple[Line, int]]:
    if not text.shows(_CARD, "gpu", "card", "graphics", "gtx", "rtx"):
        return
    for line in _lines(text):
        found = _HELD.search(line.text) or _AT_MOST.search(line.text)
        if found is None:
            continue
        clause = line.text[: found.end()].rpartition(". ")[2]
        if not (_CHOSEN.search(clause) or _CHOSEN_AFTER.match(line.text[found.end() :])):
            yield line, int(found[1])


def _own(text: Text) -> Iterator[int]:
    for line in _lines(text):
        for found in _OWN.finditer(line.text):
            yield int(next(filter(None, found.groups())))
