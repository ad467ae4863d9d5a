"""Things that two machines have: GPUs, packages and so on, and which one is which.

GPUs carry other numbers on another day. They are the same by UUID, else by slot, else by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..facts import names
from ..facts.model import Facts, Family, Known

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Families whose subject is a running number, and the facts by which the same one is known again.
_NUMBERED: dict[str, tuple[Family[str], ...]] = {
    "gpu": (names.GPU_UUID, names.GPU_PCI),
    "mig": (names.MIG_UUID,),
    "pci": (names.PCI_ADDRESS,),
}
#: Families whose subject is a name.
_NAMED = ("package", "library")
#: The part of a UUID that redaction leaves: ``GPU-5d2f9a7c``.
_UUID_HEAD = 12

_PARTS = 3  # gpu, 0, name


class Pair(NamedTuple):
    """The name of one fact on either side; None: that side has no such thing at all."""

    name: str
    a: str | None
    b: str | None


def thing_of(name: str) -> tuple[str, str] | None:
    """``("gpu", "0")`` of ``gpu.0.name``; None: the fact is not about one of several things."""
    parts = name.split(".")
    if len(parts) == _PARTS and (parts[0] in _NUMBERED or parts[0] in _NAMED):
        return parts[0], parts[1]
    return None


def pairs(a: Facts, b: Facts) -> Iterator[Pair]:
    """Every fact of either side, with its name on both."""
    yield from (
        Pair(name, name, name) for name in dict.fromkeys((*a, *b)) if thing_of(name) is None
    )
    for family in (*_NUMBERED, *_NAMED):
        for one, other in _matched(family, a, b):
            yield from _fields(family, one, other, a, b)


def _fields(family: str, one: str | None, other: str | None, a: Facts, b: Facts) -> Iterator[Pair]:
    if one is None or other is None:
        subject = one if one is not None else other
        name = f"{family}.{subject}"
        yield Pair(name, None if one is None else name, None if other is None else name)
        return
    fields = dict.fromkeys((*_fields_of(a, family, one), *_fields_of(b, family, other)))
    for field in fields:
        name = f"{family}.{one}.{field}"
        yield Pair(name, name, f"{family}.{other}.{field}")


def _fields_of(facts: Facts, family: str, subject: str) -> Iterator[str]:
    head = f"{family}.{subject}."
    return (name[len(head) :] for name in facts if name.startswith(head))


def _subjects(facts: Facts, family: str) -> list[str]:
    found = (thing_of(name) for name in facts)
    return list(dict.fromkeys(thing[1] for thing in found if thing and thing[0] == family))


def _matched(family: str, a: Facts, b: Facts) -> Iterator[tuple[str | None, str | None]]:
    """Each thing of A with the same one of B; None where the other side has none."""
    left, right = _subjects(a, family), _subjects(b, family)
    for sign in _NUMBERED.get(family, ()):
        for one, other in _agreeing(sign, a, b, left, right):
            yield one, other
            left.remove(one)
            right.remove(other)
    if family in _NAMED or not _can_be_told_apart(family, a, b, left, right):
        for subject in [each for each in left if each in right]:
            yield subject, subject
            left.remove(subject)
            right.remove(subject)
    yield from ((subject, None) for subject in left)
    yield from ((None, subject) for subject in right)


def _agreeing(
    sign: Family[str], a: Facts, b: Facts, left: list[str], right: list[str]
) -> list[tuple[str, str]]:
    """Pairs with the same UUID or slot; first those that are equal to the last digit."""
    found: list[tuple[str, str]] = []
    for length in (None, _UUID_HEAD) if sign.pattern.endswith("uuid") else (None,):
        for one in left:
            mark = a.known(sign(one))
            free = [other for other in right if other not in {pair[1] for pair in found}]
            if mark is None or one in {pair[0] for pair in found}:
                continue
            same = (o for o in free if _head(b.known(sign(o)), length) == _head(mark, length))
            other = next(same, None)
            if other is not None:
                found.append((one, other))
    return found


def _head(mark: str | None, length: int | None) -> str | None:
    return None if mark is None else mark[:length].lower()


def _can_be_told_apart(family: str, a: Facts, b: Facts, left: list[str], right: list[str]) -> bool:
    """Whether what is left has a slot on both sides, so that the number alone says nothing."""
    slot = _NUMBERED[family][-1]
    return all(isinstance(a.fact(slot(each)), Known) for each in left) and all(
        isinstance(b.fact(slot(each)), Known) for each in right
    )
