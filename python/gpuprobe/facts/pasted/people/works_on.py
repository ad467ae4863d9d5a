"""On which cards a program works and on which it does not, as one line tells both.

"On the P40 it works, on the V100 it doesn't": of one build that shows which card is beyond it.
So does, of several cards, the one on which the program takes minutes to begin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from .. import gpu_names
from ..statement import Statements, say
from ..wordings.slowness import SLOW_START
from .card_words import LONGEST_SENTENCE

if TYPE_CHECKING:
    from ..text import Text

#: Where one card's part of the line ends.
_PARTS = regex(
    r"(?i)[,;:.]\s|\b(?:but|while|whereas|however|yet)\b|(?=\b(?:and )?not (?:on|with)\b)"
)
#: "It runs on a 3090, not on a 4090" tells which card there is.
_WORKS = regex(
    r"(?i)\b(?:works?|worked|(?:runs?|ran) (?:fine|well|ok(?:ay)?|perfectly|smoothly|correctly"
    r"|without))\b"
)
_FAILS = regex(r"(?i)\b(?:not|fails?|failed|failing|crash\w*|errors?|breaks?|broken)\b|n't\b")
_NOT_NOW = regex(
    r"(?i)\?|\b(?:if|unless|whether|should|would|could|may|might|expect\w*|suppos\w+|slow\w*"
    r"|fast\w*|out of memory)\b"
)
#: Short names of Teslas, which are other words elsewhere.
_TESLA = regex(r"(?a)(?<![\w.-])([KMPTV]\d{1,3})(?![\w.-])")


def read(text: Text) -> Statements:
    """The first line that names a card of each kind, and the one card that begins slowly."""
    yield from _both_kinds(text)
    named = [
        (each, line) for line in SLOW_START.lines(text) for each in gpu_names.mentioned(line.text)
    ]
    if len({card for card, _ in named}) == 1:
        yield say(names.GPU_NAME(0), *named[0])


def _both_kinds(text: Text) -> Statements:
    """The cards of the first line that has both."""
    for line in text.unlike(" on ", "on ", " with "):
        if len(line.text) > LONGEST_SENTENCE or _NOT_NOW.search(line.text):
            continue
        works, fails = _cards(line.text)
        if works and fails and not works & fails:
            yield say(said.GPUS_WORK_TOLD, tuple(sorted(works)), line)
            if len(fails) == 1:
                yield say(names.GPU_NAME(0), fails.pop(), line)
            return


def _cards(line: str) -> tuple[set[str], set[str]]:
    """The cards on which it works, and those on which it fails."""
    works: set[str] = set()
    fails: set[str] = set()
    for part in _PARTS.split(line):
        named = _named(part)
        if _FAILS.search(part):
            fails |= named
        elif _WORKS.search(part):
            works |= named
    return works, fails


def _named(part: str) -> set[str]:
    teslas = {f"Tesla {each}" for each in _TESLA.findall(part)}
    return {*gpu_names.mentioned(part)} or {each for each in teslas if gpu_names.known(each)}
