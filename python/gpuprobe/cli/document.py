"""A report as the document that the user asked for; what `doctor` and `explain` share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from . import output

if TYPE_CHECKING:
    from ..report.model import FailOn, Report
    from ..report.terminal import ColourChoice

Format = Literal["text", "json", "markdown", "html", "junit"]
FORMATS: tuple[Format, ...] = ("text", "json", "markdown", "html", "junit")


@dataclass(frozen=True, slots=True)
class Shape:
    """How the report is to be shown."""

    format: Format = "text"
    output: str | None = None
    redact: bool = True
    color: ColourChoice = "auto"

    @property
    def redacts(self) -> bool:
        """The terminal shows everything to its owner; what leaves it may be passed on."""
        to_terminal = self.format == "text" and self.output in (None, "-")
        return self.redact and not to_terminal


def show(report: Report, shape: Shape, fail_on: FailOn) -> int:
    """Write the document; the exit code. What went into a file leaves a word of a bad verdict."""
    report = report.redacted() if shape.redacts else report
    output.write(_document(report, shape), shape.output, shape.format)
    code = report.exit_code(fail_on)
    if code and shape.output not in (None, "-"):
        from ..report.words import verdict_sentence
        from .source import warn

        warn(f"{verdict_sentence(report)} See {shape.output}")
    return code


def _document(report: Report, shape: Shape) -> str:
    if shape.format == "text":
        from ..report.text import render as text
        from .options import terminal_style

        return text(report, terminal_style(shape.color, shape.output))
    if shape.format == "json":
        from ..report.json import render

        return render(report)
    if shape.format == "markdown":
        return report.markdown(redact=False)
    if shape.format == "html":
        return report.html(redact=False)
    return report.junit(redact=False)
