"""The report for a CI server: one test case a check, none of them green that was not looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ..diagnosis.model import Checked, Outcome, Severity
from .html import printable
from .units import shown_of
from .words import step_line, verdict_sentence

if TYPE_CHECKING:
    from .model import Report

_SKIPPED = {
    Outcome.NOT_APPLICABLE: "not applicable here",
    Outcome.DESELECTED: "deselected",
}


def render(report: Report) -> str:
    """The whole document, without a final line end."""
    suite = ET.Element("testsuite", name="gpuprobe")
    cases = [_case(check) for check in report.diagnosis.checks]
    cases += [_crash("collector", trouble) for trouble in report.crashed]
    suite.extend(cases)
    suite.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    properties = ET.Element("properties")
    own = {"verdict": report.verdict.value, "source": report.source}
    for name, value in {**own, **report.overrides, **own}.items():  # no override takes our names
        ET.SubElement(properties, "property", name=printable(name), value=printable(value))
    suite.insert(0, properties)
    closing = "\n".join(filter(None, (verdict_sentence(report), step_line(report.diagnosis))))
    ET.SubElement(suite, "system-out").text = printable(closing)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, "unicode")


def _case(check: Checked) -> ET.Element:
    case = _named(f"{check.rule.code} {check.rule.name}")
    faults = [f for f in check.findings if f.severity is Severity.ERROR]
    notes = [f for f in check.findings if f.severity is not Severity.ERROR]
    for finding in faults:
        evidence = [
            f"{e.fact} = {shown_of(e.fact, e.value)} ({e.source})" for e in finding.evidence
        ]
        text = "\n".join((*evidence, finding.fix.text, *finding.fix.commands))
        _add(case, "failure", finding.title, text)
    if notes:
        titles = "\n".join(f"{f.severity.value}: {f.title}" for f in notes)
        ET.SubElement(case, "system-out").text = printable(titles)
    if check.trouble is not None:
        _add(case, "error", check.trouble)
    elif check.missing is not None:
        missing = check.missing
        _add(case, "skipped", f"could not look: {missing.fact}: {missing.reason}")
    elif check.outcome in _SKIPPED:
        _add(case, "skipped", _SKIPPED[check.outcome])
    return case


def _crash(name: str, trouble: str) -> ET.Element:
    case = _named(f"{name} {trouble.partition(':')[0]}")
    _add(case, "error", trouble)
    return case


def _named(name: str) -> ET.Element:
    return ET.Element("testcase", classname="gpuprobe", name=printable(name), time="0")


def _add(case: ET.Element, tag: str, message: str, text: str = "") -> None:
    element = ET.SubElement(case, tag, message=printable(message))
    if text:
        element.text = printable(text)
