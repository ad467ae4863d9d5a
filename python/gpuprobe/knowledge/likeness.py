"""What the words of a text are mostly told of: learned from machines whose cause is known.

A term is a word, or two words beside each other in a line, where words that people use in each
other's place are one (`alike`). It pulls toward the causes in whose texts it stands, the more so
the fewer texts have it. Of a text its distinct terms count; a cause's score is its bias and the
mean pull of these terms, and the shares are the softmax of the scores (a linear support vector
machine, one cause against all others). `benchmarks/likeness.py` learns the table and measures how
often it is right on machines that it was not learned from.

The table is no JSON, as the other tables are: of its tens of thousands of lines a text needs some
hundred, which are found in order and only then taken apart.
"""

from __future__ import annotations

import functools
import math
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from .alike import STANDS_FOR
from .tables import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WORD = re.compile(r"[a-z]{2,}")
_PULL = re.compile(r"([A-Za-z])(-?\d+)")


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cause that a text's terms are told of most; `share` is its part of all causes, to 1."""

    cause: str
    share: float
    healthy: float  # the share of a machine that works
    pulls: Mapping[str, float]  # of each term toward the cause; negative: away from it


@dataclass(frozen=True, slots=True)
class Term:
    """How rare a word or pair is, and how far it pulls toward each cause."""

    rarity: float
    pulls: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Model:
    """A score that each cause starts with, and the terms that are known."""

    biases: Mapping[str, float]
    terms: Mapping[str, Term]

    def likeness(self, found: Iterable[str]) -> Likeness | None:
        """What these terms are told of; None where all of them are unknown.

        In whatever order they are met: pulls are whole numbers, and fractions are added exactly.
        """
        told = {name: self.terms[name] for name in found if name in self.terms}
        if not told:
            return None
        length = math.sqrt(math.fsum(term.rarity**2 for term in told.values()))
        pulled = dict.fromkeys(self.biases, 0)
        for term in told.values():
            for cause, pull in term.pulls.items():
                pulled[cause] += pull
        scores = {cause: bias + pulled[cause] / length for cause, bias in self.biases.items()}
        cause = max(scores, key=lambda each: scores[each])
        parts = {each: math.exp(score - scores[cause]) for each, score in scores.items()}
        total = sum(parts.values())
        pulls = {name: term.pulls.get(cause, 0) / length for name, term in told.items()}
        return Likeness(cause, 1 / total, parts.get("healthy", 0.0) / total, pulls)


def words(text: str) -> list[str]:
    """The words of a text in their order: two Latin letters or more, in small; "n't" is "not"."""
    return _WORD.findall(text.lower().replace("n't", " not"))


def terms(line: str) -> dict[str, str]:
    """The distinct words of a line and each two beside each other, each with how it stands there.

    Of words that are alike (`alike`) the first of their row is the term; side by side they are one.
    """
    said = words(line)
    meant = [STANDS_FOR.get(word, word) for word in said]
    new = [at for at, word in enumerate(meant) if not at or word != meant[at - 1]]
    single = {meant[at]: said[at] for at in reversed(new)}
    pairs = {f"{meant[a]} {meant[b]}": f"{said[a]} {said[b]}" for a, b in pairwise(new)}
    return {**single, **pairs}


@functools.cache
def learned() -> Model:
    """The model of the package; raises `TableError` where its table is missing or malformed."""
    path = f"{__file__.rpartition('likeness')[0]}data/likeness.txt"
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123  pathlib costs more than reading
            return model(file.read())
    except (OSError, ValueError) as error:
        raise TableError(f"cannot read the table likeness: {error}") from error


def model(table: str) -> Model:
    """The model that a table holds.

    Three parts, with an empty line between them: what it is, in lines for people; the causes, each
    with a letter for it and its bias; and the terms in their order, each with its rarity and its
    pulls, by those letters. Raises `ValueError` where it is laid out in another way.
    """
    _, causes, known = table.rstrip("\n").split("\n\n")
    rows = [line.split(" ") for line in causes.split("\n")]
    letters = {letter: cause for letter, cause, _ in rows}
    biases = {cause: float(bias) for _, cause, bias in rows}
    return Model(biases, _Terms(known.split("\n"), letters))


class _Terms(Mapping[str, Term]):
    """The terms of a table, each taken apart when it is asked for."""

    def __init__(self, lines: Sequence[str], letters: Mapping[str, str]) -> None:
        self._lines, self._letters = lines, letters
        self._read = dict[str, Term]()

    def __getitem__(self, name: str) -> Term:
        term = self._read.get(name) or self._find(name)
        if term is None:
            raise KeyError(name)
        return term

    def __contains__(self, name: object) -> bool:
        known = name in self._read
        return known or (isinstance(name, str) and self._find(name) is not None)

    def _find(self, name: str) -> Term | None:
        start = f"{name}\t"
        at = bisect_left(self._lines, start)
        if at == len(self._lines) or not self._lines[at].startswith(start):
            return None
        try:
            _, rarity, pulls = self._lines[at].split("\t")
            toward = {self._letters[by]: int(pull) for by, pull in _PULL.findall(pulls)}
            return self._read.setdefault(name, Term(float(rarity), toward))
        except (KeyError, ValueError) as error:
            raise TableError(f"likeness.txt: no term in {self._lines[at]!r}: {error}") from error

    def __iter__(self) -> Iterator[str]:
        return (line.partition("\t")[0] for line in self._lines)

    def __len__(self) -> int:
        return len(self._lines)
