"""Why was there no memory on the GPU?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.memory import (
    enlarge_paging_file,
    fit_the_work,
    see_who_holds_it,
    share_the_memory,
)
from ..model import Confidence, Finding, Findings, Link, Severity, cite, rule
from ..questions.driver.state import gpu_subject
from ..questions.gpus.users import held_by_this_one
from ..questions.source import anything_said, looked_at
from ..questions.statements import errors

if TYPE_CHECKING:
    from ...facts.model import Facts


@rule("GP701", "oom-other-process", cause="oom-other-process", link=Link.WORK, since="0.1")
def oom_other_process(facts: Facts) -> Findings:
    """Another process holds the memory that the program wants."""
    if looked_at(facts):
        yield from _held_now(facts)
        return
    yield from _found(facts, "oom-other-process")


#: With less than this share free a program finds no room for more than its own context.
_NEXT_TO_NOTHING = 0.05


def _held_now(facts: Facts) -> Findings:
    """GPUs whose memory other processes hold at this moment."""
    gpus = facts.subjects(names.GPU_MEMORY_FREE)
    in_use = {gpu: _in_use_where_full(facts, gpu) for gpu in gpus}
    full = {gpu: size_bytes for gpu, size_bytes in in_use.items() if size_bytes is not None}
    for gpu, size_bytes in full.items():
        if held_by_this_one(facts, gpu) * 2 > size_bytes:  # more than all others together
            yield _held_by_this_one(facts, gpu)
            continue
        users = (names.GPU_PROCESSES(gpu), names.GPU_PROCESS_BYTES(gpu))
        yield Finding(
            f"Other processes hold next to all memory of GPU {gpu}: {_free(facts, gpu)}",
            cite(facts, names.GPU_MEMORY_FREE(gpu), names.GPU_MEMORY(gpu), *users),
            see_who_holds_it(facts),
            severity=Severity.ERROR if len(full) == len(gpus) else Severity.WARNING,
            subject=gpu_subject(facts, gpu),
        )
    if facts.known(names.KERNEL_OUTCOME) == "not run":  # perhaps for want of memory
        for gpu in gpus:
            facts.look(names.GPU_MEMORY_FREE(gpu))
            facts.look(names.GPU_MEMORY(gpu))


def _in_use_where_full(facts: Facts, gpu: str) -> int | None:
    """Bytes in use of a GPU with next to nothing free; None: there is room, or nobody tells."""
    free, total = facts.known(names.GPU_MEMORY_FREE(gpu)), facts.known(names.GPU_MEMORY(gpu))
    if free is None or total is None or free >= _NEXT_TO_NOTHING * total:
        return None
    return total - free


def _free(facts: Facts, gpu: str) -> str:
    from ..questions.memory.kinds import size_of

    free, total = facts.need(names.GPU_MEMORY_FREE(gpu)), facts.need(names.GPU_MEMORY(gpu))
    return f"{size_of(free)} of {size_of(total)} are free"


def _held_by_this_one(facts: Facts, gpu: str) -> Finding:
    """As TensorFlow and JAX do at their start, so that it says nothing of a fault."""
    return Finding(
        f"This program itself holds next to all memory of GPU {gpu}: {_free(facts, gpu)}",
        cite(facts, names.GPU_MEMORY_FREE(gpu), names.GPU_MEMORY(gpu), names.GPU_PROCESSES(gpu)),
        share_the_memory(facts),
        severity=Severity.NOTE,
        subject=gpu_subject(facts, gpu),
    )


@rule("GP702", "oom-preallocation", cause="oom-preallocation", link=Link.WORK, since="0.1")
def oom_preallocation(facts: Facts) -> Findings:
    """The framework takes the memory in advance, and a library finds none."""
    yield from _found(facts, "oom-preallocation")


@rule("GP703", "oom-workload", cause="oom-workload", link=Link.WORK, since="0.1")
def oom_workload(facts: Facts) -> Findings:
    """The work does not fit into the GPU's memory."""
    yield from _found(facts, "oom-workload")
    yield from _spilled(facts)


@rule("GP704", "paging-file-too-small", cause="oom-workload", link=Link.WORK, since="0.1")
def paging_file_too_small(facts: Facts) -> Findings:
    """Windows has no memory left to promise to programs, whatever the GPU has.

    A note, since it says nothing of the GPU: what has to change is none of the causes.
    """
    if told := errors(facts, "WIN32_1455"):
        yield Finding(
            "Windows has no memory left to promise: its paging file is too small (error 1455)",
            cite(facts, *told),
            enlarge_paging_file(),
            severity=Severity.NOTE,
        )


def _spilled(facts: Facts) -> Findings:
    """Windows gave the work main memory for what the GPU has no room for, and no error."""
    spilled = facts.known(said.MEMORY_SPILLED)
    if spilled is None:
        return
    from ..questions.memory.faults import memory_fault

    if memory_fault(facts) is None:
        size = f"{spilled / (1 << 30):.1f} GiB"
        yield Finding(
            f"The GPU's memory is full, and Windows puts {size} of its programs' into main memory",
            cite(facts, said.MEMORY_SPILLED),
            fit_the_work(facts),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )


def _found(facts: Facts, cause: str) -> Findings:
    shown = not looked_at(facts) and facts.subjects(names.GPU_MEMORY_FREE)
    if not (anything_said(facts) or shown):
        return
    from ..fixes.memory import REPAIRS, end_stopped_job
    from ..questions.memory.faults import memory_fault

    fault = memory_fault(facts)
    if fault is not None and fault.cause == cause:
        stopped = said.SIGN("process-stopped") in fault.keys
        fix = end_stopped_job() if stopped else REPAIRS[cause](facts)
        yield Finding(fault.title, cite(facts, *fault.keys), fix, confidence=fault.confidence)
