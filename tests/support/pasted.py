"""What a pasted text states, as plain values, and what its report says and advises."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import gpuprobe
from gpuprobe.examine import judge
from gpuprobe.facts.model import Known
from gpuprobe.facts.pasted import read

if TYPE_CHECKING:
    from gpuprobe.diagnosis.model import Finding, Fix


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


def finding(pasted: str) -> Finding:
    """The root cause that the report names."""
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    return root.finding


def fix(pasted: str) -> Fix:
    """What the report advises."""
    return finding(pasted).fix


def commands(pasted: str) -> str:
    """Its commands, one a line."""
    return "\n".join(fix(pasted).commands)


def printed(pasted: str) -> str:
    """All that it advises in one text: the sentence, the commands and the way back."""
    advised = fix(pasted)
    return " ".join((advised.text, *advised.commands, advised.undo or ""))


def title_and_fix(pasted: str) -> str:
    """The title of the root cause by the rules, without the words' reading, and its fix."""
    root = judge(read(pasted), skip=("reads-like",), source="text").diagnosis.root
    assert root is not None
    advised = root.finding.fix
    return " ".join((root.finding.title, *((advised.text, *advised.commands) if advised else ())))
