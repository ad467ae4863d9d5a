"""Reading JSON that others wrote.

Every value is asked for by its type, and an error names the place:
``devices[1].capability: expected two integers, found "9.0"``.
"""

from __future__ import annotations

import json
from collections import Counter
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T", str, int, float, bool)

_NAMES = {str: "a text", int: "an integer", float: "a number", bool: "true or false"}
_SHOWN = 60
#: Of 64 bits.
_GREATEST = (1 << 64) - 1


class GarbageError(ValueError):
    """A JSON document that is not what it should be; the text names the place."""


class Json:
    """One value of a JSON document and the path that leads to it."""

    __slots__ = ("path", "value")

    def __init__(self, value: object, path: str = "") -> None:
        self.value, self.path = value, path

    @classmethod
    def parse(cls, text: str | bytes, *, once: bool = False) -> Json:
        """The document; bytes may be UTF-8 or UTF-16.

        Raises `GarbageError` where it is none, or nested without end; with `once` also where a name
        stands twice in one object, of which Python would keep the last in silence.
        """
        try:
            return cls(json.loads(text, object_pairs_hook=_once if once else None))
        except GarbageError:
            raise
        except (ValueError, RecursionError) as error:
            raise GarbageError(f"not JSON: {error}") from None

    def wrong(self, expected: str) -> GarbageError:
        """The error that says what was expected here, and what was found."""
        found = json.dumps(self.value, ensure_ascii=False, default=str)
        found = found if len(found) <= _SHOWN else found[:_SHOWN] + "…"
        return GarbageError(f"{self.path or 'the document'}: expected {expected}, found {found}")

    def fields(self) -> Iterator[tuple[str, Json]]:
        """Names and values of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        for name, value in self.value.items():
            yield name, Json(value, self._path_of(name))

    def _path_of(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def items(self) -> Iterator[Json]:
        """The values of an array."""
        if not isinstance(self.value, list):
            raise self.wrong("an array")
        for number, value in enumerate(self.value):
            yield Json(value, f"{self.path}[{number}]")

    def find(self, name: str) -> Json | None:
        """A field of an object, or None where it is missing or null."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        value = self.value.get(name)
        return None if value is None else Json(value, self._path_of(name))

    def at(self, name: str) -> Json:
        """A field of an object that has to be there."""
        found = self.find(name)
        if found is None:
            raise self.wrong(f"an object with {name!r}")
        return found

    def a(self, kind: type[T]) -> T:
        """The value, of this type. An integer is a number; true and false are neither.

        Python also reads NaN, Infinity and integers without end: nobody measured those.
        """
        value = self.value
        is_odd = isinstance(value, int | float) and not _is_measurable(value)
        if is_odd or isinstance(value, bool) is not (kind is bool):
            raise self.wrong(_NAMES[kind])
        if kind is float and isinstance(value, int):
            return kind(value)
        if not isinstance(value, kind):
            raise self.wrong(_NAMES[kind])
        return value

    def opt(self, name: str, kind: type[T]) -> T | None:
        """A field of this type, or None where it is missing or null."""
        found = self.find(name)
        return found.a(kind) if found is not None else None

    def codes(self, name: str) -> dict[str, int | None]:
        """The codes of calls under `name`; None where a call had none to give."""
        found = self.find(name)
        members = () if found is None else found.fields()
        return {key: None if code.value is None else code.a(int) for key, code in members}


def _is_measurable(number: float) -> bool:
    return abs(number) <= _GREATEST if isinstance(number, int) else isfinite(number)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise GarbageError(f"{twice!r} stands twice in one object")
    return found
