"""One set of facts out of many statements: the first about a fact counts.

GPUs need more care. Each reader numbers them in its own way, and a person's form lists others
than a container sees. So the reader that names GPUs first says which there are; later readers
add what is not known of a GPU that they call by the same name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...knowledge.products import by_name
from .. import names, said
from ..model import Fact, Known, Value
from ..regex import regex
from ..version import Version
from . import gpu_names
from .gpu_names import is_cut, may_be_one

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .statement import Statement

_GPU = regex(r"(?a)\Agpu\.(\d{1,3})\.(\w+)\Z")

Found = dict[str, Fact[Value]]


def add(facts: Found, statements: Iterable[Statement]) -> None:
    """The statements of one reader, which is trusted less than those before it."""
    gpus: dict[str, Found] = {}
    for key, told in statements:
        if (fact := _sound(key.name, told)) is None:
            continue
        match = _GPU.match(key.name) if key.name.startswith("gpu.") else None
        if match is None:
            facts.setdefault(key.name, fact)
        else:
            gpus.setdefault(match[1], {}).setdefault(match[2], fact)
    if gpus:
        _add_gpus(facts, gpus)


#: Of NVIDIA's drivers; smaller numbers are the CUDA that a driver serves.
_FIRST_DRIVER = 100


def _sound(name: str, fact: Fact[Value]) -> Fact[Value] | None:
    """A statement without what cannot belong to it; None where nothing of it is left."""
    if not isinstance(fact, Known):
        return fact
    if name == names.DRIVER_VERSION.name and isinstance(fact.value, Version):
        return fact if fact.value.major >= _FIRST_DRIVER else None
    if name.startswith("gpu.") and name.endswith(".name"):
        tidied = gpu_names.tidied(str(fact.value))
        return None if tidied is None else Known(tidied, fact.source)
    return fact


def _add_gpus(facts: Found, gpus: dict[str, Found]) -> None:
    known = _names(facts)
    taken: set[str] = set()
    for number, fields in gpus.items():
        name = _text(fields.get("name"))
        place = number if not known else _place(number, name, known, taken)
        if place is None:
            named = fields.get("name")
            if number in known and isinstance(named, Known):
                facts.setdefault(said.MACHINES.name, Known(2, named.source))
            continue
        taken.add(place)
        if name and known and is_cut(known.get(place, "")) and not is_cut(name):
            facts[names.GPU_NAME(place).name] = fields["name"]
        for field, fact in fields.items():
            if field != "capability" or _may_have(known.get(place, ""), fact):
                facts.setdefault(f"gpu.{place}.{field}", fact)


def _may_have(name: str, capability: Fact[Value]) -> bool:
    """Whether the table does not know the GPU of this name by other capabilities alone."""
    listed = by_name(name)
    told = capability.value if isinstance(capability, Known) else None
    return listed is None or told is None or told in listed.capabilities


def _names(facts: Found) -> dict[str, str]:
    """The GPUs that are known by name, by their numbers."""
    found = (
        (match[1], fact)
        for key, fact in facts.items()
        if (match := _GPU.match(key)) and match[2] == "name"
    )
    return {number: _text(fact) for number, fact in found}


def _text(fact: Fact[Value] | None) -> str:
    return cast("str", fact.value) if isinstance(fact, Known) else ""


def _place(number: str, name: str, known: dict[str, str], taken: set[str]) -> str | None:
    """The GPU that is meant: of the same number if the name agrees, else of the same name.

    One more of a kind that is known, under a new number, is one more.
    """
    if number in known and number not in taken and (not name or may_be_one(name, known[number])):
        return number
    if not name:
        return None
    alike = [each for each in known if may_be_one(name, known[each])]
    free = (each for each in alike if each not in taken)
    return next(free, number if alike and number not in known else None)
