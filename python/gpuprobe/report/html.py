"""The report as one page, or as a part of one for a notebook. No script, nothing fetched."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnosis.model import Finding, Placed, Role, Severity, Verdict
from .chain import chain
from .harmless import TITLE, harmless
from .marks import CLASSES, SIGNS, Mark, mark_of
from .seen import Seen, seen
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
    from .links import Row
    from .model import Report

_SEVERITY_MARKS = {
    Severity.ERROR: Mark.BROKEN,
    Severity.WARNING: Mark.IN_PART,
    Severity.NOTE: Mark.OPEN,
}
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """The one place where a value becomes HTML."""
    return html.escape(printable(text))


_QUOTED_CODE = re.compile(r"`([^`\n]+)`")


def prose(text: str) -> str:
    """Sentences; what stands in backticks is code."""
    return _QUOTED_CODE.sub(r"<code>\1</code>", escape(text))


def printable(text: str) -> str:
    """`text` without the characters that neither HTML nor XML may hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def page(report: Report) -> str:
    """A whole document."""
    return wrap_page(f"gpuprobe: {report.verdict.value}", _body(report))


def fragment(report: Report) -> str:
    """The part that a notebook shows."""
    return f'<style>{style()}</style><div class="gpuprobe">{_body(report)}</div>'


