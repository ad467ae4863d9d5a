"""The JSON document, schema 1: fields may be added, never renamed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .. import __version__
from ..diagnosis.model import Checked, Finding, Outcome, Placed
from ..facts.snapshot import facts_to_json

if TYPE_CHECKING:
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
        "schema": SCHEMA,
        "tool": {"name": "gpuprobe", "version": __version__},
        "source": report.source,
        "overrides": dict(report.overrides),
        "verdict": diagnosis.verdict.value,
        "root_cause": None if root is None else _handles(root),
        "proof": None
        if proof is None
        else {
            "link": proof.link.name.lower(),
            "sentence": proof.sentence,
            "source": proof.source,
        },
        "findings": [_finding(placed) for placed in diagnosis.placed],
        "checks": {outcome.value: diagnosis.count(outcome) for outcome in Outcome},
        "missing": [
            {"fact": each.fact, "reason": each.reason, "how": each.how}
            for each in diagnosis.missing
        ],
        "crashed": crashes(report),
        "facts": facts_to_json(report.facts),
    }


def snapshot_document(report_facts: object, overrides: object) -> dict[str, object]:
    """A snapshot: the part of a report that a later `doctor --from` starts from."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "gpuprobe", "version": __version__},
        "source": "machine",
        "overrides": overrides,
        "facts": report_facts,
    }


def crashes(report: Report) -> list[dict[str, str]]:
    """What broke inside gpuprobe itself: checks and collectors."""
    checks = [_crash(check) for check in report.diagnosis.checks if check.trouble is not None]
    return [*checks, *({"where": "collector", "trouble": text} for text in report.crashed)]


def _crash(check: Checked) -> dict[str, str]:
    return {"where": f"{check.rule.code} {check.rule.name}", "trouble": check.trouble or ""}


def _handles(placed: Placed) -> dict[str, str]:
    rule = placed.rule
    return {"code": rule.code, "name": rule.name, "cause": placed.cause}


def _finding(placed: Placed) -> dict[str, object]:
    finding = placed.finding
    return {
        **_handles(placed),
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
