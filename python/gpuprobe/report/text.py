"""The report for a terminal: the chain, the root cause and its fix, the rest, the verdict."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from .. import __version__
from ..diagnosis.model import Confidence, Outcome, Placed, Role, Severity, Verdict
from .chain import chain
from .harmless import TITLE, harmless
from .marks import COLOURS, SIGNS, Mark, mark_of
from .seen import Seen, seen
from .terminal import Style, cells, margin, wrap
from .words import (
    advice,
    does_something,
    headline,
    in_words,
    outcome_counts,
    risk,
    step_title,
    system_line,
    unlooked,
    unlooked_title,
    verdict_sentence,
)

if TYPE_CHECKING:
    from .links import Row
    from .model import Report

_GUTTER = 16  # the longest title of a link, and two spaces
_LABEL = 8
_NARROW = 60


def render(report: Report, style: Style) -> str:
    """The whole text, without a final line end."""
    page = _Page(style)
    page.line(page.paint(f"gpuprobe {__version__}", "bold"), system_line(report.facts))
    _overrides(page, report)
    if report.verdict is Verdict.UNKNOWN:
        _next_step(page, report)
    rows = chain(report)
    if rows:
        page.gap()
    for row in rows:
        _row(page, row)
    for placed in report.diagnosis.placed:
        if placed.role is not Role.CONSEQUENCE:
            page.gap()
            _finding(page, report, placed)
        if placed.role is Role.ROOT:
            _consequences(page, report)
            if report.verdict is not Verdict.UNKNOWN:
                _next_step(page, report)
    _harmless(page, report)
    _not_looked_at(page, report)
    page.gap()
    _closing(page, report)
    return "\n".join(page.lines)


class _Page:
    """Lines of text under one style."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.lines: list[str] = []
        self.narrow = style.width < _NARROW

    def paint(self, text: str, *names: str) -> str:
        return self.style.paint(self.style.plain(text), *names)

    def gap(self) -> None:
        self.lines.append("")

    def line(self, painted: str, rest: str = "") -> None:
        """A painted beginning, and more in dim on the same line where there is room."""
        self.lines.append(painted)
        if rest:
            bare = cells(painted) - (8 if self.style.colour else 0)
            if bare + 3 + cells(rest) <= self.style.width:
                self.lines[-1] += self.paint(" · " + rest, "dim")
            else:
                self.block(rest, 2, "dim")

    def block(self, text: str, indent: int, *names: str, first: str | None = None) -> None:
        """Wrapped text; `first` stands in place of the first line's indent, painted already."""
        width = self.style.width
        for number, line in enumerate(wrap(self.style.plain(text), width - indent)):
            start = margin(line, indent, width) if number or first is None else first
            self.lines.append(start + self.style.paint(line, *names))

    def labelled(self, label: str, text: str, *names: str) -> None:
        """A word in the margin and a text beside it; below it where the page is narrow."""
        if self.narrow:
            if label:
                self.lines.append("  " + self.paint(label, "dim"))
            self.block(text, self._inner, *names)
            return
        margin = "  " + self.paint(label, "dim") + " " * (_LABEL - len(label))
        self.block(text, self._inner, *names, first=margin)

    def fits(self, text: str) -> bool:
        """Whether `text` needs one line beside or below its label."""
        return self._inner + cells(self.style.plain(text)) <= self.style.width

    @property
    def _inner(self) -> int:
        return 4 if self.narrow else 2 + _LABEL

    def command(self, command: str) -> None:
        """One line to copy: never wrapped, for a broken command would not run."""
        self.lines.append(" " * self._inner + self.paint("$ ", "dim") + self.paint(command, "cyan"))


def _overrides(page: _Page, report: Report) -> None:
    if report.source != "machine":
        page.block(f"Judged from a {report.source}, not from this machine.", 2, "dim")
    for name, value in report.overrides.items():
        sign = page.paint(SIGNS[Mark.IN_PART] + " ", "yellow", "bold")
        page.block(f"OVERRIDE {name}={value}", 2, "yellow", "bold", first=sign)


def _next_step(page: _Page, report: Report) -> None:
    step = report.diagnosis.next_step
    if step is None:
        return
    page.gap()
    title = f"{step_title(report.diagnosis)}: {step.text}"
    page.block(title, 2, "bold", first=page.paint("→ ", "cyan", "bold"))
    for command in step.commands:
        page.command(command)
    if step.otherwise is not None:
        page.block(f"({step.otherwise})", 4, "dim")
    for reading in step.readings:
        page.block(f"{reading.answer} → {reading.means}", 4, first=page.paint("  · ", "dim"))


def _row(page: _Page, row: Row) -> None:
    names = COLOURS[row.mark]
    sign = page.paint(SIGNS[row.mark], *names)
    dim = ("dim",) if row.mark is Mark.OPEN else ()
    if page.narrow:
        page.block(row.title, 4, "bold", first=f"  {sign} ")
        page.block(row.detail, 4, *dim)
        return
    title = page.paint(row.title, *dim) + " " * (_GUTTER - len(row.title))
    page.block(row.detail, 4 + _GUTTER, *dim, first=f"  {sign} {title}")


