"""Things that two machines have: GPUs, packages and so on, and which one is which.

GPUs carry other numbers on another day. They are the same by UUID, else by slot, else by number.
A redacted UUID has the beginning of the whole one; its other digits are numbers of one document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..facts import names
from ..facts.model import Facts, Family, Known
from ..knowledge.uuids import head_of, is_redacted

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Families whose subject is a running number, and the facts by which the same one is known again:
#: its UUID, its slot.
_NUMBERED: dict[str, tuple[Family[str] | None, Family[str] | None]] = {
    "gpu": (names.GPU_UUID, names.GPU_PCI),
    "mig": (names.MIG_UUID, None),
    "pci": (None, names.PCI_ADDRESS),
}
#: Families whose subject is a name.
_NAMED = ("package", "library")
_PARTS = 3  # gpu, 0, name


class _Signs(NamedTuple):
    """By what a thing is known again."""

    uuid: str | None
    slot: str | None
    heads: int  # how many UUIDs of its side begin so

    @property
    def is_redacted(self) -> bool:
        """Whether the UUID is one of those that redaction writes."""
        return self.uuid is not None and is_redacted(self.uuid)

    @property
    def head(self) -> str | None:
        """What redaction leaves of the UUID."""
        return None if self.uuid is None else head_of(self.uuid)


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
        for one, other in matched(family, a, b):
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


def matched(family: str, a: Facts, b: Facts) -> Iterator[tuple[str | None, str | None]]:
    """Each thing of A with the same one of B; None where the other side has none."""
    left, right = _subjects(a, family), _subjects(b, family)
    if family in _NUMBERED:
        for one, other in _agreeing(family, a, b):
            yield one, other
            left.remove(one)
            right.remove(other)
    apart = family in _NUMBERED and _can_be_told_apart(family, a, b, left, right)
    if not apart and len(left) == len(right) == 1 and family in _NUMBERED:
        yield left.pop(), right.pop()
    if not apart:
        for subject in [each for each in left if each in right]:
            yield subject, subject
            left.remove(subject)
            right.remove(subject)
    yield from ((subject, None) for subject in left)
    yield from ((None, subject) for subject in right)


def _agreeing(family: str, a: Facts, b: Facts) -> list[tuple[str, str]]:
    """Pairs by what identifies best, then by what is left of that."""
    left, right = _signs(family, a), _signs(family, b)
    found: list[tuple[str, str]] = []
    for agree in (_same_uuid, _same_head_and_slot, _same_head_alone, _same_text, _same_slot):
        for one, ours in tuple(left.items()):
            other = next((each for each, theirs in right.items() if agree(ours, theirs)), None)
            if other is not None:
                found.append((one, other))
                del left[one], right[other]
    return found


def _signs(family: str, facts: Facts) -> dict[str, _Signs]:
    def known(sign: Family[str] | None, subject: str) -> str | None:
        value = None if sign is None else facts.known(sign(subject))
        return None if value is None else value.lower()

    uuid, slot = _NUMBERED[family]
    uuids = {subject: known(uuid, subject) for subject in _subjects(facts, family)}
    heads = [head_of(each) for each in uuids.values() if each]
    return {
        subject: _Signs(each, known(slot, subject), heads.count(head_of(each or "")))
        for subject, each in uuids.items()
    }


def _same_uuid(a: _Signs, b: _Signs) -> bool:
    return a.uuid is not None and a.uuid == b.uuid and not a.is_redacted


def _same_head_and_slot(a: _Signs, b: _Signs) -> bool:
    return _same_head(a, b) and _same_slot(a, b)


def _same_head_alone(a: _Signs, b: _Signs) -> bool:
    return _same_head(a, b) and a.heads == b.heads == 1


def _same_text(a: _Signs, b: _Signs) -> bool:
    """The numbers of two documents agree by chance where one knows more GPUs than the other."""
    return a.uuid is not None and a.uuid == b.uuid and None in (a.slot, b.slot)


def _same_head(a: _Signs, b: _Signs) -> bool:
    """What is left of a redacted UUID; two whole ones tell themselves whether they are the same."""
    return a.head is not None and a.head == b.head and (a.is_redacted or b.is_redacted)


def _same_slot(a: _Signs, b: _Signs) -> bool:
    return a.slot is not None and a.slot == b.slot


def _can_be_told_apart(family: str, a: Facts, b: Facts, left: list[str], right: list[str]) -> bool:
    """Whether what is left has a slot on both sides, so that the number alone says nothing."""
    uuid, slot = _NUMBERED[family]
    sign = slot or uuid
    return sign is None or all(
        isinstance(facts.fact(sign(each)), Known)
        for facts, subjects in ((a, left), (b, right))
        for each in subjects
    )
