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
from ..facts.model import Facts, Family, Known
from .inquiry.choose import besides, next_step, telling
from .model import Confidence, Diagnosis, Link, Proof, Role, Severity, Verdict
from .questions.packages import title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .model import Checked, NextStep, Placed


def judged(facts: Facts, placed: Sequence[Placed], checks: Sequence[Checked]) -> Diagnosis:
    """The judgement of a text by the findings that are placed already."""
    proof = last_proof(facts)
    mixed = facts.known(said.MACHINES) is not None
    if mixed and proof is not None and not any(_failures(facts, proof.link)):
        # Something works and nothing failed: what the tables find mixes versions of two machines.
        placed = [replace(each, role=Role.NOTE) for each in placed]
    ended = any(_shown(facts)) and (_is_over(facts, placed) or _is_wanted(facts, placed))
    if ended:
        placed = [_noted(each) for each in placed]
    verdict = Verdict.HEALTHY if ended else _verdict(facts, placed, proof)
    if verdict is Verdict.UNKNOWN:
        step = next_step(facts)
        settling = besides(facts, step, checks, proof)
        return Diagnosis(verdict, tuple(placed), tuple(checks), proof, settling, step)
    return Diagnosis(verdict, tuple(placed), tuple(checks), proof, (), _to_be_sure(facts, placed))


def _noted(placed: Placed) -> Placed:
    """The same as something that is only good to know."""
    finding = replace(placed.finding, severity=Severity.NOTE)
    return replace(placed, finding=finding, role=Role.NOTE)


