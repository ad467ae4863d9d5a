"""Run the rules and place what they found in the chain: root, consequences, independents, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts, Missing, NotThere
from .model import (
    Checked,
    Confidence,
    Diagnosis,
    Finding,
    Link,
    MissingFact,
    Outcome,
    Placed,
    Proof,
    Role,
    Rule,
    Severity,
    Verdict,
)
from .verdict import best_proof, open_checks, verdict_of
from .watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

_BY_CONFIDENCE = {Confidence.CERTAIN: 0, Confidence.LIKELY: 1, Confidence.POSSIBLE: 2}
_BY_SEVERITY = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
_BY_ROLE = {Role.ROOT: 0, Role.CONSEQUENCE: 1, Role.INDEPENDENT: 2, Role.NOTE: 3}


def diagnose(
    facts: Facts,
    rules: Sequence[Rule],
    *,
    only: Collection[str] = (),
    skip: Collection[str] = (),
    pasted: bool = False,
) -> Diagnosis:
    """Judge `facts` by `rules`. `only` and `skip` hold codes, names or prefixes of codes.

    `pasted` facts are what somebody chose to show, not what a look at the machine gave.
    """
    facts = Watched(facts, facts.silence)

    def checked(facts: Watched) -> tuple[Checked, ...]:
        return tuple(_first_check(rule, facts, wanted=selected(rule, only, skip)) for rule in rules)

    if pasted:
        return _of_text(facts, checked)
    checks, proof = checked(facts), best_proof(facts)
    placed = place(_found(checks), proof)
    verdict = verdict_of(placed, checks, proof)
    step = None
    if verdict is Verdict.UNKNOWN:
        from .inquiry import live

        step = live.next_step(facts, open_checks(checks, proof))
    return Diagnosis(verdict, placed, checks, proof, next_step=step)


def _of_text(facts: Watched, checked: Callable[[Watched], tuple[Checked, ...]]) -> Diagnosis:
    """The judgement of a pasted text; without its asides, where those may be left out."""
    from . import asides

    whole, rest = _judged(facts, checked(facts)), asides.without_asides(facts)
    return whole if rest is None else asides.chosen(whole, _judged(rest, checked(rest)), rest)


def _judged(facts: Watched, checks: tuple[Checked, ...]) -> Diagnosis:
    """The judgement of a text; where it is unknown or doubtful, the last resorts are asked."""
    from . import reported, text

    checks = reported.settled(facts, checks)
    judgement = text.judged(facts, place(_found(checks), None), checks)
    unknown = judgement.verdict is Verdict.UNKNOWN
    if not unknown and not _is_doubtful(judgement, facts):
        return judgement
    again = reported.settled(facts, tuple(_last_check(check, facts) for check in checks))
    if not any(now.findings for now in again if now.rule.last_resort):
        return judgement
    second = text.judged(facts, place(_found(again), None), again)
    return second if unknown or _overrules(second.root, judgement.root) else judgement


def _is_doubtful(judgement: Diagnosis, facts: Watched) -> bool:
    """Whether the root is one reading of several, or nothing works yet that uses the GPU.

    A message that is known to be harmless tells what somebody asks about who shows no more.
    """
    from .text import only_harmless

    root, proof = judgement.root, judgement.proof
    if root is not None:
        return root.finding.confidence is Confidence.POSSIBLE
    healthy = judgement.verdict is Verdict.HEALTHY and not judgement.placed
    idle = proof is not None and proof.link < Link.RUNTIME
    return healthy and idle and not only_harmless(facts)


def _overrules(last: Placed | None, root: Placed | None) -> bool:
    """Whether a last resort is surer of another cause than what was found before it."""
    if last is None or not last.rule.last_resort:
        return False
    return root is None or last.cause != root.cause


def _first_check(rule: Rule, facts: Watched, *, wanted: bool) -> Checked:
    if not wanted:
        return Checked(rule, Outcome.DESELECTED)
    return Checked(rule, Outcome.NOT_APPLICABLE) if rule.last_resort else run(rule, facts)


def _last_check(check: Checked, facts: Watched) -> Checked:
    asked = check.rule.last_resort and check.outcome is not Outcome.DESELECTED
    return run(check.rule, facts) if asked else check


def _found(checks: Iterable[Checked]) -> list[tuple[Rule, Finding]]:
    return [(check.rule, finding) for check in checks for finding in check.findings]


def selected(rule: Rule, only: Collection[str], skip: Collection[str]) -> bool:
    """Whether the user wants this rule."""

    def named(handles: Collection[str]) -> bool:
        return any(rule.name == handle or rule.code.startswith(handle) for handle in handles)

    return (not only or named(only)) and not named(skip)


def run(rule: Rule, facts: Watched) -> Checked:
    """One rule's result. A rule that breaks is a result of its own; the others go on."""
    findings: list[Finding] = []
    facts.begin()
    try:
        # One by one: what was found before a fact was missing, or the rule broke, still stands.
        for finding in rule.check(facts):
            findings.append(finding)  # noqa: PERF402
    except NotThere:
        outcome = Outcome.FOUND if findings else Outcome.NOT_APPLICABLE
        return Checked(rule, outcome, tuple(findings))
    except Missing as error:
        outcome = Outcome.FOUND if findings else Outcome.COULD_NOT_LOOK
        missing = MissingFact.told(error.name, error.reason, error.how)
        return Checked(rule, outcome, tuple(findings), missing)
    except Exception as error:  # noqa: BLE001  a runner: a rule that breaks is a result
        trouble = f"{type(error).__name__}: {error}"
        return Checked(rule, Outcome.CRASHED, tuple(findings), trouble=trouble)
    return Checked(rule, Outcome.FOUND, tuple(findings)) if findings else _quiet(rule, facts)


