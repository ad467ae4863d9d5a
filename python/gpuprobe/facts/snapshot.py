"""Facts as JSON and back, for snapshots and reports.

Known: ``{"value": "535.104.05", "source": "nvmlSystemGetDriverVersion"}``; absent:
``{"value": null, "source": "/proc/driver/nvidia/version"}``; unknown:
``{"unknown": "cuInit: 803 …", "how": "gpuprobe doctor"}``; each under the fact's name.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from . import locked, names, reported, said
from .model import Absent, Fact, Facts, Family, Key, Known, Unknown, Value
from .strict import GarbageError, Json
from .version import Version

if TYPE_CHECKING:
    from collections.abc import Mapping

JsonValue = bool | int | float | str | list[str] | None
JsonFact = dict[str, JsonValue]


class SnapshotError(ValueError):
    """A snapshot that cannot be read; the text names the place and what is wrong there."""


def facts_to_json(facts: Facts) -> dict[str, JsonFact]:
    """All facts by name, ready for `json.dumps`."""
    return {name: _fact_to_json(name, fact) for name, fact in facts.items()}


def _fact_to_json(name: str, fact: Fact[Value]) -> JsonFact:
    if isinstance(fact, Unknown):
        key = find_key(name)
        return {"unknown": fact.reason, "how": key.how if key else None}
    if isinstance(fact, Absent):
        return {"value": None, "source": fact.source}
    value = fact.value
    if isinstance(value, tuple):
        return {"value": list(value), "source": fact.source}
    return {"value": str(value) if isinstance(value, Version) else value, "source": fact.source}


def facts_from_json(data: object) -> tuple[Facts, tuple[str, ...]]:
    """The facts, and the names that this version does not know (a newer one wrote them).

    Raises `SnapshotError` where a fact that we know is not what it should be.
    """
    facts: dict[str, Fact[Value]] = {}
    skipped = []
    try:
        for name, found in Json(data, "facts").fields():
            key = find_key(name)
            if key is None:
                skipped.append(name)
            else:
                facts[name] = _fact_from_json(key, Json(found.value, f"facts[{name!r}]"))
    except GarbageError as error:
        raise SnapshotError(str(error)) from None
    return Facts(facts), tuple(skipped)


def _fact_from_json(key: Key[object], data: Json) -> Fact[Value]:
    unknown = data.opt("unknown", str)
    if unknown is not None:
        return Unknown(unknown)
    source = data.at("source").a(str)
    if "value" not in dict(data.fields()):
        raise data.wrong("an object with 'value' or 'unknown'")
    value = data.find("value")
    return Absent(source) if value is None else Known(_value(key, value), source)


def _value(key: Key[object], data: Json) -> Value:
    """The value in the key's own type."""
    if key.type is Version:
        version = Version.parse(data.a(str))
        if version is None:
            raise data.wrong('a version such as "12.4"')
        return version
    if key.type is tuple:
        return tuple(item.a(str) for item in data.items())
    if key.type is bool:
        return data.a(bool)
    if key.type is int:
        return data.a(int)
    return data.a(float) if key.type is float else data.a(str)


def find_key(name: str) -> Key[object] | None:
    """The key of a fact's name; None where the catalogue has none."""
    keys, families = _catalogue()
    if name in keys:
        return keys[name]
    for family in families:
        head, _, tail = family.pattern.partition("{}")
        subject = name[len(head) : len(name) - len(tail)]
        if subject and "." not in subject and name == f"{head}{subject}{tail}":
            return family(subject)
    return None


@cache
def _catalogue() -> tuple[Mapping[str, Key[object]], tuple[Family[object], ...]]:
    known = (*names.catalogue(), *said.catalogue(), *locked.catalogue(), *reported.catalogue())
    keys = {each.name: each for each in known if isinstance(each, Key)}
    return keys, tuple(each for each in known if isinstance(each, Family))
