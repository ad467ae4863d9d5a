"""The report for an issue form: short above, all facts folded below."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnosis.model import Placed, Role, Verdict
from .chain import chain
from .harmless import TITLE, harmless
from .html import printable
from .marks import SIGNS
from .seen import seen
from .words import (
    advice,
    crashes,
    does_something,
    headline,
    in_words,
    outcome_counts,
    risk,
    source_of,
    step_title,
    tool_line,
    unlooked,
    unlooked_title,
    value_of,
    verdict_sentence,
)

if TYPE_CHECKING:
    from ..diagnosis.model import Fix
    from .model import Report

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def render(report: Report) -> str:
    """The whole document, without a final line end."""
    parts = [
        f"**{cell(verdict_sentence(report))}**",
        _next_step(report) if report.verdict is Verdict.UNKNOWN else "",
        cell(tool_line(report.facts)),
        *(f"⚠️ override {code(f'{name}={value}')}" for name, value in report.overrides.items()),
        f"Judged from a {report.source}." if report.source != "machine" else "",
        _chain(report),
        *(_finding(report, placed) for placed in report.diagnosis.placed),
        _next_step(report) if report.verdict is not Verdict.UNKNOWN else "",
        _harmless(report),
        _not_looked_at(report),
        outcome_counts(report) + ".",
        _facts(report),
    ]
    return "\n\n".join(part for part in parts if part)


def cell(text: str) -> str:
    """`text` that Markdown shows as it is, on one line, in a table too."""
    return _SPECIAL.sub(r"\\\1", " ".join(printable(text).split()))


def code(text: str) -> str:
    """`text` as code on one line, whatever backticks it holds."""
    text = " ".join(printable(text).split())
    fence = _fence(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def code_cell(text: str) -> str:
    """`code` inside a table, where a bar would end the cell."""
    return code(text).replace("|", "\\|")


def _fence(text: str, least: int) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1 if longest else least)


def _chain(report: Report) -> str:
    rows = [f"| {SIGNS[r.mark]} | {r.title} | {cell(r.detail)} |" for r in chain(report)]
    return "\n".join(("| | | |", "|---|---|---|", *rows)) if rows else ""


def _finding(report: Report, placed: Placed) -> str:
    rule, finding = placed.rule, placed.finding
    handle = f"{rule.code} {rule.name}"
    title = cell(headline(placed))
    if placed.role is Role.CONSEQUENCE:
        return f"- follows from it: {title} ({code(handle)})"
    about = "" if finding.subject == "machine" else f", {code(finding.subject)}"
    evidence = [
        f"- {code(each.fact)} = {code(each.value)}, from {cell(each.source)}"
        if each.fact
        else f"- {code(each.value)}, {cell(each.source)}"
        for each in seen(report, finding)
    ]
    lines = [
        f"### {title}",
        "",
        f"{code(handle)}{about}, {placed.role.value}, {in_words(finding.confidence)}",
        *([""] if evidence else []),
        *evidence,
        *_fix(advice(placed)),
    ]
    return "\n".join(lines)


def _fix(fix: Fix | None) -> list[str]:
    if fix is None:
        return []
    cost = f" (risk: {risk(fix)})" if does_something(fix) else ""
    lines = ["", f"**Fix**: {cell(fix.text)}{cost}"]
    lines += _commands(fix.commands)
    if fix.undo:
        lines += ["", f"**Undo**: {cell(fix.undo)}"]
    return lines


def _commands(commands: tuple[str, ...]) -> list[str]:
    text = printable("\n".join(commands))
    fence = _fence(text, 3)
    return ["", f"{fence}sh", text, fence] if text else []


def _next_step(report: Report) -> str:
    step = report.diagnosis.next_step
    if step is None:
        return ""
    lines = [f"**{step_title(report.diagnosis)}**: {cell(step.text)}", *_commands(step.commands)]
    if step.otherwise is not None:
        lines += ["", f"({cell(step.otherwise)})"]
    if step.readings:
        lines += ["", *(f"- {cell(f'{each.answer} → {each.means}')}" for each in step.readings)]
    return "\n".join(lines)


def _harmless(report: Report) -> str:
    lines = [f"- {cell(meaning)} ({cell(source)})" for meaning, source in harmless(report.facts)]
    return "\n".join([f"**{TITLE}**", "", *lines]) if lines else ""


def _not_looked_at(report: Report) -> str:
    lines = [
        f"- {cell(reason)}: {', '.join(map(cell, facts))}"
        for reason, facts in unlooked(report.diagnosis)
    ]
    lines += [f"- {cell(each['where'])} broke: {cell(each['trouble'])}" for each in crashes(report)]
    title = f"**{unlooked_title(report.diagnosis)}**"
    return "\n".join([title, "", *lines]) if lines else ""


def _facts(report: Report) -> str:
    if not report.facts:
        return ""
    rows = (
        f"| {code_cell(name)} | {code_cell(value_of(fact))} | {cell(source_of(fact))} |"
        for name, fact in report.facts.items()
    )
    table = "\n".join(("| fact | value | where |", "|---|---|---|", *rows))
    title = f"{len(report.facts)} {'fact' if len(report.facts) == 1 else 'facts'}"
    return f"<details><summary>{title}</summary>\n\n{table}\n\n</details>"
