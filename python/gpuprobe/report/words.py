"""Sentences that all formats share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import __version__
from ..diagnosis.model import (
    Checked,
    Confidence,
    Diagnosis,
    Fix,
    Outcome,
    Placed,
    Role,
    Safety,
    Verdict,
)
from ..diagnosis.model import in_words as value_in_words
from ..facts import names
from ..facts.model import Fact, Facts, Known, Unknown, Value
from .units import shown

if TYPE_CHECKING:
    from .model import Report

_RISKS = {
    Safety.SAFE: "none, it changes nothing on this machine",
    Safety.USER: "changes files or settings of your own, nothing of the system",
    Safety.ADMIN: "changes the system and needs an administrator",
    Safety.REBOOT: "changes the system, needs an administrator and a restart",
}
_CONFIDENCE = {
    Confidence.CERTAIN: "certain",
    Confidence.LIKELY: "likely: the usual reading of what was seen",
    Confidence.POSSIBLE: "possible: one of several readings",
}
_COUNTS = {
    Outcome.FOUND: "found something",
    Outcome.CLEAR: "clear",
    Outcome.NOT_APPLICABLE: "not applicable here",
    Outcome.COULD_NOT_LOOK: "could not look",
    Outcome.CRASHED: "crashed",
    Outcome.DESELECTED: "deselected",
}


def system_line(facts: Facts) -> str:
    """The system and the interpreter, as far as they are known."""
    python, machine = facts.known(names.PYTHON_VERSION), facts.known(names.OS_MACHINE) or ""
    system = facts.known(names.OS_NAME) or facts.known(names.OS_SYSTEM) or ""
    parts = (
        system,
        "" if machine in system else machine,  # as people write it: "Ubuntu 22.04 (aarch64)"
        None if python is None else f"Python {python}",
    )
    return " · ".join(part for part in parts if part)


def tool_line(facts: Facts) -> str:
    """The version of gpuprobe, and the system as far as it is known."""
    return " · ".join(part for part in (f"gpuprobe {__version__}", system_line(facts)) if part)


#: What is never written with a capital letter.
_PROGRAMS = ("bitsandbytes", "ggml", "horovod", "jaxlib", "nvcc", "nvidia-smi", "pip", "ptxas",
             "torchvision", "vllm", "xformers")  # fmt: skip


def headline(placed: Placed) -> str:
    """The title as a sentence begins: with a capital letter."""
    title, subject = placed.finding.title, placed.finding.subject.partition(":")[2]
    if subject and title.startswith(subject):
        return title  # the name of a package is written as it is
    first, _, rest = title.partition(" ")
    plain = first.isalpha() and first.islower()  # no file's name, libcublas.so.12, flash_attn
    if not plain or rest[:1].isdigit() or first in _PROGRAMS:
        return title  # so is that of a function, cuInit, and of what has a version, torch 2.4.1
    return title[:1].upper() + title[1:]


def risk(fix: Fix) -> str:
    """What a fix may cost."""
    return _RISKS[fix.safety]


def advice(placed: Placed) -> Fix | None:
    """The repair to show: none that changes the system for what is only good to know."""
    fix = placed.finding.fix
    changes = fix.safety in (Safety.ADMIN, Safety.REBOOT)
    return None if changes and placed.role is Role.NOTE else fix


def does_something(fix: Fix) -> bool:
    """Whether there is a step to take; the risk of none need not be told."""
    return bool(fix.commands) or fix.safety is not Safety.SAFE


def in_words(confidence: Confidence) -> str:
    """How sure a finding is."""
    return _CONFIDENCE[confidence]


def step_title(diagnosis: Diagnosis) -> str:
    """What stands before the next step: the only way on, or one that makes sure."""
    return "Next" if diagnosis.verdict is Verdict.UNKNOWN else "To be sure"


def step_line(diagnosis: Diagnosis) -> str:
    """The next step in one line; empty where there is none."""
    step = diagnosis.next_step
    return f"{step_title(diagnosis)}: {step.text}: {step.how}" if step is not None else ""


def unlooked_title(diagnosis: Diagnosis) -> str:
    """What stands above the list of `unlooked`."""
    if diagnosis.settling is None:
        return "Could not be looked at"
    if diagnosis.next_step is not None and diagnosis.next_step.id == "gpuprobe":
        return "Where it cannot run, paste these"
    return "Also of use (gpuprobe, run on that machine, looks at all of it)"


def unlooked(diagnosis: Diagnosis) -> list[tuple[str, list[str]]]:
    """Reasons, each with the facts that are unknown for it and how to find them out.

    What a finding stands on, a probe that hung, is no reason once more. Of a text, which was not
    looked at but shown: the commands, each with the facts it tells, but for that of the next step.
    """
    stood_on = {each.source for placed in diagnosis.placed for each in placed.finding.evidence}
    groups: dict[str, list[str]] = {}
    for missing in diagnosis.missing:
        if missing.reason in stood_on:
            continue
        if diagnosis.settling is None:
            groups.setdefault(missing.reason, []).append(f"{missing.fact} (try: {missing.how})")
        else:
            groups.setdefault(missing.how, []).append(missing.fact)
    if diagnosis.settling is not None and diagnosis.next_step is not None:
        groups.pop(diagnosis.next_step.how, None)
    return list(groups.items())


#: What a text is silent about is not clear, so that of it only these are counted.
_OF_TEXT = (Outcome.FOUND, Outcome.CRASHED, Outcome.DESELECTED)


def outcome_counts(report: Report) -> str:
    """How the checks ended: ``14 checks: 1 found something, 9 clear``."""
    diagnosis, told = report.diagnosis, report.source == "text"
    outcomes = {each: _COUNTS[each] for each in _OF_TEXT} if told else _COUNTS
    counts = ((diagnosis.count(outcome), words) for outcome, words in outcomes.items())
    parts = ", ".join(f"{count} {words}" for count, words in counts if count)
    total = len(diagnosis.checks)
    none = "none found anything" if told else "none ran"
    return f"{total} {'check' if total == 1 else 'checks'}: {parts or none}"


_ONLY_HARMLESS = "what looks like a fault in it is harmless, or none of this machine as it is now"
#: Of a machine that works, which a text shows in part; what does not stand in it nobody looked at.
OF_A_TEXT = ", as far as this text tells"


def verdict_sentence(report: Report) -> str:
    """The verdict and its ground in one sentence."""
    diagnosis = report.diagnosis
    title = _ground(diagnosis.root) if diagnosis.root else ""
    if diagnosis.verdict is Verdict.HEALTHY:
        if diagnosis.guess is not None:
            return f"Perhaps healthy. {diagnosis.guess.finding.title}; nothing is seen to fail."
        ground = diagnosis.proof.sentence if diagnosis.proof else _ONLY_HARMLESS
        reach = OF_A_TEXT if report.source == "text" else ""
        return f"Healthy{reach}. {ground[:1].upper()}{ground[1:]}."
    if diagnosis.verdict is Verdict.BROKEN:
        return f"{_broken(diagnosis.root)}{title}."
    if diagnosis.verdict is Verdict.DEGRADED:
        return f"Works in part. {title}."
    if report.source == "text" and all(
        name.startswith(("about.", "text.")) for name in report.facts
    ):
        return "Unknown. This text states nothing of a GPU that could be judged."
    return f"Unknown. {_seen(diagnosis, title)}"


def _broken(root: Placed | None) -> str:
    """The verdict's word: less for a guess, and another one where the set-up is not at fault."""
    if root is not None and root.rule.last_resort:
        return "Perhaps broken. "
    if root is not None and root.cause == "no-nvidia-gpu":
        return "Cannot work here. "
    return "The program fails. " if root is not None and root.cause == "user-code" else "Broken. "


