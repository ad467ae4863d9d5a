"""The processes that hold memory of a GPU, as JSON has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

#: As `facts/gpus/users.py` writes them; a name may hold anything.
_HOLDER = regex(
    r"(?s)(?:(?P<name>.*) \()?process (?P<pid>\d{1,10})(?: of the host|, this one)?\)?"
    r": (?:(?P<mib>\d{1,9}) MiB|memory not told)"
)
_MIB = 1 << 20


def rows(processes: Sequence[str] | None) -> list[dict[str, object]] | None:
    """Number, program and bytes of each, and its words; None where nobody knows who holds some."""
    return None if processes is None else [_row(each) for each in processes]


def _row(words: str) -> dict[str, object]:
    found = _HOLDER.fullmatch(words)
    pid, name, mib = (None,) * 3 if found is None else found.group("pid", "name", "mib")
    return {
        "pid": None if pid is None else int(pid),
        "name": name,
        "held_bytes": None if mib is None else int(mib) * _MIB,
        "words": words,
    }
