"""What programs said, as a rule asks for it: which of these statements, which of these codes."""

from __future__ import annotations

from typing import TypeVar

from ...facts import said
from ...facts.model import Facts, Family, Key, Keys, Known
from ...facts.regex import regex

T = TypeVar("T")

_LINE = regex(r"\bline (\d+)")
#: Characters of a title: a line or two.
_TITLE = 160
_TWO_VERSIONS = regex(r"v?\d+(?:\.\w+)* v?\d+(?:\.\w+)*\.?")


def where_known(facts: Facts, key: Key[T]) -> T | None:
    """The value of a fact that exists only where there is something to say.

    Raises:
        Missing: There is, and nobody knows what.
    """
    return facts.look(key) if key.name in facts else None


def statements(facts: Facts, *ids: str) -> tuple[Key[str], ...]:
    """Those of the statements `ids` that were made."""
    return _made(facts, said.SIGN, ids)


def errors(facts: Facts, *codes: str) -> tuple[Key[str], ...]:
    """Those of the `codes` that were reported."""
    return _made(facts, said.ERROR, codes)


def _made(facts: Facts, family: Family[str], subjects: tuple[str, ...]) -> tuple[Key[str], ...]:
    there = facts.subjects(family)
    keys = (family(subject) for subject in subjects if subject in there)
    return tuple(key for key in keys if isinstance(facts.fact(key), Known))


def goes_on_between(facts: Facts, above: int, below: int) -> bool:
    """Whether somebody goes on to something else below one line, and not below another."""
    return any(above < int(number) <= below for number in facts.known(said.TURNS) or ())


def line_of(facts: Facts, key: Key[object]) -> int:
    """Which line of the text tells it; 0 where none does."""
    fact = facts.fact(key)
    return line_in(fact.source) if isinstance(fact, Known) else 0


def line_in(source: str) -> int:
    """The number in ``line 3 of the text``; 0 where what is known has another source."""
    number = _LINE.search(source)
    return int(number[1]) if number else 0


def looked_for_node(facts: Facts) -> bool:
    """Whether TensorFlow asked for the card's place beside the processors, as a build with CUDA."""
    return facts.known(said.NOISE("numa-node")) is not None


def value(facts: Facts, sign: str) -> str:
    """What a statement carries; empty where it was not made."""
    return facts.known(said.SIGN(sign)) or ""


def title_of(text: str) -> str:
    """A text as a title: of a long one the sentences that fit, else the words."""
    if len(text) <= _TITLE:
        return text
    end = text.rfind(". ", _TITLE // 2, _TITLE)
    return text[:end] if end > 0 else text[:_TITLE].rpartition(" ")[0] + " …"


def short(text: str, limit: int = 60) -> str:
    """A text for a title: of a path the file's name, and not more than `limit` characters.

    Two versions, which is what some statements carry, are told as two.
    """
    if _TWO_VERSIONS.fullmatch(text):
        return text.rstrip(".").replace(" ", " and ")
    name = text.replace("\\", "/").rpartition("/")[2] if " " not in text else text
    return name if len(name) <= limit else name[: limit - 1] + "…"


def beginning(who: str) -> str:
    """Who does something, at a title's beginning: the names of files stay as they are."""
    return "A program" if who == "a program" else who


def value_words(facts: Facts, sign: str) -> list[str]:
    """The words of what a statement carries."""
    return value(facts, sign).split()


def no_gpu_seen(facts: Facts, stem: str) -> Keys:
    """The facts by which the frameworks whose name begins with `stem` see no GPU."""
    seen = said.FRAMEWORK_SEES_GPU
    found = (seen(each) for each in facts.subjects(seen) if each.startswith(stem))
    return tuple(key for key in found if facts.known(key) is False)


def seen_anyway(facts: Facts) -> bool:
    """Whether a framework uses the GPU all the same, so that a missing library breaks a part.

    Not where somebody has gone back to what the machine was before.
    """
    families = (said.FRAMEWORK_SEES_GPU, said.FRAMEWORK_COMPUTED)
    seen = [key for family in families for key in facts.keys_of(family) if facts.known(key)]
    elsewhere = line_of(facts, said.SIGN("as-before-told")) if seen else 0
    return any(not 0 < elsewhere < line_of(facts, key) for key in seen)
