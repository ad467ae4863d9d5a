"""Two judged sets of facts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..facts import names
from ..facts.model import Absent, Fact, Facts, Known, Unknown, Value
from ..report.redact import redact_facts
from ..report.words import headline
from .gpus import COUNTS, Gpus
from .model import Comparison, Difference, Root, Side
from .things import Pair, pairs, thing_of
from .weight import is_noise, link_of, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..report.model import Report

#: What a thing that only one side has is called there: the first of these facts that is known.
_CALLED = {
    "gpu": ("name", "uuid", "pci"),
    "mig": ("name", "uuid"),
    "pci": ("name", "device", "vendor"),
    "package": ("version",),
    "library": ("path",),
}
_NOBODY: Fact[Value] = Unknown("nobody looked")


class _Machine(NamedTuple):
    """One side: its facts, and the same without what tells whose machine it is."""

    facts: Facts
    anonymous: Facts
    decisive: frozenset[str]


def compare(
    a: Report, b: Report, *, labels: tuple[str, str] = ("A", "B"), everything: bool = False
) -> Comparison:
    """What differs between two machines, or between two looks at one.

    Facts that differ only by who owns the machine (a home folder, a user's name) are the same.
    What changes by itself (temperature, clocks, free memory, processes) and what tells one card
    from another of its kind (UUID, slot) is left out unless `everything` is asked for.
    """
    changed = _cause(a) != _cause(b)
    left, right = _machine(a, counts=changed), _machine(b, counts=changed)
    gpus = Gpus(a.facts, b.facts)
    differences, unseen = [], []
    for pair in pairs(left.facts, right.facts):
        if not everything and (is_noise(pair.name) or gpus.follows(pair.name)):
            continue
        found = _compared(pair, left, right, gpus)
        if found is None:
            continue
        if isinstance(found, Difference):
            differences.append(found)
        else:
            unseen.append(found)
    differences.sort(key=lambda each: (not each.decisive, each.link, place_of(each.name)))
    return Comparison(
        _side(a, labels[0]),
        _side(b, labels[1]),
        tuple(differences),
        tuple(sorted(unseen)),
        tuple(gpus.lost()),
    )


def _cause(report: Report) -> tuple[str, str | None]:
    root = report.diagnosis.root
    return report.verdict.value, None if root is None else root.rule.code


def _machine(report: Report, *, counts: bool) -> _Machine:
    root = report.diagnosis.root
    named = {each.fact for each in root.finding.evidence} if root is not None and counts else ()
    return _Machine(report.facts, redact_facts(report.facts, report.identity), frozenset(named))


def _side(report: Report, label: str) -> Side:
    root = report.diagnosis.root
    if root is None:
        return Side(label, report.verdict, None, None)
    named = Root(root.rule.code, root.rule.name, root.cause)
    return Side(label, report.verdict, named, headline(root))


def _compared(pair: Pair, a: _Machine, b: _Machine, gpus: Gpus) -> Difference | str | None:
    """A difference; the name, where one side could not look; None, where both are the same."""
    one, other = _fact(pair.a, pair.name, a), _fact(pair.b, pair.name, b)
    one, other = gpus.peers(pair.name, one, other)
    both = pair.a is not None and pair.b is not None
    if _same(one, other) or (both and _same(_anonymous(pair.a, a), _anonymous(pair.b, b))):
        return None
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        # What an older gpuprobe did not look for is no difference where the other found nothing.
        nothing = isinstance(one, Absent) or isinstance(other, Absent)
        return None if nothing else pair.name
    decisive = _is_decisive(pair.a, a) or _is_decisive(pair.b, b)
    return Difference(pair.name, link_of(pair.name), decisive, one, other)


def _same(one: Fact[Value], other: Fact[Value]) -> bool:
    if isinstance(one, Known) and isinstance(other, Known):
        return one.value == other.value
    return type(one) is type(other)


def _is_decisive(name: str | None, machine: _Machine) -> bool:
    return name is not None and any(
        fact == name or fact.startswith(f"{name}.") for fact in machine.decisive
    )


def _anonymous(name: str | None, machine: _Machine) -> Fact[Value]:
    return machine.anonymous.get(name or "", _NOBODY)


def _fact(name: str | None, thing: str, machine: _Machine) -> Fact[Value]:
    """A fact of one side; of a thing as a whole, what it is called there."""
    if name is None:
        return _not_there(thing.partition(".")[0], machine.facts)
    if name in machine.facts:
        return machine.facts[name]
    if name.endswith(".copies"):  # said only where there are several
        return Absent("there is one copy")
    if name.endswith(".failure"):  # a text tells of those that failed only
        return Absent("no failure is told")
    if name.count(".") == 1 and thing_of(f"{name}.x") is not None:
        return _called(name, machine.facts)
    return _NOBODY


def _called(thing: str, facts: Facts) -> Fact[Value]:
    fields = (facts.get(f"{thing}.{field}") for field in _CALLED[thing.partition(".")[0]])
    unnamed: Fact[Value] = Known("there", thing)
    return next((fact for fact in fields if isinstance(fact, Known)), unnamed)


def _not_there(family: str, facts: Facts) -> Fact[Value]:
    """That a side has no such thing; unknown, where nobody looked for things of this family."""
    looked: dict[str, Iterator[bool]] = {
        "gpu": (isinstance(facts.fact(key), Known) for key in COUNTS),
        "pci": iter((isinstance(facts.fact(names.PCI_GPU_COUNT), Known),)),
        "mig": iter((isinstance(facts.fact(names.NVML_COUNT), Known),)),
        "package": iter((isinstance(facts.fact(names.PACKAGE_FOLDERS), Known),)),
        "library": iter((isinstance(facts.fact(names.PACKAGE_FOLDERS), Known),)),
    }
    return Absent(f"no such {family}") if any(looked[family]) else _NOBODY
