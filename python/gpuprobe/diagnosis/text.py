"""The verdict on a pasted text: what it shows at work, what it shows failing, what it leaves out.

A text is what somebody chose to show. That it is silent about something says nothing about the
machine, so unlike on a machine a check that could not look leaves nothing open. And it has no
clock: a table of nvidia-smi may be older than the failure below it, so that a proof does not
clear what was found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..facts import names, said
from .at_work import last_proof, shown, work_alone
from .failures import failures_of, last_failure
from .inquiry.choose import besides, next_step, telling
from .model import (
    Checked,
    Confidence,
    Diagnosis,
    Link,
    NextStep,
    Placed,
    Proof,
    Role,
    Severity,
    Verdict,
)
from .questions.builds.for_gpu import may_lack_code
from .reported import is_left_open
from .works_below import works_below

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..facts.model import Facts


def judged(facts: Facts, placed: Sequence[Placed], checks: Sequence[Checked]) -> Diagnosis:
    """The judgement of a text by the findings that are placed already."""
    proof = last_proof(facts)
    mixed = facts.known(said.MACHINES) is not None
    if mixed and proof is not None and not any(failures_of(facts, proof.link)):
        # Something works and nothing failed: what the tables find mixes versions of two machines.
        placed = [replace(each, role=Role.NOTE) for each in placed]
    ended = _ended(facts, placed) if _is_closed(facts, placed) or any(shown(facts)) else ""
    if not ended and _is_simulated(facts, placed):
        placed = [noted(each, "Told to be simulated") for each in placed]
    if ended:
        placed = [noted(each, ended) for each in placed]
    if proof is None and not placed:
        proof = work_alone(facts)
    below = not ended and works_below(facts, placed)
    if below:
        placed = [noted(each, "Told above what works") for each in placed]
    verdict = Verdict.HEALTHY if ended else _verdict(facts, placed, proof)
    if verdict is Verdict.HEALTHY and proof is not None and not ended:
        proof = _beside_failure(facts, proof)
    if verdict is not Verdict.UNKNOWN and not below:
        sure = _to_be_sure(facts, placed)
        return Diagnosis(verdict, tuple(placed), tuple(checks), proof, (), sure)
    step = next_step(facts)
    settling = besides(facts, step, checks, proof)
    unknown = Verdict.UNKNOWN
    return Diagnosis(unknown, tuple(placed), tuple(checks), proof, settling, step, below)


def noted(placed: Placed, told: str) -> Placed:
    """The same as something that is only good to know, and how it is told of."""
    if placed.role is Role.NOTE:
        return placed
    title = f"{told}: {placed.finding.title}"
    finding = replace(placed.finding, title=title, severity=Severity.NOTE)
    return replace(placed, finding=finding, role=Role.NOTE)


def _ended(facts: Facts, placed: Sequence[Placed]) -> str:
    """How the text tells of its faults where it takes them back; empty where it does not."""
    if _is_closed(facts, placed) or _is_over(facts, placed):
        return "Told to be over"
    return "Told to be intended" if _is_wanted(facts, placed) else ""


def _is_closed(facts: Facts, placed: Sequence[Placed]) -> bool:
    """A fault is found, and below all that failed somebody closes the report."""
    from .questions.statements import line_of

    found = any(each.role is not Role.NOTE for each in placed)
    return found and line_of(facts, said.CLOSED) > last_failure(facts)


def _is_over(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Somebody says that the fault is over, and below all that failed the broken link works.

    So it is where somebody replaced something, or goes on with what the machine does today.

    That a program goes on mends no machine: it counts only where nothing but its work failed.
    """
    from .questions.statements import line_in, statements

    links = [broken(each) for each in placed if each.role is not Role.NOTE]
    of_work = all(link is Link.WORK for link in links)
    survived = ("survived-told",) if of_work else ()
    if not statements(facts, "repair-told", "present-told", *survived):
        return False
    last = last_failure(facts)
    farthest = max(links, default=Link.FRAMEWORK)
    return any(link >= farthest and line_in(source) > last for link, source in shown(facts))


#: What nvidia-smi itself could not do.
_OF_TOOL = ("driver-library-mismatch", "driver-missing", "driver-not-loaded", "device-lost")


def broken(placed: Placed) -> Link:
    """The link that works no more where a finding is right."""
    return Link.KERNEL_MODULE if placed.cause in _OF_TOOL else placed.rule.link


#: What people do on purpose: a machine without them is none the worse.
_BY_CHOICE = (
    "cpu-only-build",
    "hidden-by-visible-devices",
    "mig",
    "power-thermal",
    "silent-cpu-fallback",
)