def wrap_page(title: str, body: str, more_style: str = "") -> str:
    """A whole document around `body`, which is HTML already; `more_style` is for it alone."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style()}\n"
        "body { margin: 0; background: light-dark(#ffffff, #11161d); }\n"
        ".gpuprobe { margin: 0 auto; }\n"
        f"{more_style}"
        f'</style>\n</head>\n<body>\n<main class="gpuprobe">\n{body}\n</main>\n</body>\n</html>'
    )


def style() -> str:
    """The style sheet beside this module."""
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8").rstrip()


def _body(report: Report) -> str:
    parts = [
        _header(report),
        _next_step(report) if report.verdict is Verdict.UNKNOWN else "",
        _chain(chain(report)),
        *(_card(report, p) for p in report.diagnosis.placed if p.role is not Role.CONSEQUENCE),
        _harmless(report),
        _not_looked_at(report),
        _facts(report),
        f'<footer class="soft">{escape(outcome_counts(report))}</footer>',
    ]
    return "\n".join(part for part in parts if part)


def _header(report: Report) -> str:
    mark = mark_of(report.diagnosis)
    overrides = "".join(
        f'<p class="alert">Override in use: <code>{escape(f"{name}={value}")}</code></p>'
        for name, value in report.overrides.items()
    )
    system = escape(tool_line(report.facts))
    if report.source != "machine":
        system += f" · judged from a {escape(report.source)}"
    return (
        f'<header class="{CLASSES[mark]}"><h1>{escape(verdict_sentence(report))}</h1>'
        f'<p class="soft">{system}</p>{overrides}</header>'
    )


def breakable(name: str, after: str = "_") -> str:
    """A code that is longer than its column breaks between its words; copying it adds nothing."""
    for mark in after:
        name = name.replace(mark, f"{mark}<wbr>")
    return name


def fact_name(name: str) -> str:
    """The name of a fact as the head of a row."""
    return f'<th scope="row"><code>{breakable(escape(name), "_.")}</code></th>'


def _chain(rows: tuple[Row, ...]) -> str:
    return f'<ol class="chain">{"".join(map(_link, rows))}</ol>' if rows else ""


def _link(row: Row) -> str:
    sign, said = SIGNS[row.mark], row.mark.value
    return (
        f'<li class="{CLASSES[row.mark]}"><span class="mark" aria-hidden="true">{sign}</span>'
        f'<strong>{escape(row.title)}<span class="said">: {said}. </span></strong>'
        f'<span class="detail">{breakable(escape(row.detail), "_/")}</span></li>'
    )


def _card(report: Report, placed: Placed) -> str:
    rule, finding = placed.rule, placed.finding
    about = [f"{rule.code} {rule.name}", in_words(finding.confidence)]
    if finding.subject != "machine":
        about.insert(1, finding.subject)
    is_root = placed.role is Role.ROOT
    follow = _consequences(report) if is_root else ""
    to_be_sure = _next_step(report) if is_root and report.verdict is not Verdict.UNKNOWN else ""
    classes = f"finding {placed.role.value} {CLASSES[_SEVERITY_MARKS[finding.severity]]}"
    return (
        f'<section class="{classes}"><h2>{escape(headline(placed))}</h2>'
        f'<p class="soft">{escape(" · ".join(about))}</p>'
        f"{_evidence(report, finding)}{_fix(advice(placed))}{follow}</section>{to_be_sure}"
    )


def _evidence(report: Report, finding: Finding) -> str:
    if not finding.evidence:
        return ""
    items = "".join(map(_seen, seen(report, finding)))
    return f'<h3>What was seen</h3><ul class="plain">{items}</ul>'


def _seen(evidence: Seen) -> str:
    what = f"<code>{escape(evidence.value)}</code>"
    place = escape(evidence.source)
    if evidence.fact:
        what, place = f"<code>{escape(evidence.fact)}</code> = {what}", f"from {place}"
    return f'<li>{what} <span class="soft">{place}</span></li>'


def _fix(fix: Fix | None) -> str:
    if fix is None:
        return ""
    commands = "".join(f'<code class="command">{escape(c)}</code>' for c in fix.commands)
    if not does_something(fix):
        return f"<h3>What to do</h3><p>{prose(fix.text)}</p>"
    undo = f"<br>Undo: {escape(fix.undo)}" if fix.undo else ""
    return (
        f"<h3>How to mend it</h3><p>{prose(fix.text)}</p>{commands}"
        f'<p class="soft">Risk: {escape(risk(fix))}{undo}</p>'
    )


def _consequences(report: Report) -> str:
    items = "".join(
        f"<li>{escape(headline(p))} "
        f'<span class="soft">{escape(p.rule.code)} {escape(p.rule.name)}</span></li>'
        for p in report.diagnosis.placed
        if p.role is Role.CONSEQUENCE
    )
    summary = "<summary>What follows from it</summary>"
    return f"<details>{summary}<ul>{items}</ul></details>" if items else ""


def _next_step(report: Report) -> str:
    step = report.diagnosis.next_step
    if step is None:
        return ""
    commands = "".join(f'<code class="command">{escape(c)}</code>' for c in step.commands)
    otherwise = "" if step.otherwise is None else f'<p class="soft">{escape(step.otherwise)}</p>'
    readings = "".join(
        f"<dt>{escape(each.answer)}</dt><dd>{escape(each.means)}</dd>" for each in step.readings
    )
    told = f'<h3>What it tells</h3><dl class="readings">{readings}</dl>' if readings else ""
    title = f"{step_title(report.diagnosis)}: {step.text}"
    head = f'<section class="finding next"><h2>{escape(title)}</h2>'
    return f"{head}{commands}{otherwise}{told}</section>"


def _harmless(report: Report) -> str:
    items = [
        f'<li>{escape(meaning)} <span class="soft">{escape(source)}</span></li>'
        for meaning, source in harmless(report.facts)
    ]
    summary = f"<summary>{TITLE} ({len(items)})</summary>"
    is_the_answer = report.verdict is Verdict.HEALTHY and report.diagnosis.proof is None
    shown = " open" if is_the_answer else ""
    return f"<details{shown}>{summary}<ul>{''.join(items)}</ul></details>" if items else ""


def _not_looked_at(report: Report) -> str:
    items = [
        f'<li>{escape(reason)} <span class="soft">{escape(", ".join(facts))}</span></li>'
        for reason, facts in unlooked(report.diagnosis)
    ]
    items += [
        f"<li>{escape(each['where'])} broke: {escape(each['trouble'])}</li>"
        for each in crashes(report)
    ]
    if not items:
        return ""
    summary = f"<summary>{escape(unlooked_title(report.diagnosis))} ({len(items)})</summary>"
    shown = " open" if report.verdict is Verdict.UNKNOWN else ""
    return f"<details{shown}>{summary}<ul>{''.join(items)}</ul></details>"


def _facts(report: Report) -> str:
    number = len(report.facts)
    if not number:
        return ""
    title = "1 fact" if number == 1 else f"All {number} facts"
    rows = "".join(
        f"<tr>{fact_name(name)}<td>{escape(value_of(fact))}</td>"
        f'<td class="soft">{escape(source_of(fact))}</td></tr>'
        for name, fact in report.facts.items()
    )
    head = '<th scope="col">Fact</th><th scope="col">Value</th><th scope="col">Where</th>'
    return (
        f'<details class="facts"><summary>{title}</summary>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></details>"
    )
