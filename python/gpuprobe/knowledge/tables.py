"""The loader: one JSON file a subject beside this module, read once, at the first look-up.

A table is a JSON object of sections; a section is a list of records, one a line. Every record
names the `sources` that it rests on, and the section "sources" says what those are and when they
were read. A record marked ``"unverified": true`` was found in no source that states it plainly.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..facts.version import Version

#: What JSON can hold; the accessors of `Record` narrow it and name the record that is at fault.
Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]


#: The same few release numbers stand in many records.
_version = functools.cache(Version)


_RELEASE = re.compile(r"v?(\d+(?:\.\d+)*)", re.ASCII)


def release_number(text: str) -> Version | None:
    """The release in the version of a Python package: 2.15.0 in ``2.15.0.post1``; None: none."""
    found = _RELEASE.match(text.strip())
    return None if found is None else Version(found.group(1))


class TableError(Exception):
    """A table of the package is missing or malformed: a fault of this installation."""


@dataclass(frozen=True, slots=True)
class Unstated:
    """The tables do not answer the question; `reason` says what is missing. Never a "no"."""

    reason: str


class Record:
    """One line of a table; each accessor checks the type, absent is None or empty."""

    __slots__ = ("_fields", "_section", "_table")

    def __init__(self, table: Table, section: str, fields: Mapping[str, Json]) -> None:
        self._table, self._section, self._fields = table, section, fields

    def _fail(self, name: str, wanted: str) -> TableError:
        where = f"{self._table.name}.json, {self._section}"
        return TableError(f"{where}: {name!r} is no {wanted} in {dict(self._fields)}")

    def text_or_none(self, name: str) -> str | None:
        """The text under `name`; None where the record has none."""
        value = self._fields.get(name)
        if value is not None and not isinstance(value, str):
            raise self._fail(name, "text")
        return value

    def text(self, name: str) -> str:
        """The text under `name`; raises `TableError` where there is none."""
        value = self.text_or_none(name)
        if value is None:
            raise self._fail(name, "text")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts under `name`; empty where there is none."""
        value = self._fields.get(name, ())
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self._fail(name, "list")
        items = tuple(item for item in value if isinstance(item, str))
        if len(items) != len(value):
            raise self._fail(name, "list of texts")
        return items

    def number_or_none(self, name: str) -> float | None:
        """The number under `name`; None where the record has none."""
        value = self._fields.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._fail(name, "number")
        return value

    def number(self, name: str) -> float:
        """The number under `name`; raises `TableError` where there is none."""
        value = self.number_or_none(name)
        if value is None:
            raise self._fail(name, "number")
        return value

    def integer_or_none(self, name: str) -> int | None:
        """The integer under `name`; None where the record has none."""
        value = self.number_or_none(name)
        if value is not None and not isinstance(value, int):
            raise self._fail(name, "integer")
        return value

    def integer(self, name: str) -> int:
        """The integer under `name`; raises `TableError` where there is none."""
        value = self.integer_or_none(name)
        if value is None:
            raise self._fail(name, "integer")
        return value

    def flag(self, name: str) -> bool:
        """Whether `name` is true; absent is false."""
        return self._fields.get(name) is True

    def flag_or_none(self, name: str) -> bool | None:
        """True or false as the record says; None where it does not say."""
        value = self._fields.get(name)
        return value if isinstance(value, bool) else None

    def version_or_none(self, name: str) -> Version | None:
        """The release number under `name`; None where the record has none."""
        value = self.text_or_none(name)
        return None if value is None else _version(value)

    def version(self, name: str) -> Version:
        """The release number under `name`; raises `TableError` where there is none."""
        return _version(self.text(name))

    def versions(self, name: str) -> tuple[Version, ...]:
        """The list of release numbers under `name`; empty where there is none."""
        return tuple(_version(text) for text in self.texts(name))

    def has(self, name: str) -> bool:
        """Whether the record has a field `name`."""
        return name in self._fields

    def spans(self, version: Version) -> bool:
        """Whether `version` lies in the record's span; 1.22.1 still belongs to a span to 1.22."""
        first, last = self.version("from"), self.version_or_none("to")
        return first <= version and (last is None or version.parts[: len(last.parts)] <= last.parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields that this record has."""
        return tuple(self._fields)

    @property
    def verified(self) -> bool:
        """False for a record that no source states plainly."""
        return not self.flag("unverified")

    @property
    def source(self) -> str:
        """Where the record comes from, for a finding's evidence: table, source ids, date."""
        ids = self.texts("sources")
        dates = sorted({self._table.read_date(source) or "" for source in ids} - {""})
        text = f"table {self._table.name}/{self._section}"
        if ids:
            text += f" [{', '.join(ids)}]"
        if dates:
            text += f", read {dates[-1]}"
        return text if self.verified else text + ", unverified"


class Table:
    """One subject: its sections and the sources that their records name."""

    __slots__ = ("_read", "_sections", "name")

    def __init__(self, name: str, content: Json) -> None:
        self.name = name
        if not isinstance(content, Mapping):
            raise TableError(f"{name}.json: not an object")
        self._sections = {
            section: tuple(Record(self, section, row) for row in rows if isinstance(row, Mapping))
            for section, rows in content.items()
            if isinstance(rows, Sequence) and not isinstance(rows, str)
        }
        self._read = {row.text("id"): row.text_or_none("read") for row in self.section("sources")}

    @property
    def sections(self) -> tuple[str, ...]:
        """The names of the sections, in the order of the file."""
        return tuple(self._sections)

    def section(self, name: str) -> tuple[Record, ...]:
        """The records of a section; raises `TableError` where there is no such section."""
        try:
            return self._sections[name]
        except KeyError:
            raise TableError(f"{self.name}.json has no section {name!r}") from None

    def read_date(self, source: str) -> str | None:
        """The day on which a source was read; None for one that is named but was not read."""
        try:
            return self._read[source]
        except KeyError:
            raise TableError(f"{self.name}.json names no source {source!r}") from None


@functools.cache
def load(name: str) -> Table:
    """The table `name`; raises `TableError` where the file is missing or is not JSON."""
    import json

    # A plain file name: importlib.resources and pathlib cost more than reading the table.
    path = f"{__file__.rpartition('tables')[0]}data/{name}.json"
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            content: Json = json.load(file)
    except (OSError, ValueError) as error:
        raise TableError(f"cannot read the table {name}: {error}") from error
    return Table(name, content)