def _is_wanted(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Somebody says that one program does without the GPU on purpose, and another one uses it."""
    from .questions.statements import statements

    causes = {each.cause for each in placed if each.role is not Role.NOTE}
    used = any(link >= Link.FRAMEWORK for link, _ in shown(facts))
    # Where nothing is found a framework that sees no GPU may be the one that is to leave it alone.
    failed = [*failures_of(facts, Link.HARDWARE)]
    unseen = bool(failed) and all(name.endswith(".sees_gpu") for name in failed)
    # A build for the CPU is made for machines without a driver.
    free = {*_BY_CHOICE, "driver-missing"} if "cpu-only-build" in causes else {*_BY_CHOICE}
    wanted = causes <= free if causes else unseen
    # Who shows how a checker of memory finds a fault shows it without one as well.
    if causes == {"user-code"} and statements(facts, "fault-on-purpose-told"):
        return used
    # A step that builds an image has no GPU, which the container that is run later has.
    built = causes == {"container-no-gpu"} and bool(statements(facts, "docker-build"))
    return used and (built or (wanted and bool(statements(facts, "purpose-told"))))


def _is_simulated(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Somebody hides the GPU from a process, so that what it says tells nothing of the machine."""
    from .questions.statements import statements

    causes = {each.cause for each in placed if each.role is not Role.NOTE}
    hidden = bool(causes) and causes <= {*_BY_CHOICE, "driver-missing", "container-no-gpu"}
    return hidden and bool(statements(facts, "simulated-told"))


def _to_be_sure(facts: Facts, placed: Sequence[Placed]) -> NextStep | None:
    """What makes sure of the root's cause, where that is a guess or one of several readings."""
    root = placed[0] if placed and placed[0].role is Role.ROOT else None
    if root is None:
        return None
    if root.finding.confidence is not Confidence.POSSIBLE and not root.rule.last_resort:
        return None
    step = telling(facts, root.cause)
    return next_step(facts) if step is None and root.rule.last_resort else step


def _verdict(facts: Facts, placed: Sequence[Placed], proof: Proof | None) -> Verdict:
    root = placed[0] if placed and placed[0].role is Role.ROOT else None
    if root is not None:
        severe = root.finding.severity is Severity.ERROR
        return Verdict.BROKEN if severe else Verdict.DEGRADED
    if proof is None:
        well = only_harmless(facts) or _reads_healthy(placed)
        return Verdict.HEALTHY if well else Verdict.UNKNOWN
    if is_left_open(facts, proof) or (proof.link < Link.WORK and may_lack_code(facts)):
        return Verdict.UNKNOWN
    # Of what a traceback without its end tells, nobody knows, unless work beyond it was done.
    cut = facts.known(said.TRACE_CUT) is not None and proof.link < Link.WORK
    return Verdict.UNKNOWN if cut or any(failures_of(facts, proof.link)) else Verdict.HEALTHY


def _beside_failure(facts: Facts, proof: Proof) -> Proof:
    """The same with the error below it, which no rule knows: the program may end by it."""
    from .questions.statements import line_in, line_of

    if line_of(facts, said.FAILURE) <= line_in(proof.source):
        return proof
    error = facts.need(said.FAILURE)
    told = (
        f"{proof.sentence}; what fails below is none of the GPU's known errors: {error.rstrip('.')}"
    )
    return replace(proof, sentence=told)


def _reads_healthy(placed: Sequence[Placed]) -> bool:
    """Whether the words of the text, and nothing but them, speak for a machine that works."""
    return any(each.rule.last_resort and each.cause == "healthy" for each in placed)


#: What is said of how a machine is set up, whether it is well or not.
_OF_SET_UP = frozenset(
    (
        *("mig-in-use-told", "mig-instance-named", "gpu-operator", "other-state-told"),
        *("as-before-told", "told-of-few-watts", "gpu-series-told", "smi-log-printed"),
        "nvml-answered",
    )
)


def only_harmless(facts: Facts) -> bool:
    """Whether the text consists of messages that alarm people and mean no fault.

    On a Mac, where there is no CUDA to be well, they say nothing.
    """
    alarming = said.ALARMING.intersection(facts.subjects(said.NOISE))
    others = {*facts.subjects(said.SIGN)} - _OF_SET_UP
    spoken = facts.known(said.ABOUT("trouble")) or others
    mac = facts.known(names.OS_SYSTEM) == "Darwin"
    failing = any(failures_of(facts, Link.HARDWARE))
    return bool(alarming) and not (spoken or mac or failing)
