"""Why was there no memory on the GPU?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Finding, Link, cite, rule
from ..questions.driver_state import anything_said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts


@rule("GP701", "oom-other-process", cause="oom-other-process", link=Link.WORK, since="0.1")
def oom_other_process(facts: Facts) -> Iterator[Finding]:
    """Another process holds the memory that the program wants."""
    yield from _found(facts, "oom-other-process")


@rule("GP702", "oom-preallocation", cause="oom-preallocation", link=Link.WORK, since="0.1")
def oom_preallocation(facts: Facts) -> Iterator[Finding]:
    """The framework takes the memory in advance, and a library finds none."""
    yield from _found(facts, "oom-preallocation")


@rule("GP703", "oom-workload", cause="oom-workload", link=Link.WORK, since="0.1")
def oom_workload(facts: Facts) -> Iterator[Finding]:
    """The work does not fit into the GPU's memory."""
    yield from _found(facts, "oom-workload")


def _found(facts: Facts, cause: str) -> Iterator[Finding]:
    if not anything_said(facts):
        return
    from ..fixes.memory import REPAIRS
    from ..questions.memory_faults import memory_fault

    fault = memory_fault(facts)
    if fault is not None and fault.cause == cause:
        fix = REPAIRS[cause]()
        yield Finding(fault.title, cite(facts, *fault.keys), fix, confidence=fault.confidence)
