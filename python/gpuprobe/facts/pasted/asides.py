"""What a text says beside its matter: of another time or machine, of the manual, of what is known.

People who ask about something else quote what they do not ask about: the message of before the
repair, a colleague's trace, the sentence of a manual. Such lines are told apart here by how they
are introduced (`wordings/asides.py`). Whether to believe the introduction is not decided here:
where nothing else shows the GPU at work, an aside may be all that there is of a fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import said
from ..model import Fact, Known, Value
from ..regex import regex
from .prompts import command_of
from .wordings.asides import ANSWER, DISMISSALS, FEWEST_ANSWERS, INTRODUCTIONS, MENTIONS, SUBJECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .merge import Found
    from .sign import Sign
    from .text import Line, Text

#: A quotation that is longer than this is no aside any more.
LONGEST = 30

_FENCE = "```"
#: How a line ends that introduces those below it.
_GOES_ON = regex(
    r"(?i)(?::|\b(?:reads?|says?|said|was|had|shows|block|writes|wrote|asks|asked|posted|pasted)"
    r"|yesterday's)\W{0,2}\Z"
    r"|\bis (?:that )?the message\W{0,2}\Z|\blog,?[^\n]{0,40}-{3}\Z|\bbelow[^\n]{0,160}\Z"
)
#: Or what the writer himself shows.
_OWN = regex(r"(?i)\b(?:on mine|for me|I (?:get|got|see))\W{0,2}\Z")
#: A message that the introduction quotes itself does not go on below.
_QUOTES = regex(
    r"(?i)\"[^\"\n]{0,200}\b(?:\w*error|failed|cannot|no)\b[^\"\n]{0,200}\""
    r"(?![^\"\n]{0,80}\b(?:pasted|posted|attached|sent)\b[^\"\n]{0,60}:\W{0,2}\Z)"
)
#: A program's message behind what introduces it, and not in quotes, is what happens here.
_UNQUOTED = regex(
    r"(?:\A|[^\w\s\"`] |[\"`]\W{1,3}|\bsays? )"
    r"(?:[\w.]{1,80}(?:Error|Exception): |(?:\[ *[\d.]+\] )?NVRM: )[^\"`\n]*\Z"
)
#: How one begins that comes back to the matter.
_NOW = regex(
    r"(?i)\A\W{0,4}(?:today|mine|now|current|my own|here|this (?:morning|machine)|update|edit)\b"
)
#: What Ansible goes on after, as its play says it may.
_FATAL = regex(r"(?:fatal|failed): \[")
_IGNORING = regex(r"\A\.\.\.ignoring\s*\Z")


def lines_aside(text: Text) -> frozenset[int]:
    """The numbers of the lines that are introduced as something beside the matter."""
    found = {line.number for sign in DISMISSALS for line in sign.lines(text)}
    found.update(line.number for line in _sentences(text, MENTIONS))
    found.update(_ignored(text))
    for line in _sentences(text, INTRODUCTIONS):
        found.add(line.number)
        own = _OWN.search(line.text) or _QUOTES.search(line.text)
        if _GOES_ON.search(line.text) and not own:
            found.update(_quoted(text, line))
    if found:
        found.update(line.number for line in SUBJECT.lines(text))
    answers = [line.number for line in ANSWER.lines(text)]
    if len(answers) >= FEWEST_ANSWERS:
        found.update(answers)
    return frozenset(found)


def _ignored(text: Text) -> Iterator[int]:
    """The failures of tasks that may fail."""
    for line, _ in text.matching(_IGNORING, "...ignoring"):
        yield from (each.number for each in text.before(line, 1) if _FATAL.match(each.text))


def _sentences(text: Text, signs: tuple[Sign, ...]) -> Iterator[Line]:
    """The lines that hold one of `signs`, and no message of their own behind it."""
    for sign in signs:
        yield from (line for line in sign.lines(text) if not _UNQUOTED.search(line.text))


def _quoted(text: Text, head: Line) -> Iterator[int]:
    """The lines of what a line introduces: a fenced block, or up to the next empty line."""
    begun = fenced = False
    for line in text.after(head, LONGEST):
        filled = bool(line.text.strip())
        if begun and (_FENCE in line.text if fenced else not filled or _NOW.match(line.text)):
            return
        if begun and not fenced and command_of(line) is not None:
            return  # the quoted command's output ends with the next one
        if filled and not begun:
            begun, fenced = True, line.text.lstrip().startswith(_FENCE)
        if filled:
            yield line.number


def join(facts: Found, rest: Mapping[str, Fact[Value]], aside: frozenset[int]) -> None:
    """Take from the reading without asides what stands there too, and say which lines they are."""
    for name, fact in rest.items():
        # A GPU's number may be another one's there.
        if not name.startswith("gpu.") or _value(facts.get(name)) == _value(fact):
            facts[name] = fact
    numbers = tuple(str(number) for number in sorted(aside))
    facts[said.ASIDES.name] = Known(numbers, f"line {numbers[0]} of the text")


def _value(fact: Fact[Value] | None) -> object:
    return fact.value if isinstance(fact, Known) else None
