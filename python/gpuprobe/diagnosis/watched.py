"""Facts that tell what a check found in them: a check that saw nothing has not found all well."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from ..facts import said
from ..facts.model import Fact, Facts, Family, Key, Unknown, Value
from .model import MissingFact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


T = TypeVar("T")


class Watched(Facts):
    """The same facts, which remember what was asked for since `begin`.

    `saw`: there was a fact, known or absent. `in_vain`: what nobody knows, as long as that is all.
    """

    __slots__ = ("_of_answers", "_of_families", "in_vain", "saw")

    def __init__(self, facts: Mapping[str, Fact[Value]], silence: str) -> None:
        super().__init__(facts, silence)
        self._of_answers: dict[Callable[[Facts], object], tuple[bool, list[Key[object]]]] = {}
        self._of_families: dict[str, bool] = {}
        self.begin()

    def begin(self) -> None:
        """A check begins, which has seen nothing yet."""
        self.saw: bool = False
        self.in_vain: list[Key[object]] = []

    @property
    def unseen(self) -> MissingFact | None:
        """What a check that saw nothing looked for; None where only texts tell such things."""
        for key in self.in_vain:
            if not _is_told(key.name):
                fact = self._facts.get(key.name)
                reason = fact.reason if isinstance(fact, Unknown) else self.silence
                return MissingFact.told(key.name, reason, key.how)
        return None

    def fact(self, key: Key[T]) -> Fact[T]:
        """The fact under `key`; `Unknown` where nothing is said of it."""
        found = self._facts.get(key.name)
        if found is not None and not isinstance(found, Unknown):
            self.saw = True
            return cast("Fact[T]", found)
        if not self.saw:
            self.in_vain.append(key)
        return Unknown(self.silence) if found is None else found

    def answer(self, question: Callable[[Facts], T]) -> T:
        """What `question` says of these facts; who asks for the answer has seen what it saw."""
        if question in self._of_answers:
            saw, in_vain = self._of_answers[question]
            self.saw, self.in_vain = self.saw or saw, [*self.in_vain, *in_vain]
            return super().answer(question)
        saw, in_vain = self.saw, self.in_vain
        self.begin()
        try:
            answer = super().answer(question)
            self._of_answers[question] = self.saw, self.in_vain
        finally:
            self.saw, self.in_vain = self.saw or saw, [*in_vain, *self.in_vain]
        return answer

    def subjects(self, family: Family[T]) -> tuple[str, ...]:
        """What a family's facts are about, in order."""
        found = super().subjects(family)
        if family.pattern not in self._of_families:
            facts = (self._facts[family.pattern.format(each)] for each in found)
            self._of_families[family.pattern] = any(not isinstance(one, Unknown) for one in facts)
        self.saw = self.saw or self._of_families[family.pattern]
        return found

    def __getitem__(self, name: str) -> Fact[Value]:
        found = self._facts[name]
        self.saw = self.saw or not isinstance(found, Unknown)
        return found

    def __contains__(self, name: object) -> bool:
        found = self._facts.get(cast("str", name))
        self.saw = self.saw or (found is not None and not isinstance(found, Unknown))
        return found is not None


def _is_told(name: str) -> bool:
    """Whether only a text tells such a fact: nobody looks for it on a machine."""
    keys, ends = _told()
    return name in keys or any(name.startswith(head) and name.endswith(tail) for head, tail in ends)


@cache
def _told() -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    keys, ends = set(), []
    for each in said.catalogue():
        if isinstance(each, Family):
            head, _, tail = each.pattern.partition("{}")
            ends.append((head, tail))
        else:
            keys.add(each.name)
    return frozenset(keys), tuple(ends)
