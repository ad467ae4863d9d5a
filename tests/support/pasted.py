"""What a pasted text states, as plain values: for the tests of its readers."""

from __future__ import annotations

from textwrap import dedent

from gpuprobe.facts.model import Known
from gpuprobe.facts.pasted import read


def told(pasted: str) -> dict[str, object]:
    """Every fact of the machine by name; versions as texts, None for what is not there."""
    facts = read(dedent(pasted).strip("\n"))
    return {
        name: _plain(fact.value) if isinstance(fact, Known) else None
        for name, fact in facts.items()
        if not name.startswith(("sign.", "noise.", "error.", "about."))
    }


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float | tuple) else str(value)


def some(found: dict[str, object], *names: str) -> dict[str, object]:
    """The facts of these families: ``some(told(…), "gpu", "driver")``."""
    return {name: value for name, value in found.items() if name.partition(".")[0] in names}
