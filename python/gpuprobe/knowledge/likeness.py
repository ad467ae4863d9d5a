"""What the words of a text are mostly told of: learned from machines whose cause is known.

A word pulls toward the causes in whose texts it stands, the more so the fewer texts have it. Of a
text its distinct words count; a cause's score is its bias and the mean pull of these words, and the
shares are the softmax of the scores (multinomial logistic regression). `benchmarks/likeness.py`
learns the table and measures how often it is right on machines that it was not learned from.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .tables import load

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from .tables import Table

_WORD = re.compile(r"[a-z]{2,}")


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cause that a text's words are told of most; `share` is its part of all causes, to 1."""

    cause: str
    share: float
    pulls: Mapping[str, float]  # of each word toward the cause; negative: away from it


@dataclass(frozen=True, slots=True)
class Word:
    """How rare a word is, and how far it pulls toward each cause."""

    rarity: float
    pulls: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Model:
    """A score that each cause starts with, and the words that are known."""

    biases: Mapping[str, float]
    words: Mapping[str, Word]

    def likeness(self, found: Iterable[str]) -> Likeness | None:
        """What these words are told of; None where all of them are unknown.

        They are added up in one order, whatever the order of a set: sums of fractions depend on it.
        """
        told = {word: self.words[word] for word in sorted(found) if word in self.words}
        if not told:
            return None
        length = math.sqrt(sum(word.rarity**2 for word in told.values()))
        scores = dict(self.biases)
        for word in told.values():
            for cause, pull in word.pulls.items():
                scores[cause] += pull / length
        cause = max(scores, key=lambda each: scores[each])
        total = sum(math.exp(score - scores[cause]) for score in scores.values())
        pulls = {name: word.pulls.get(cause, 0.0) / length for name, word in told.items()}
        return Likeness(cause, 1 / total, pulls)


def words(text: str) -> frozenset[str]:
    """The words of a text as the table has them: Latin letters, at least two, in small."""
    return frozenset(_WORD.findall(text.lower()))


@functools.cache
def learned() -> Model:
    """The model of the package."""
    return model(load("likeness"))


def model(table: Table) -> Model:
    """The model that a table holds."""
    biases = {row.text("cause"): row.number("bias") for row in table.section("causes")}
    return Model(biases, _Words(table, biases))


class _Words(Mapping[str, Word]):
    """The words of a table, each read when it is asked for: a text has a few hundred of them."""

    def __init__(self, table: Table, causes: Collection[str]) -> None:
        self._records = {record.text("word"): record for record in table.section("words")}
        self._causes, self._read = causes, dict[str, Word]()

    def __getitem__(self, name: str) -> Word:
        word = self._read.get(name)
        if word is None:
            record = self._records[name]
            pulls = {each: record.number(each) for each in record.names if each in self._causes}
            word = self._read[name] = Word(record.number("rarity"), pulls)
        return word

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)