def _is_over(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Somebody says that the fault is over, and below all that failed the broken link works."""
    from .questions.statements import line_in, statements

    if not statements(facts, "repair-told"):
        return False
    failed = [facts[name] for name in _failures(facts, Link.HARDWARE)]
    last = max((line_in(fact.source) for fact in failed if isinstance(fact, Known)), default=0)
    broken = (_broken(each) for each in placed if each.role is not Role.NOTE)
    farthest = max(broken, default=Link.HARDWARE)
    return any(link >= farthest and line_in(source) > last for link, source in _shown(facts))


#: What nvidia-smi itself could not do.
_OF_TOOL = ("driver-library-mismatch", "driver-missing", "driver-not-loaded", "device-lost")


def _broken(placed: Placed) -> Link:
    return Link.KERNEL_MODULE if placed.cause in _OF_TOOL else placed.rule.link


def _shown(facts: Facts) -> Iterator[tuple[Link, str]]:
    """Where the text shows something at work, be it elsewhere than what fails."""
    yield from ((proof.link, proof.source) for proof in _proofs(facts))
    for _, source in _true(facts, said.FRAMEWORK_SEES_ELSEWHERE):
        yield Link.FRAMEWORK, source
    inside = facts.fact(said.CONTAINER_LISTS_GPU)
    if isinstance(inside, Known):
        yield Link.CONTAINER, inside.source


#: What people do on purpose: a machine without them is none the worse.
_BY_CHOICE = ("cpu-only-build", "silent-cpu-fallback", "hidden-by-visible-devices")


def _is_wanted(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Somebody says that one program does without the GPU on purpose, and another one uses it."""
    from .questions.statements import statements

    causes = {each.cause for each in placed if each.role is not Role.NOTE}
    used = any(link >= Link.FRAMEWORK for link, _ in _shown(facts))
    wanted = bool(causes) and causes <= {*_BY_CHOICE}
    return used and wanted and bool(statements(facts, "purpose-told"))


def _to_be_sure(facts: Facts, placed: Sequence[Placed]) -> NextStep | None:
    """What makes sure of the root's cause, where that is only one of several readings."""
    root = placed[0] if placed and placed[0].role is Role.ROOT else None
    if root is None or root.finding.confidence is not Confidence.POSSIBLE:
        return None
    step = telling(facts, root.cause)
    return next_step(facts) if step is None and root.rule.last_resort else step


def _verdict(facts: Facts, placed: Sequence[Placed], proof: Proof | None) -> Verdict:
    root = placed[0] if placed and placed[0].role is Role.ROOT else None
    if root is not None:
        severe = root.finding.severity is Severity.ERROR
        return Verdict.BROKEN if severe else Verdict.DEGRADED
    if proof is None:
        return Verdict.HEALTHY if only_harmless(facts) else Verdict.UNKNOWN
    return Verdict.UNKNOWN if any(_failures(facts, proof.link)) else Verdict.HEALTHY


#: What is said of how a machine is set up, whether it is well or not.
_OF_SET_UP = frozenset(("mig-in-use-told", "mig-instance-named", "gpu-operator"))


def only_harmless(facts: Facts) -> bool:
    """Whether the text consists of messages that alarm people and mean no fault.

    On a Mac, where there is no CUDA to be well, they say nothing.
    """
    alarming = said.ALARMING.intersection(facts.subjects(said.NOISE))
    others = {*facts.subjects(said.SIGN)} - _OF_SET_UP
    spoken = facts.known(said.ABOUT("trouble")) or others
    mac = facts.known(names.OS_SYSTEM) == "Darwin"
    failing = any(_failures(facts, Link.HARDWARE))
    return bool(alarming) and not (spoken or mac or failing)


# -- what works ------------------------------------------------------------------------------


def last_proof(facts: Facts) -> Proof | None:
    """The last link of the chain that the text shows at work."""
    return next(_proofs(facts), None)


def _proofs(facts: Facts) -> Iterator[Proof]:
    """Each proof that the text holds, the farthest along the chain first."""
    for framework, source in _true(facts, said.FRAMEWORK_COMPUTED):
        yield Proof(Link.WORK, f"{title_of(framework)} computed on the GPU", source)
    for framework, source in _true(facts, said.FRAMEWORK_SEES_GPU):
        yield Proof(Link.FRAMEWORK, f"{title_of(framework)} sees the GPU", source)
    for framework, source in _true(facts, said.FRAMEWORK_COUNT):
        yield Proof(Link.FRAMEWORK, f"{title_of(framework)} lists the GPU", source)
    for sign in ("runs-on-gpu-told", "gpu-works-in-container", "busy-outside-task-manager"):
        told = facts.fact(said.SIGN(sign))
        if isinstance(told, Known):
            yield Proof(Link.WORK, "somebody says that a program runs on the GPU", told.source)
    yield from _watched(facts)
    for key, words, link in (
        (names.CUDA_COUNT, "CUDA starts and sees {} GPU", Link.VISIBLE_DEVICES),
        (names.NVML_COUNT, "the driver answers and lists {} GPU", Link.KERNEL_MODULE),
    ):
        count = facts.fact(key)
        if isinstance(count, Known) and count.value > 0:
            yield Proof(link, words.format(count.value), count.source)
    for gpu in () if _tells_of_framework(facts) else facts.subjects(names.GPU_PROCESSES):
        held = facts.fact(names.GPU_PROCESSES(gpu))
        if isinstance(held, Known):  # beside a program's trace it tells who is in the way
            yield Proof(Link.KERNEL_MODULE, "the driver lists who uses the GPU", held.source)


def _watched(facts: Facts) -> Iterator[Proof]:
    """DCGM began, and asked GPUs for counters that they, or its modules, do not have."""
    began, asked = (facts.fact(said.SIGN(f"dcgm-{each}")) for each in _DCGM)
    if isinstance(began, Known) and isinstance(asked, Known):
        yield Proof(Link.KERNEL_MODULE, "DCGM watches the GPU, and counts less of it", asked.source)


_DCGM = "initialized", "counters-refused"


def _true(facts: Facts, family: Family[bool] | Family[int]) -> Iterator[tuple[str, str]]:
    for subject in facts.subjects(family):
        fact = facts.fact(family(subject))
        if isinstance(fact, Known) and fact.value and not _is_compared(facts, subject):
            yield subject, fact.source


def _is_compared(facts: Facts, framework: str) -> bool:
    """Whether it is Theano, beside which somebody tells of the framework that fails."""
    return framework == "theano" and _tells_of_framework(facts)


def _tells_of_framework(facts: Facts) -> bool:
    """Whether one of the large frameworks is spoken of."""
    about = (said.ABOUT(each) for each in ("tensorflow", "torch", "jax"))
    return any(facts.known(each) for each in about)


# -- what fails ------------------------------------------------------------------------------

#: A framework that sees the GPU has loaded what it needs; before that these count.
_BEFORE_FRAMEWORK = (names.LIBRARY_MISSING, said.LIBRARY_BROKEN, said.SYMBOL_WANTED_BY)
_ALWAYS = (said.ERROR, said.SIGN, names.XID, names.GPU_FAILURE)
_OUTCOMES = (names.NVML_OUTCOME, names.CUDA_OUTCOME, names.KERNEL_OUTCOME)


def _failures(facts: Facts, reached: Link) -> Iterator[str]:
    """The facts that show a failure which no rule explained, of what lies beyond a link."""
    families = _ALWAYS if reached >= Link.FRAMEWORK else (*_ALWAYS, *_BEFORE_FRAMEWORK)
    for family in families:
        for subject in facts.subjects(family):
            if family is not said.SIGN or subject not in said.CIRCUMSTANCES:
                yield family(subject).name
    for sees in (said.FRAMEWORK_SEES_GPU, said.FRAMEWORK_COUNT):
        for subject in facts.subjects(sees):
            if facts.known(sees(subject)) in (False, 0):
                yield sees(subject).name
    for outcome in _OUTCOMES:
        if facts.known(outcome) in ("failed", "hung", "crashed", "not loaded", "wrong"):
            yield outcome.name
