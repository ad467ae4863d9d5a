"""Why was there no memory on the GPU?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..fixes.memory import fit_the_work, grow_on_demand, see_who_holds_it
from ..memory_faults import OTHERS, PREALLOCATED, WORKLOAD, memory_fault
from ..model import Finding, Link, cite, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts
    from ..model import Fix


@rule("GP701", "oom-other-process", cause=OTHERS, link=Link.WORK, since="0.1")
def oom_other_process(facts: Facts) -> Iterator[Finding]:
    """Another process holds the memory that the program wants."""
    yield from _found(facts, OTHERS, see_who_holds_it())


@rule("GP702", "oom-preallocation", cause=PREALLOCATED, link=Link.WORK, since="0.1")
def oom_preallocation(facts: Facts) -> Iterator[Finding]:
    """The framework takes the memory in advance, and a library finds none."""
    yield from _found(facts, PREALLOCATED, grow_on_demand())


@rule("GP703", "oom-workload", cause=WORKLOAD, link=Link.WORK, since="0.1")
def oom_workload(facts: Facts) -> Iterator[Finding]:
    """The work does not fit into the GPU's memory."""
    yield from _found(facts, WORKLOAD, fit_the_work())


def _found(facts: Facts, cause: str, fix: Fix) -> Iterator[Finding]:
    fault = memory_fault(facts)
    if fault is not None and fault.cause == cause:
        yield Finding(fault.title, cite(facts, *fault.keys), fix, confidence=fault.confidence)
