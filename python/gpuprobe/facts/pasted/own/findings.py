"""What a report of gpuprobe for a terminal found: each finding with its evidence and its repair.

A finding is a title behind a mark, below it the handle, and then parts with a label each::

    ✗ Driver 470.256.02 serves CUDA up to 11.4, torch 2.3.1+cu121 needs 12.1
      GP203 driver-too-old · package:torch
      Seen    driver.version = 470.256.02 (nvmlSystemGetDriverVersion)
      Fix     Update to NVIDIA driver 525.60.13 or newer and restart the machine.
              $ sudo ubuntu-drivers install

Below 60 columns what a label names stands under it. Lines are wrapped, commands never are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ... import reported
from ...model import Known, entry
from ...regex import regex
from .rows import QUOTED, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...model import Entry

#: What a severity is shown as, on a terminal that shows all characters and on any other.
_SEVERITIES = {"✗": "error", "x": "error", "!": "warning", "·": "note", "-": "note"}
_TITLE = regex(rf"\A([{''.join(_SEVERITIES)}]) (\S.*)\Z")
_HANDLE = regex(r"\A  (GP\d{3}) ([a-z][a-z-]{1,60})(?: [·-] (.*))?\Z")
_LABEL = regex(r"\A  (Seen|Fix|Risk|Undo|Check|More|Hence)(?: {2,5}(\S.*))?\Z")
#: The margin of what stands below a label, and what more there is where it begins beside it.
_BELOW, _BESIDE = " " * 4, " " * 6
_COMMAND = regex(r"\A\$ (.+)")
_JUDGED = regex(r"\A  Judged from a (snapshot|text), not from this machine\.\Z")
_SURE = regex(r"\A(certain|likely|possible)(?:: |\Z)")


@dataclass(slots=True)
class Finding:
    """The lines of one finding, by what they are."""

    number: int  # of its first line in the text
    last: int
    severity: str
    title: list[str]
    code: str = ""
    name: str = ""
    handle: list[str] = field(default_factory=list)
    parts: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def words(self, label: str) -> str:
        """A part of prose in one line."""
        lines = (line for _, line in self.parts.get(label, ()))
        return " ".join(line for line in lines if not _COMMAND.match(line))


def findings(lines: Sequence[str], first: int) -> tuple[Finding, ...]:
    """What the report in these lines found, whose first one has this number in the text.

    Each has a handle and some part: a chip, GP106, may stand below a mark as well.
    """
    return tuple(each for each in _blocks(lines, first) if each.code and each.parts)


def stated(found: Iterable[Finding]) -> Iterator[Entry]:
    """The facts about these findings."""
    for subject, finding in enumerate(found, 1):
        source = f"line {finding.number} of the text"
        about, confidence = _about(finding)
        fix = finding.parts.get("Fix", ())
        commands = tuple(found[1] for _, line in fix for found in [_COMMAND.match(line)] if found)
        for family, words in (
            (reported.CODE, finding.code),
            (reported.NAME, finding.name),
            (reported.TITLE, " ".join(finding.title)),
            (reported.SUBJECT, about),
            (reported.SEVERITY, finding.severity),
            (reported.CONFIDENCE, confidence),
            (reported.FIX, finding.words("Fix")),
            (reported.RISK, finding.words("Risk")),
            (reported.UNDO, finding.words("Undo")),
        ):
            if words:
                yield entry(family(subject), Known(words, source))
        evidence = tuple(_evidence(finding.parts.get("Seen", ())))
        yield entry(reported.EVIDENCE(subject), Known(evidence, source))
        yield entry(reported.COMMANDS(subject), Known(commands, source))


def judged(lines: Sequence[str]) -> str:
    """What the report was made of: the machine, a snapshot, a text."""
    told = next(filter(None, map(_JUDGED.match, lines[:8])), None)
    return told[1] if told else "machine"


def _blocks(lines: Sequence[str], first: int) -> Iterator[Finding]:
    """The findings, and what else begins with a mark, as the verdict does."""
    finding, label = None, ""
    for number, line in enumerate(lines, first):
        title = _TITLE.match(line)
        if title:
            if finding is not None:
                yield finding
            finding, label = Finding(number, number, _SEVERITIES[title[1]], [title[2]]), ""
        elif not line.startswith("  "):
            if finding is not None:
                yield finding
            finding = None
        elif finding is not None:
            label = _take(finding, label, number, line)
            finding.last = number
    if finding is not None:
        yield finding


def _take(finding: Finding, label: str, number: int, line: str) -> str:
    """Put a line to the part that it belongs to; the label of that part."""
    handle = _HANDLE.match(line)
    labelled = _LABEL.match(line)
    if not finding.code and handle:
        finding.code, finding.name = handle[1], handle[2]
        finding.handle.append(handle[3] or "")
    elif not finding.code:
        finding.title.append(line.strip())
    elif labelled:
        label = labelled[1]
        begun = finding.parts.setdefault(label, [])
        if labelled[2]:
            begun.append((number, labelled[2]))
    elif label:
        finding.parts[label].append((number, line.removeprefix(_BELOW).removeprefix(_BESIDE)))
    else:
        finding.handle.append(line.strip())
    return label


def _about(finding: Finding) -> tuple[str, str]:
    """Whom a finding is about, and how sure it is: what the line with its handle tells."""
    subject, confidence = "machine", "certain"
    handle = " ".join(finding.handle)
    for part in handle.split(" · " if "·" in handle else " - "):
        sure = _SURE.match(part)
        if sure:
            confidence = sure[1]
        elif part:
            subject = part
    return subject, confidence


def _evidence(lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Each piece in one line: ``name = value (source)``."""
    for first, parts in pieces(line for _, line in lines):
        number, piece = lines[first][0], " ".join(parts)
        quoted = QUOTED.match(piece)
        rest = piece[quoted.end() :] if quoted else ""
        yield f"text.line = {rest} (line {number} of the text)" if quoted else piece
