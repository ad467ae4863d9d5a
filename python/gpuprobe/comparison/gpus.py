"""The GPUs of two machines: which one was lost, and what differs only because of that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..facts import names
from ..facts.model import Known
from .things import matched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..facts.model import Fact, Facts, Value

#: Where one of these is known somebody looked for GPUs.
COUNTS = (names.NVML_COUNT, names.CUDA_COUNT, names.PCI_NVIDIA_COUNT)
#: How a GPU is counted; where one is lost, those behind it move up.
_NUMBERS = ("nvml_index", "minor", "cuda_ordinal")
#: Lists of other GPUs, by the numbers of their own side: ``GPU 1: NVLink x18``.
_PEERS = ("peers", "nvlink_peers")
_PEER = re.compile(r"GPU (\d+)\b")
_FIELD = 2  # gpu, 0, name


class Gpus:
    """Each GPU of A with the same one of B."""

    def __init__(self, a: Facts, b: Facts) -> None:
        self._a, self._b = a, b
        pairs = tuple(matched("gpu", a, b))
        both = [(one, other) for one, other in pairs if one is not None and other is not None]
        self._numbers = {other: one for one, other in both}
        self._failing = {one: other for one, other in both if self._fails(one, other)}
        self._only_a = [one for one, other in pairs if one is not None and other is None]
        self._only_b = [other for one, other in pairs if one is None and other is not None]

    def _fails(self, one: str, other: str) -> bool:
        """Whether one side can use it, and the other cannot."""
        return (_failure(self._a, one) is None) != (_failure(self._b, other) is None)

    def lost(self) -> Iterator[str]:
        """A sentence for each side that lacks GPUs of the other, and for each GPU that failed."""
        for one, other in self._failing.items():
            failure = _failure(self._b, other)
            side, of = ("A", "B") if failure is None else ("B", "A")
            called = _called(self._b, other) if failure is None else _called(self._a, one)
            yield f"{side} cannot use {called} of {of}: {failure or _failure(self._a, one)}"
        yield from _not_listed("B", self._b, "A", self._a, self._only_a)
        yield from _not_listed("A", self._a, "B", self._b, self._only_b)

    def follows(self, name: str) -> bool:
        """Whether a difference in this fact says no more than that a GPU was lost."""
        family, *rest = name.split(".")
        if family != "gpu" or len(rest) != _FIELD:
            return False
        number, field = rest
        if number in self._failing:
            return field != "failure"
        return field in _NUMBERS and bool(self._failing or self._only_a or self._only_b)

    def peers(self, name: str, one: Fact[Value], other: Fact[Value]) -> tuple[Fact[Value], ...]:
        """The other GPUs that a fact lists, by A's numbers and without those that were lost."""
        if not name.endswith(_PEERS):
            return one, other
        lost_a, lost_b = {*self._only_a, *self._failing}, {*self._only_b, *self._failing.values()}
        return _renumbered(one, {}, lost_a), _renumbered(other, self._numbers, lost_b)


def _not_listed(
    side: str, facts: Facts, of: str, others: Facts, numbers: list[str]
) -> Iterator[str]:
    if not numbers or not any(isinstance(facts.fact(key), Known) for key in COUNTS):
        return
    called = [_called(others, each) for each in numbers]
    if len(called) == 1:
        yield f"{side} does not list {called[0]} of {of}"
    else:
        yield f"{side} does not list {len(called)} GPUs of {of}: {', '.join(called)}"


def _failure(facts: Facts, number: str) -> str | None:
    return facts.known(names.GPU_FAILURE(number))


def _called(facts: Facts, number: str) -> str:
    """``GPU 5 (NVIDIA H200, 0000:84:00.0)``."""
    told = (facts.known(family(number)) for family in (names.GPU_NAME, names.GPU_PCI))
    which = ", ".join(each for each in told if each)
    return f"GPU {number} ({which})" if which else f"GPU {number}"


def _renumbered(fact: Fact[Value], numbers: dict[str, str], lost: set[str]) -> Fact[Value]:
    if not isinstance(fact, Known) or not isinstance(fact.value, tuple):
        return fact
    entries = {}
    for entry in fact.value:
        peer = _PEER.match(entry)
        if peer is None:
            entries[entry] = -1
        elif peer[1] not in lost:
            number = numbers.get(peer[1], peer[1])
            entries[f"GPU {number}{entry[peer.end() :]}"] = int(number)
    return Known(tuple(sorted(entries, key=lambda entry: entries[entry])), fact.source)
