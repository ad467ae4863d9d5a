"""The findings of a report for a terminal that a text holds: they stand as they were found.

Of the facts that the report was judged by only its evidence is left. What rules make of that alone
is no better founded than the report; what they find in the rest of the text they say beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..facts import reported
from ..facts.model import Known
from ..facts.regex import regex
from .model import (
    Checked,
    Confidence,
    Evidence,
    Finding,
    Fix,
    Link,
    Outcome,
    Proof,
    Safety,
    Severity,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..facts.model import Facts

#: How the words of a risk begin, of the least first.
_RISKS = (
    ("changes files or settings of your own", Safety.USER),
    ("changes the system, needs an administrator and a restart", Safety.REBOOT),
    ("changes the system", Safety.ADMIN),
)
#: The cause of a root that its rule does not tell: the verdict has a word of its own for it.
_CAUSES = {"Cannot work here.": "no-nvidia-gpu", "The program fails.": "user-code"}
_SEVERITIES: dict[str | None, Severity] = {each.value: each for each in Severity}
_SURE: dict[str | None, Confidence] = {each.value: each for each in Confidence}
#: A source behind a value; it may have parentheses itself, as what a call answered has.
_SOURCE = regex(r" \(([^()]*(?:\([^()]*\)[^()]*)?)\)\Z")
#: The verdicts that tell of something at work.
_WORKS = regex(
    r"Healthy(?:, as far as this text tells)?\. (.+)\.\Z"
    r"|Unknown\. (.+), and no fault was found; but not all could be seen\.\Z"
)


def settled(facts: Facts, checks: tuple[Checked, ...]) -> tuple[Checked, ...]:
    """The checks with what the report found, and without what they find in its evidence alone."""
    if facts.known(reported.LAST_LINE) is None:
        return checks
    found = dict[tuple[str, str], list[Finding]]()
    for handle, finding in _findings(facts):
        found.setdefault(handle, []).append(finding)
    # By both: GP106 is a chip as well.
    handles = ((check.rule.code, check.rule.name) for check in checks)
    told = (found.get(handle, []) for handle in handles)
    return tuple(_settled(facts, check, each) for check, each in zip(checks, told, strict=True))


def proof_told(facts: Facts) -> Iterator[Proof]:
    """What the report saw at work, be it that it says that all is well or leaves that open."""
    verdict = facts.fact(reported.VERDICT)
    works = _WORKS.match(verdict.value) if isinstance(verdict, Known) else None
    if works and isinstance(verdict, Known):
        of_text = facts.known(reported.SOURCE) == "text"
        link = Link.KERNEL_MODULE if of_text else Link.RUNTIME
        yield Proof(link, works[1] or works[2], verdict.source)


def is_left_open(facts: Facts, proof: Proof) -> bool:
    """Whether a proof is that of a report which could not see all else."""
    verdict = facts.fact(reported.VERDICT)
    open_still = isinstance(verdict, Known) and verdict.value.startswith("Unknown. ")
    return open_still and proof in proof_told(facts)


def names_told(facts: Facts) -> frozenset[str]:
    """The facts in the evidence of the report, which its findings explain."""
    numbers = facts.subjects(reported.CODE)
    told = (facts.known(reported.EVIDENCE(number)) or () for number in numbers)
    return frozenset(piece.partition(" = ")[0] for pieces in told for piece in pieces)


def _settled(facts: Facts, check: Checked, told: list[Finding]) -> Checked:
    if check.outcome is Outcome.DESELECTED:
        return check
    beside = tuple(each for each in check.findings if _is_elsewhere(facts, each))
    findings = (*told, *(each for each in beside if each.subject not in {t.subject for t in told}))
    if findings == check.findings:
        return check
    outcome = Outcome.FOUND if findings else Outcome.NOT_APPLICABLE
    return replace(check, outcome=outcome, findings=findings, missing=None)


def _is_elsewhere(facts: Facts, finding: Finding) -> bool:
    """Whether a line of the text outside of the report shows it.

    A report that a document in the text tells of stood in another one.
    """
    from .questions.statements import line_in

    first, last = facts.known(reported.FIRST_LINE) or 0, facts.fact(reported.LAST_LINE)
    inside = range(0)
    if isinstance(last, Known) and last.source.endswith(" of the text"):
        inside = range(first, last.value + 1)
    lines = filter(None, (line_in(each.source) for each in finding.evidence))
    return any(line not in inside for line in lines)


def _findings(facts: Facts) -> Iterator[tuple[tuple[str, str], Finding]]:
    """Each finding of the report under its rule's code and name, in its order."""
    verdict = facts.known(reported.VERDICT) or ""
    cause = next((why for words, why in _CAUSES.items() if verdict.startswith(words)), None)
    is_root = True
    for number in facts.subjects(reported.CODE):
        code = facts.known(reported.CODE(number)) or ""
        severity = _SEVERITIES.get(facts.known(reported.SEVERITY(number)), Severity.ERROR)
        faulty = severity is not Severity.NOTE
        yield (
            (code, facts.known(reported.NAME(number)) or ""),
            Finding(
                facts.known(reported.TITLE(number)) or "",
                tuple(map(_evidence, facts.known(reported.EVIDENCE(number)) or ())),
                _fix(facts, number, code),
                severity,
                _SURE.get(facts.known(reported.CONFIDENCE(number)), Confidence.CERTAIN),
                facts.known(reported.SUBJECT(number)) or "machine",
                stands_alone=faulty and not is_root,
                cause=cause if faulty and is_root else None,
            ),
        )
        is_root = is_root and not faulty


def _evidence(piece: str) -> Evidence:
    """A piece of evidence out of its words: ``name = value (source)``."""
    name, _, rest = piece.partition(" = ")
    source = _SOURCE.search(rest)
    if source is None:
        return Evidence(name, rest, "the report")
    return Evidence(name, rest[: source.start()], source[1])


def _fix(facts: Facts, number: str, code: str) -> Fix:
    """The repair, with the risk that the report names."""
    risk, undo = facts.known(reported.RISK(number)) or "", facts.known(reported.UNDO(number))
    safety = next((safety for words, safety in _RISKS if risk.startswith(words)), Safety.SAFE)
    text = facts.known(reported.FIX(number)) or f"`gpuprobe rule {code}` tells how it is mended."
    commands = facts.known(reported.COMMANDS(number)) or ()
    if safety in (Safety.ADMIN, Safety.REBOOT) and not undo:
        undo = f"`gpuprobe rule {code}` tells"
    return Fix(text, commands, safety, undo)