def _ground(root: Placed) -> str:
    """What the verdict rests on, and that it is one reading of several where it is."""
    title = headline(root).rstrip(".")
    is_one_of_several = root.finding.confidence is Confidence.POSSIBLE
    hedged = is_one_of_several and not root.rule.last_resort  # "Perhaps broken" says so as well
    return f"A possible reason: {title}" if hedged else title


def _seen(diagnosis: Diagnosis, title: str) -> str:
    """What is known where that makes no verdict: a fault, something at work, or neither."""
    proof = diagnosis.proof
    if diagnosis.works_below:
        return (
            "A fault is told, and below it a program works on its GPU: which of the two is so now,"
            " this text does not say."
        )
    if proof is None:
        noted = any(each.role is Role.NOTE for each in diagnosis.placed)
        none = "No fault of the GPU was found" if noted else "No fault was found"
        return f"{title or none}, and nothing was seen to work."
    works = f"{proof.sentence[:1].upper()}{proof.sentence[1:]}"
    if title:
        return f"{title}. {works}; not all else could be seen."
    return f"{works}, and no fault was found; but not all could be seen."


def value_of(fact: Fact[Value]) -> str:
    """The value of a fact for a table."""
    if isinstance(fact, Known):
        words = value_in_words(fact.value)
        return words if isinstance(fact.value, tuple) else shown(words)
    return "unknown" if isinstance(fact, Unknown) else "absent"


def source_of(fact: Fact[Value]) -> str:
    """Where a fact was read, or why it was not."""
    return fact.reason if isinstance(fact, Unknown) else fact.source


def crashes(report: Report) -> list[dict[str, str]]:
    """What broke inside gpuprobe itself: checks and collectors."""
    checks = [_crash(check) for check in report.diagnosis.checks if check.trouble is not None]
    return [*checks, *({"where": "collector", "trouble": text} for text in report.crashed)]


def _crash(check: Checked) -> dict[str, str]:
    return {"where": f"{check.rule.code} {check.rule.name}", "trouble": check.trouble or ""}
