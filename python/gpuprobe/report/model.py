"""The report: one judged set of facts, and the ways to show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..diagnosis.model import Diagnosis, Role, Severity, Verdict
from ..facts import names
from .identity import Identity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..facts.model import Facts

Source = Literal["machine", "snapshot", "text"]
FailOn = Literal["error", "warning", "never"]


@dataclass(frozen=True, slots=True)
class Report:
    """What `gpuprobe.doctor()` answers.

    It prints as text and shows itself in a notebook. What is meant for other eyes (HTML,
    Markdown, JSON, JUnit) is redacted unless ``redact=False`` is asked for; the text is not.

    Attributes:
        diagnosis: The verdict, the findings at their places, and the outcome of every check.
        facts: All that was found out, each fact with the place where it was read.
        source: Where the facts come from: this machine, a snapshot, or a pasted text.
        overrides: GPUPROBE_* variables that changed what was looked at, with their values.
        identity: The names that redaction has to hide.
        quotes: Of a text the lines that the findings rest on, by what their sources are called.
    """

    diagnosis: Diagnosis
    facts: Facts
    source: Source = "machine"
    overrides: Mapping[str, str] = field(default_factory=dict)
    identity: Identity = field(default_factory=Identity, repr=False)
    quotes: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def verdict(self) -> Verdict:
        """healthy, broken, degraded or unknown."""
        return self.diagnosis.verdict

    @property
    def crashed(self) -> tuple[str, ...]:
        """Collectors of facts that broke, in words for a bug report."""
        return self.facts.known(names.COLLECT_BROKEN) or ()

    def exit_code(self, fail_on: FailOn = "error") -> int:
        """What the command line exits with: 0 fine, 1 findings at `fail_on` or above, 3 unknown.

        With "never" it is 0 as soon as there is a report, whatever the report says.
        """
        if fail_on == "never":
            return 0
        failing = (Severity.ERROR,) if fail_on == "error" else (Severity.ERROR, Severity.WARNING)
        placed = self.diagnosis.placed
        if any(p.role is not Role.NOTE and p.finding.severity in failing for p in placed):
            return 1
        return 3 if self.verdict is Verdict.UNKNOWN else 0

    def redacted(self) -> Report:
        """The same report without names, addresses, serial numbers and the tails of UUIDs."""
        from .redact import redact_report

        return redact_report(self)

    def to_dict(self, *, redact: bool = True) -> dict[str, object]:
        """The document of ``--format json``, schema 1, as docs/schema/report-1.schema.json."""
        from .json import document

        return document(self.redacted() if redact else self)

    def text(self, *, width: int = 80, colour: bool = False, ascii: bool = False) -> str:  # noqa: A002
        """The report for a terminal of `width` columns; not redacted."""
        from .terminal import Style
        from .text import render

        return render(self, Style(width, colour, ascii))

    def html(self, *, redact: bool = True) -> str:
        """A whole page in one file: no script, nothing fetched."""
        from .html import page

        return page(self.redacted() if redact else self)

    def markdown(self, *, redact: bool = True) -> str:
        """For an issue form."""
        from .markdown import render

        return render(self.redacted() if redact else self)

    def junit(self, *, redact: bool = True) -> str:
        """One test case a check, for a CI server."""
        from .junit import render

        return render(self.redacted() if redact else self)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        root = self.diagnosis.root
        cause = f" by {root.rule.code} {root.rule.name}" if root else ""
        return f"<gpuprobe report: {self.verdict.value}{cause}; print it to read it>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows and keeps: redacted, for notebooks are passed on."""
        del include, exclude  # both forms are always given
        return {"text/plain": self.redacted().text(), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        from .html import fragment

        return fragment(self.redacted())
