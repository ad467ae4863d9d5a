"""Facts: typed values with their provenance.

A fact is one of three things: `Known` (a value), `Absent` (somebody looked, and it is not
there: no libcuda, no torch, a variable that is not set) or `Unknown` (nobody could look, and
why). The difference decides what a rule may conclude: from `Absent` follows that something is
missing, from `Unknown` follows nothing.

A fact is named by a `Key`. The same dotted name is used in Python, in JSON and in documents,
and the key's type is the type of the value: ``facts.need(DRIVER_VERSION)`` is a `Version`.
Facts about one of several things (a GPU, a package) belong to a `Family`; ``GPU_UUID("0")`` is
the key ``gpu.0.uuid``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from .version import Version

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: What a fact may hold. Sizes are bytes, times are milliseconds, versions are `Version`.
Value = bool | int | float | str | Version | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known(Generic[T]):
    """A value and the place where it was read: a file, a call, a line of pasted text."""

    value: T
    source: str


@dataclass(frozen=True, slots=True)
class Absent:
    """It was looked for where it would be, and is not there."""

    source: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why nobody could look; never to be mistaken for 0, an empty text or "no"."""

    reason: str


Fact = Known[T] | Absent | Unknown


@dataclass(frozen=True, slots=True)
class Key(Generic[T_co]):
    """The name of one fact, the type of its value, and how a person could find it out."""

    name: str
    type: type[T_co]
    how: str


#: The names of several facts, whatever these hold.
Keys = tuple[Key[object], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Family(Generic[T_co]):
    """A name with one open place: ``Family("gpu.{}.uuid", …)("0")`` is the key of GPU 0.

    What is filled in holds no dot, so that a name can be taken apart again.
    """

    pattern: str
    type: type[T_co]
    how: str

    def __call__(self, subject: str | int) -> Key[T_co]:
        """The key of this one subject's fact."""
        return _key(self, subject)


@functools.lru_cache(maxsize=4096)  # rules ask for the same few hundred again and again
def _key(family: Family[T], subject: str | int) -> Key[T]:
    return Key(family.pattern.format(subject), family.type, family.how.format(subject))


#: One line of what a collector or a text parser found.
Entry = tuple[str, Fact[Value]]


def entry(key: Key[T], fact: Fact[T]) -> Entry:
    """A fact under its name. The one way to make an `Entry`: value and key are of one type."""
    return key.name, cast("Fact[Value]", fact)


class NotThere(Exception):  # noqa: N818  a turn of the engine, no error
    """A rule needs a thing that is absent; the engine counts the rule as "not applicable"."""


class Missing(Exception):  # noqa: N818  likewise
    """A rule asked for a fact that nobody knows; the engine counts it as "could not look"."""

    def __init__(self, name: str, reason: str, how: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.reason, self.how = name, reason, how

    def __reduce__(self) -> tuple[type[Missing], tuple[str, str, str]]:
        return type(self), (self.name, self.reason, self.how)


class Facts(Mapping[str, Fact[Value]]):
    """All facts of one machine, immutable, in the order in which they were collected.

    `silence` is the reason that a fact of which nothing is said gives for being unknown.
    """

    __slots__ = ("_answers", "_facts", "_subjects", "silence")

    def __init__(self, facts: Mapping[str, Fact[Value]], silence: str = "nobody looked") -> None:
        self._facts = dict(facts)
        self.silence = silence
        self._subjects: dict[str, tuple[str, ...]] = {}  # of the families that were asked for
        self._answers: dict[Callable[[Facts], object], object] = {}

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, Fact[Value]], str]]:
        """Without what was worked out, which is more than the facts."""
        return type(self), (self._facts, self.silence)

    def without(self, names: Collection[str]) -> Self:
        """The same facts but for those of these names."""
        kept = {name: fact for name, fact in self._facts.items() if name not in names}
        return type(self)(kept, self.silence)

    def answer(self, question: Callable[[Facts], T]) -> T:
        """What `question` says of these facts, which is worked out once: they do not change."""
        if question not in self._answers:
            self._answers[question] = question(self)
        return cast("T", self._answers[question])

    def __getitem__(self, name: str) -> Fact[Value]:
        return self._facts[name]

    def __contains__(self, name: object) -> bool:
        return name in self._facts

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def fact(self, key: Key[T]) -> Fact[T]:
        """The fact under `key`; `Unknown` where nothing is said of it."""
        found = self._facts.get(key.name)
        if found is None:
            return Unknown(self.silence)
        return cast("Fact[T]", found)

    def known(self, key: Key[T]) -> T | None:
        """The value, or None where it is absent *or* unknown: for what a rule can do without."""
        found = self.fact(key)
        return found.value if isinstance(found, Known) else None

    def look(self, key: Key[T]) -> T | None:
        """The value, or None where it is absent. Raises `Missing` where it is unknown."""
        found = self.fact(key)
        if isinstance(found, Unknown):
            raise Missing(key.name, found.reason, key.how)
        return found.value if isinstance(found, Known) else None

    def need(self, key: Key[T]) -> T:
        """The value. Raises `NotThere` where it is absent, `Missing` where it is unknown."""
        found = self.look(key)
        if found is None:
            raise NotThere(key.name)
        return found

    def subjects(self, family: Family[T]) -> tuple[str, ...]:
        """What a family's facts are about, in order: ``("0", "1")`` for two GPUs."""
        found = self._subjects.get(family.pattern)
        if found is None:
            found = self._subjects[family.pattern] = tuple(self._filled_in(family.pattern))
        return found

    def keys_of(self, family: Family[T]) -> tuple[Key[T], ...]:
        """The keys of a family's facts, in order."""
        return tuple(map(family, self.subjects(family)))

    def known_of(self, family: Family[T]) -> tuple[T, ...]:
        """The values of a family's facts that are known, in order."""
        found = map(self.fact, self.keys_of(family))
        return tuple(fact.value for fact in found if isinstance(fact, Known))

    def _filled_in(self, pattern: str) -> Iterator[str]:
        head, _, tail = pattern.partition("{}")
        for name in self._facts:
            if name.startswith(head) and name.endswith(tail):
                middle = name[len(head) : len(name) - len(tail)]
                if middle and "." not in middle:
                    yield middle
