"""The JSON document, schema 1: fields may be added, never renamed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .. import __version__
from ..diagnosis.model import Finding, NextStep, Outcome, Placed
from ..facts.snapshot import facts_to_json
from .words import crashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnosis.model import Rule
    from .model import Report

SCHEMA = 1


def render(report: Report) -> str:
    """The document as text, one fact a line short enough to read."""
    return dumps(document(report))


def dumps(value: object) -> str:
    """JSON as gpuprobe prints it: indented, and readable in every language."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def document(report: Report) -> dict[str, object]:
    """The document as plain dicts and lists."""
    diagnosis = report.diagnosis
    root, proof = diagnosis.root, diagnosis.proof
    return {
        **head(),
        "source": report.source,
        "overrides": dict(report.overrides),
        "verdict": diagnosis.verdict.value,
        "root_cause": None if root is None else handles(root),
        "proof": None
        if proof is None
        else {
            "link": proof.link.name.lower(),
            "sentence": proof.sentence,
            "source": proof.source,
        },
        "next": _next_step(diagnosis.next_step),
        "findings": [_finding(placed) for placed in diagnosis.placed],
        "checks": {outcome.value: diagnosis.count(outcome) for outcome in Outcome},
        "missing": [
            {"fact": each.fact, "reason": each.reason, "how": each.how}
            for each in diagnosis.missing
        ],
        "crashed": crashes(report),
        "facts": facts_to_json(report.facts),
    }


def snapshot_document(report: Report) -> dict[str, object]:
    """A snapshot: the part of a report that a later `doctor --from` starts from."""
    whole = document(report)
    return {name: whole[name] for name in ("schema", "tool", "source", "overrides", "facts")}


def devices_document(
    devices: Sequence[dict[str, object]], none_because: str = ""
) -> dict[str, object]:
    """The list of GPUs; `none_because` says why it is empty."""
    return {**head(), "devices": list(devices), "none_because": none_because or None}


def memory_document(gpus: Sequence[dict[str, object]], none_because: str = "") -> dict[str, object]:
    """Who holds the memory of each GPU; `none_because` as for the list of GPUs."""
    return {**head(), "gpus": list(gpus), "none_because": none_because or None}


def libraries_document(survey: dict[str, object]) -> dict[str, object]:
    """Every copy of the CUDA libraries, in the order of the search."""
    return {**head(), **survey}


def verification_document(found: dict[str, object]) -> dict[str, object]:
    """The steps of a verification."""
    return {**head(), **found}


def rules_document(rules: Sequence[Rule]) -> dict[str, object]:
    """The list of checks."""
    return {
        **head(),
        "rules": [
            {
                "code": rule.code,
                "name": rule.name,
                "cause": rule.cause,
                "link": rule.link.name.lower(),
                "since": rule.since,
                "summary": rule.summary,
            }
            for rule in rules
        ],
    }


def head() -> dict[str, object]:
    """What every document begins with."""
    return {"schema": SCHEMA, "tool": {"name": "gpuprobe", "version": __version__}}


def handles(placed: Placed) -> dict[str, str]:
    """By what a finding is known."""
    rule = placed.rule
    return {"code": rule.code, "name": rule.name, "cause": placed.cause}


def _next_step(step: NextStep | None) -> dict[str, object] | None:
    return (
        None
        if step is None
        else {
            "id": step.id,
            "text": step.text,
            "commands": list(step.commands),
            "otherwise": step.otherwise,
            "readings": [
                {"answer": each.answer, "means": each.means, "causes": list(each.causes)}
                for each in step.readings
            ],
        }
    )


def _finding(placed: Placed) -> dict[str, object]:
    finding = placed.finding
    return {
        **handles(placed),
        "role": placed.role.value,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "subject": finding.subject,
        "title": finding.title,
        "evidence": [
            {"fact": each.fact, "value": each.value, "source": each.source}
            for each in finding.evidence
        ],
        "fix": _fix(finding),
    }


def _fix(finding: Finding) -> dict[str, object]:
    fix = finding.fix
    return {
        "text": fix.text,
        "commands": list(fix.commands),
        "safety": fix.safety.value,
        "undo": fix.undo,
    }
