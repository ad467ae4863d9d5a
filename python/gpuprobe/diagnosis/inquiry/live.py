"""What to do next where a machine was looked at, and something that matters could not be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Absent, Facts
from ...ourselves import REINSTALL, WHERE
from ..model import Checked, MissingFact, NextStep

if TYPE_CHECKING:
    from collections.abc import Sequence


WITHOUT_CORE = NextStep(
    "c-core",
    f"install a C compiler and run this{WHERE}, then gpuprobe again: it was installed without its "
    "C core, so it cannot ask the driver",
    (REINSTALL,),
)
NORMAL_LEVEL = NextStep(
    "normal-level",
    "run this, which also starts CUDA and computes something: without that no more can be seen",
    ("gpuprobe doctor --level normal",),
)
_FEW = 3


def next_step(facts: Facts, open_checks: Sequence[Checked]) -> NextStep | None:
    """The look that most of the `open_checks` wait for; None where only checks crashed."""
    waiting: dict[MissingFact, list[str]] = {}
    for check in open_checks:
        if check.missing is not None:
            waiting.setdefault(check.missing, []).append(check.rule.name)
    if not waiting:
        return None
    if isinstance(facts.fact(names.PROBE_PROGRAM), Absent):
        return WITHOUT_CORE
    if facts.known(names.PROBE_LEVEL) == "quick":
        return NORMAL_LEVEL
    by_others = [each for each in waiting if not each.how.startswith("gpuprobe")]
    missing = max(by_others or waiting, key=lambda each: len(waiting[each]))
    return _look(missing, waiting[missing])


def _look(missing: MissingFact, rules: Sequence[str]) -> NextStep:
    some = ", ".join(rules[:_FEW]) + (" and others" if len(rules) > _FEW else "")
    text = (
        "run this, and let gpuprobe explain judge what it prints; it shows "
        f"{missing.fact}, which decides about {some}"
    )
    return NextStep(missing.fact, text, (missing.how,))