def _finding(page: _Page, report: Report, placed: Placed) -> None:
    rule, finding = placed.rule, placed.finding
    mark = _severity_mark(finding.severity)
    sign = page.paint(SIGNS[mark] + " ", *COLOURS[mark])
    page.block(headline(placed), 2, "bold", first=sign)
    handle = f"{rule.code} {rule.name}"
    if finding.subject != "machine":
        handle += f" · {finding.subject}"
    if finding.confidence is not Confidence.CERTAIN:
        handle += f" · {in_words(finding.confidence)}"
    page.block(handle, 2, "dim")
    brief = _in_brief(report, placed)
    if not brief:
        told = tuple(seen(report, finding))
        for evidence, after in zip_longest(told, told[1:]):
            _evidence(page, "Seen" if evidence is told[0] else "", evidence, after)
    _fix(page, placed, brief=brief)
    if placed.role is Role.ROOT and does_something(finding.fix):
        again = "on that machine" if report.source == "text" else "again"
        page.labelled("Check", f"run gpuprobe {again}", "dim")
    page.labelled("More", f"gpuprobe rule {rule.code}", "dim")


def _in_brief(report: Report, placed: Placed) -> bool:
    """What is only good to know of a machine, with advice; of a text the lines are quoted."""
    is_note = placed.role is Role.NOTE and advice(placed) is not None
    return is_note and report.source != "text"


def _fix(page: _Page, placed: Placed, *, brief: bool) -> None:
    fix = advice(placed)
    if fix is None:
        return
    page.labelled("Fix", fix.text)
    for command in fix.commands:
        page.command(command)
    if brief:
        return
    if does_something(fix):
        page.labelled("Risk", risk(fix), "dim")
    if fix.undo:
        page.labelled("Undo", fix.undo, "dim")


def _evidence(page: _Page, label: str, evidence: Seen, after: Seen | None) -> None:
    """What was read and where; one place for several stands below the last of them."""
    read, source = evidence.words, f"({evidence.source})"
    if not evidence.fact:
        page.labelled(label, read)
    elif page.fits(f"{read} {source}"):
        page.labelled(label, read)
        page.lines[-1] += " " + page.paint(source, "dim")
    else:
        page.labelled(label, read)
        if after is None or after.source != evidence.source or not after.fact:
            page.labelled("", source, "dim")


def _consequences(page: _Page, report: Report) -> None:
    follow = [p for p in report.diagnosis.placed if p.role is Role.CONSEQUENCE]
    for number, placed in enumerate(follow):
        label = "Hence" if number == 0 else ""
        page.labelled(label, f"{placed.rule.code} {placed.rule.name}: {placed.finding.title}")


def _severity_mark(severity: Severity) -> Mark:
    return {Severity.ERROR: Mark.BROKEN, Severity.WARNING: Mark.IN_PART}.get(severity, Mark.OPEN)


def _harmless(page: _Page, report: Report) -> None:
    messages = harmless(report.facts)
    if messages:
        page.gap()
        page.block(TITLE, 0, "bold")
    for meaning, source in messages:
        page.block(f"{meaning} ({source})", 4, "dim", first=page.paint("  · ", "dim"))


def _not_looked_at(page: _Page, report: Report) -> None:
    crashed = [c for c in report.diagnosis.checks if c.outcome is Outcome.CRASHED]
    groups = unlooked(report.diagnosis)
    if not groups and not crashed and not report.crashed:
        return
    page.gap()
    if groups:
        page.block(unlooked_title(report.diagnosis), 0, "bold")
    for reason, facts in groups:
        if report.diagnosis.settling is None:
            page.block(reason, 4, first=page.paint("  · ", "dim"))
            page.block(", ".join(facts), 4, "dim")
        else:
            _asked_besides(page, reason, ", ".join(facts))
    for check in crashed:
        trouble = f"check {check.rule.code} {check.rule.name} broke: {check.trouble}"
        page.block(trouble, 4, "red", first=page.paint("  ! ", "red"))
    for trouble in report.crashed:
        page.block(f"collector {trouble}", 4, "red", first=page.paint("  ! ", "red"))


def _asked_besides(page: _Page, how: str, facts: str) -> None:
    """A command and what it tells, on one line where there is room."""
    dot = page.paint("  · ", "dim")
    if cells(page.style.plain(f"{how} ({facts})")) + 4 <= page.style.width:
        page.lines.append(dot + page.style.plain(how) + page.paint(f" ({facts})", "dim"))
        return
    page.block(how, 4, first=dot)
    page.block(f"({facts})", 4, "dim")


def _closing(page: _Page, report: Report) -> None:
    page.block(outcome_counts(report), 0, "dim")
    mark = mark_of(report.diagnosis)
    names = COLOURS[mark] if mark is not Mark.OPEN else ("bold",)
    page.block(verdict_sentence(report), 2, *names, first=page.paint(SIGNS[mark] + " ", *names))
