"""A fact in words, as reports of gpuprobe show it: its name, its value, where it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...model import Absent, Key, Known, Unknown, Value
from ...regex import regex
from ...snapshot import find_key
from ...version import Version
from ..values import size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..statement import Statement, Statements

NAME = r"[a-z]\w*(?:\.[\w+-]+)+"
#: One more than the value has in a row, where it stands in this fence.
_FENCE = "`{1,20}"
_ROWS = (
    regex(
        rf"^\|\s*`({NAME})`\s*\|\s*{_FENCE} ?((?:[^|]|(?<=\\)\|)*?) ?{_FENCE}\s{{0,80}}\|"
        r"((?:[^|\\]|\\.)*)\|$"
    ),
    regex(rf"^(?:  Seen)?\s+({NAME}) = (.*?)(?: \(([^()]*(?:\([^()]*\)[^()]*)?)\))?$"),
    regex(rf"^- `({NAME})` = {_FENCE} ?(.*?) ?{_FENCE}, from (.*)$"),
)
#: How a piece of evidence begins, which is wrapped: a fact, or a line of the text that was judged.
STATED = regex(rf"{NAME} = ")
QUOTED = regex(r"line \d{1,9}:(?: |\Z)")
_ESCAPED = regex(r"\\([\\`*_{}\[\]<>#|~&])")  # as Markdown writes these characters
_LINE = regex(r"\A(line \d{1,9}) of the text\Z")
#: A size as a finding's evidence shows it; in the tables of all facts it stands in bytes.
_SIZE = regex(r"(?a)\A(\d{1,9}(?:\.\d)?) ([KMGT]i)?B\Z")
#: As reports show a text without letters.
_EMPTY = "(empty)"
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def pieces(lines: Iterable[str]) -> list[tuple[int, list[str]]]:
    """The lines of each piece of evidence, and the place of the first of them."""
    found: list[tuple[int, list[str]]] = []
    for at, line in enumerate(lines):
        if not found or STATED.match(line) or QUOTED.match(line):
            found.append((at, []))
        found[-1][1].append(line)
    return found


def row(line: str, place: str = "") -> Statements:
    """The fact of a line, with its own source where it names one."""
    for match in filter(None, (form.match(line.rstrip()) for form in _ROWS)):
        shown = match[2].replace("\\|", "|")
        source = elsewhere(_ESCAPED.sub(r"\1", match[3].strip())) if match[3] else place
        yield from stated(match[1], shown, source)


def elsewhere(source: str) -> str:
    """A line of the text that a report judged is none of the text that the report stands in."""
    return _LINE.sub(r"\1 of another text", source)


def stated(name: str, shown: str, source: str) -> Statements:
    """The fact of this name, where there is one and the words tell its value."""
    key = find_key(name)
    if key is None:
        return
    if shown in ("absent", "unknown"):
        yield cast("Statement", (key, (Absent if shown == "absent" else Unknown)(source)))
        return
    value = _value(key, shown)
    if value is not None:
        yield cast("Statement", (key, Known(value, source)))


def _value(key: Key[object], shown: str) -> Value | None:
    """The value in the key's type; None where the words state none."""
    shown = "" if shown == _EMPTY else shown
    if key.type is Version:
        return Version.parse(shown)
    if key.type is bool:
        return _YES_NO.get(shown.lower())
    if key.type is tuple:
        return () if shown in ("", "none") else tuple(shown.split(", "))
    size = _SIZE.match(shown)
    if size and key.name.endswith("_bytes"):
        return size_bytes(size[1], size[2] or "")
    try:
        if key.type is int:
            return int(shown)
        return float(shown) if key.type is float else shown
    except ValueError:
        return None
