"""What the kernel module logged of a GPU."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Facts, NotThere
from ...facts.regex import regex
from ..fixes.device import look_at_memory, read_kernel_log
from ..fixes.program import find_the_access
from ..model import Confidence, Finding, Findings, Link, Severity, cite, rule
from ..questions.applicable import not_without_gpu
from ..questions.driver.state import answer, works
from ..questions.place import place_of
from ..questions.source import looked_at
from .hardware import sees_no_gpu

if TYPE_CHECKING:
    from ...knowledge.xid import Xid

#: The newer events of NVLink are of both kinds; the line says whether something failed.
_HARMLESS = r"(?i)\bnon-?fatal\b"


#: A double-bit error, what is noted of it or could not be, and errors that ECC did not contain.
_MEMORY = (48, 63, 64, 94, 95)


@rule("GP104", "xid", cause="device-lost", link=Link.HARDWARE, since="0.1")
def xid(facts: Facts) -> Findings:
    """The kernel logged an Xid event, by which a GPU failed."""
    events = _listed(facts)
    if not events:
        if looked_at(facts) and not works(facts):
            not_without_gpu(facts)
            facts.need(names.KERNEL_LOG)
        raise NotThere(names.XID("*").name)
    worst = [event for event in events if event.blames == "device"]
    for event in worst[:1]:
        yield Finding(
            f"Xid {event.number}: {event.meaning}",
            cite(facts, *(names.XID(each.number) for each in events)),
            (look_at_memory if event.number in _MEMORY else read_kernel_log)(place_of(facts)),
            severity=_severity(facts),
            confidence=Confidence.CERTAIN if event.verified else Confidence.LIKELY,
        )


def _severity(facts: Facts) -> Severity:
    """A log is older than the look: what works now has recovered, or is another GPU.

    Raises:
        Missing: Nobody knows whether it works.
    """
    if works(facts):
        return Severity.NOTE
    if looked_at(facts) and answer(facts, names.CUDA_OUTCOME) in ("ok", "not run"):
        counted = names.CUDA_COUNT if facts.known(names.CUDA_OUTCOME) == "ok" else names.NVML_COUNT
        return Severity.ERROR if facts.need(counted) == 0 else Severity.NOTE
    return Severity.ERROR


@rule("GP902", "xid-of-program", cause="user-code", link=Link.WORK, since="0.1")
def xid_of_program(facts: Facts) -> Findings:
    """The kernel logged an Xid event that mostly comes from the program that ran."""
    events = _listed(facts)
    if not events:
        raise NotThere(names.XID("*").name)
    if looked_at(facts):
        facts.need(names.KERNEL_LOG)  # a part of it may leave the failing card out
    if any(event.blames == "device" for event in events):
        return
    for event in [event for event in events if event.blames == "program"][:1]:
        yield Finding(
            f"Xid {event.number}: {event.meaning}",
            cite(facts, names.XID(event.number)),
            find_the_access(facts),
            severity=_severity_of_program(facts, event.number),
            confidence=Confidence.LIKELY,
        )


def _severity_of_program(facts: Facts, number: int) -> Severity:
    """Of a machine it is history: some program failed since the start, and nobody asks about it."""
    harmless = looked_at(facts) or _is_of_desktop(facts, number)
    return Severity.NOTE if harmless else Severity.ERROR


#: Browsers and what draws the desktop: they do without CUDA, and start the drawing anew.
_DESKTOP = regex(
    r"(?i)\bname=(?:chrom\w*|firefox|msedge|brave|Xorg|Xwayland|gnome-shell|kwin\w*|plasmashell)\b"
)


def _is_of_desktop(facts: Facts, number: int) -> bool:
    return _DESKTOP.search(facts.known(names.XID(number)) or "") is not None


@rule("GP106", "gpu-does-not-start", cause="device-lost", link=Link.HARDWARE, since="0.1")
def gpu_does_not_start(facts: Facts) -> Findings:
    """The kernel module found the GPU and could not start it."""
    words = facts.known(names.MODULE_START_ERROR)
    if words is None:
        raise NotThere(names.MODULE_START_ERROR.name)
    seen = (facts.known(names.NVML_COUNT) or 0) + (facts.known(names.CUDA_COUNT_UNMASKED) or 0)
    if works(facts) or seen > 0 or not sees_no_gpu(facts):
        return
    from ..questions.driver.module_faults import not_serving

    if facts.look(names.MODULE_VERSION) is None or not_serving(facts) is not None:
        return  # GP102: the module does not run, or is not one for this GPU
    yield Finding(
        f"The kernel module cannot start the GPU: {words}",
        cite(facts, names.MODULE_START_ERROR, names.MODULE_VERSION, names.CUDA_CODE),
        read_kernel_log(place_of(facts)),
        confidence=Confidence.LIKELY,
    )


def _listed(facts: Facts) -> list[Xid]:
    """The events that the table knows; it is read only where there are any."""
    numbers = facts.subjects(names.XID)
    if not numbers:
        return []
    from ...knowledge.xid import by_number

    found = []
    for number in numbers:
        event = by_number(int(number)) if number.isdigit() else None
        if event is not None:
            told = facts.known(names.XID(number)) or ""
            found.append(replace(event, blames="notice") if re.search(_HARMLESS, told) else event)
    return found
