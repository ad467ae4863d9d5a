"""What a text says beside its matter: of another time or machine, of the manual, of what is known.

People who ask about something else quote what they do not ask about: the message of before the
repair, a colleague's trace, the sentence of a manual. Such lines are told apart here by how they
are introduced. Whether to believe the introduction is not decided here: where nothing else shows
the GPU at work, an aside may be all that there is of a fault.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from ..model import Known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..model import Fact, Value
    from .merge import Found
    from .text import Line, Text

#: A quotation that is longer than this is no aside any more.
LONGEST = 30

_PIECE = r"(?:output|log|logs|error|errors|message|trace|traceback|report|post|question|comment)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_PAGE = (
    r"(?:docs?|documentation|readme(?:\.\w{2,4})?|release\snotes?|change\s?log|faq|wiki|manual"
    r"|tutorial|man\s?page|guide|page|article|docstring)"
)
_PERSON = (
    r"(?:his|her|their|(?:a|my|the|our)\s"
    r"(?:colleague|lab\s?mate|customer|friend|student|user|client|previous\s\w+)(?:'s)?)"
)

#: Begins a quotation, which goes on below where the line ends with it.
_INTRODUCED = re.compile(
    rf"""(?ix)
    # of another time
    \b(?:yesterday|last\s(?:week|month|year|night|time)|(?:the|my)\s(?:first|original|previous|old|earlier))
      (?:'s)?\s(?:\w+\s)?{_PIECE}\s?(?:was|were|said|read|showed|had|:|\Z)
  | \byesterday's\W{{0,3}}\Z
  | \b(?:first|original|old|previous)\spost\s(?:said|was|had)\b
  | \b(?:used\sto|it\shad|i'd\shad|i\shad\shad)
      (?:\s(?:say|print|fail|give|show|throw|crash|get)\b|\W{{0,2}}\Z)
  | \b(?:in|on|last)\s{_MONTH}\b.{{0,40}}\bI\s(?:had\s)?(?:posted|reported|wrote|asked|got|saw)\b
  | \b(?:only\sfor\shistory|for\sposterity)\b
  | \A\W*before\b[^\n]{{0,40}}:\Z
    # of somebody else
  | \A\W*@[\w-]+\s(?:wrote|said)\b
  | \b(?:sent|forwarded|mailed)\s(?:us|me)\b[^\n]{{0,60}}\b(?:below|this|following)\b
  | \b(?:mails?|messages|tickets?|reports?)\slike\sthis\b
  | \b(?:begin|start)\s(?:of\s)?(?:\w+\s)?(?:customer|quoted?|user|forwarded)\b
  | \b{_PERSON}\b[^.?]{{0,100}}:\Z
  | \b{_PERSON}\s(?:got|gets|has|had|sees|saw|claims?)\s[^\n]{{0,60}}["'`]
  | \bticket\b[^.?]{{0,80}}:\Z
    # of a text
  | \b{_PAGE}\b.{{0,60}}\b(?:says?|reads?|shows?|states?|mentions?|quotes?)\b
  | \bin\sthe\s{_PAGE}\W{{0,3}}\Z
  | \b(?:from|in)\sthe\s(?:linked\s)?(?:issue|thread|ticket|discussion)
      \s(?:linked\s)?(?:there|here)\b
  | \b{_PAGE}\W{{0,2}}:\Z
    """
)
#: Is said of the very line.
_DISMISSED = re.compile(
    r"""(?ix)
    (?:\b|\W)(?:ignore|skip)\s(?:it|this|that|this\sline|that\sline|them)\b
  | ,\s(?:please\s)?ignore\W*\Z
  | \bof\scourse\s(?:says|gives|fails|prints|errors|refuses|complains)\b
  | \bthat\sis\sclear\sto\sme\b
  | (?<!\bnot\s)\((?:as\s)?(?:expected|intended)\)
  | \bnot\sthis\s(?:question|issue|machine|problem)\b
  | \b(?:I|we)\s(?:do\snot|don't|did\snot|didn't|never)\s(?:have|get|got|see|saw|had)
      \s(?:the|that|this|any)\b
  | 没有?出现
  | \bto\ssee\s(?:it|the\s\w+|whether\sit)\s(?:fires?|fails?|breaks?|crash(?:es)?)\b
    # of what might be
  | \bhypothetical\b | \bwhat\swould\shappen\b | \bis\sit\strue\sthat\b
  | \bsuppose\s(?:that\s)?(?:some|I|one|we|a|the|you)
  | \bif\s(?:I|we)\s(?:buy|bought|upgraded?|switch(?:ed)?|updated?|replaced?|add(?:ed)?|moved?)\b
    """
)
_CUES = (
    *("yesterday", "last ", "first ", "original", "previous", "old ", "earlier", " post"),
    *("used to", "it had", "i'd had", "i had had", "for history", "posterity", "ticket"),
    *("posted", "reported", "wrote", "asked", "i got", "i saw"),
    *("his ", "her ", "their", "colleague", "customer", "friend", "student", "user", "client"),
    *("docs", "doc ", "readme", "release note", "changelog", "change log", "faq", "wiki", "manual"),
    *("tutorial", "man page", "manpage", "guide", "page", "article", "docstring"),
    *(
        "issue",
        "thread",
        "before",
        " wrote",
        "@",
        "sent us",
        "sent me",
        "like this",
        "begin ",
        "discussion",
        "ignore",
        "skip ",
        "of course",
        "clear to me",
    ),
    *(
        "expected)",
        "intended)",
        "not this",
        "labmate",
        "lab mate",
        "没出现",
        "没有出现",
        "i do not",
    ),
    *("i don't", "i didn't", "i did not", "i never", "we do", "we did", "we never", "hypothetical"),
    *("to see ", "what would happen", "is it true", "suppose ", "if i ", "if we "),
)
_FENCE = "```"
_GOES_ON = re.compile(
    r"(?i)(?::|\breads?|\bsays?|\bsaid|\bwas|\bhad|\bread|yesterday's|\bshows|\bblock|\blog,?[^\n]{0,40}-{3}|\bbelow[^\n]{0,160})\W{0,2}\Z"
)
#: Comes back to the matter.
_NOW = re.compile(
    r"(?i)\A\W{0,4}(?:today|mine|now|current|my own|here|this (?:morning|machine)|update|edit)\b"
)


def lines_aside(text: Text) -> frozenset[int]:
    """The numbers of the lines that are introduced as something beside the matter."""
    found: set[int] = set()
    for line in text.having(*_CUES):
        if _DISMISSED.search(line.text):
            found.add(line.number)
        elif _INTRODUCED.search(line.text):
            found.add(line.number)
            if _GOES_ON.search(line.text):
                found.update(_quoted(text, line))
    return frozenset(found)


def _quoted(text: Text, head: Line) -> Iterator[int]:
    """The lines of what a line introduces: a fenced block, or up to the next empty line."""
    begun = fenced = False
    for line in text.after(head, LONGEST):
        filled = bool(line.text.strip())
        if begun and (_FENCE in line.text if fenced else not filled or _NOW.match(line.text)):
            return
        if filled and not begun:
            begun, fenced = True, line.text.lstrip().startswith(_FENCE)
        if filled:
            yield line.number


def join(facts: Found, rest: Mapping[str, Fact[Value]], aside: frozenset[int]) -> None:
    """Take from the reading without asides what stands there too, and say which lines they are."""
    for name, fact in rest.items():
        if not name.startswith("gpu.") or _value(facts.get(name)) == _value(fact):
            facts[name] = fact
    numbers = tuple(str(number) for number in sorted(aside))
    facts[said.ASIDES.name] = Known(numbers, f"line {numbers[0]} of the text")


def _value(fact: Fact[Value] | None) -> object:
    return fact.value if isinstance(fact, Known) else None