def _quiet(rule: Rule, facts: Watched) -> Checked:
    """The result of a rule that found nothing: all is well only if there was anything to see."""
    if facts.saw:
        return Checked(rule, Outcome.CLEAR)
    if facts.unseen is None:
        return Checked(rule, Outcome.NOT_APPLICABLE)
    return Checked(rule, Outcome.COULD_NOT_LOOK, missing=facts.unseen)


def place(found: Iterable[tuple[Rule, Finding]], proof: Proof | None) -> tuple[Placed, ...]:
    """Order findings along the chain and give each its role.

    The root is the earliest error; only where there is no error, the earliest warning. What
    comes after it follows from it, unless it stands alone. A link that was proved to work
    cannot be broken: what a rule still has against it is a note.
    """
    ordered = sorted(found, key=lambda pair: _rank(pair[0], pair[1], proof))
    root = next((pair for pair in ordered if _is_fault(pair[0], pair[1], proof)), None)
    placed = [Placed(rule, finding, _role(rule, finding, root, proof)) for rule, finding in ordered]
    return tuple(sorted(placed, key=lambda each: _BY_ROLE[each.role]))


def _is_fault(rule: Rule, finding: Finding, proof: Proof | None) -> bool:
    cleared = proof is not None and rule.link <= proof.link and finding.subject == "machine"
    return finding.severity is not Severity.NOTE and not cleared


def _rank(rule: Rule, finding: Finding, proof: Proof | None) -> tuple[object, ...]:
    return (
        not _is_fault(rule, finding, proof),
        _BY_SEVERITY[finding.severity],
        finding.confidence is Confidence.POSSIBLE,
        rule.link,
        _BY_CONFIDENCE[finding.confidence],
        rule.code,
        finding.subject,
    )


def _role(
    rule: Rule, finding: Finding, root: tuple[Rule, Finding] | None, proof: Proof | None
) -> Role:
    if root is None or not _is_fault(rule, finding, proof):
        return Role.NOTE
    root_rule, root_finding = root
    if finding is root_finding:
        return Role.ROOT
    surer = finding.confidence is Confidence.POSSIBLE is not root_finding.confidence
    follows = (
        root_finding.severity is Severity.ERROR
        and (surer or rule.link >= root_rule.link)
        and not finding.stands_alone
        and not root_rule.last_resort  # a guess explains nothing: this is another reading
    )
    return Role.CONSEQUENCE if follows else Role.INDEPENDENT
