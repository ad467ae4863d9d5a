"""The catalogue, continued: what a report of gpuprobe for a terminal found, where a text holds one.

Such a report has only a part of the facts that it was judged by, so that its findings are taken as
they stand. The subject of `report.finding.*` is the number of a finding in its order there.
"""

from __future__ import annotations

from .model import Family, Key
from .names import TEXTS

_HOW = "gpuprobe --json"

VERDICT = Key("report.verdict", str, _HOW)  # in its words: Broken. The GPU is hidden.
SOURCE = Key("report.source", str, _HOW)  # what was judged: machine, snapshot, text
FIRST_LINE = Key("report.first_line", int, _HOW)  # of the text that holds the report
LAST_LINE = Key("report.last_line", int, _HOW)
CODE = Family("report.finding.{}.code", str, _HOW)
NAME = Family("report.finding.{}.name", str, _HOW)
TITLE = Family("report.finding.{}.title", str, _HOW)
SUBJECT = Family("report.finding.{}.subject", str, _HOW)
SEVERITY = Family("report.finding.{}.severity", str, _HOW)
CONFIDENCE = Family("report.finding.{}.confidence", str, _HOW)
EVIDENCE = Family("report.finding.{}.evidence", TEXTS, _HOW)  # name = value (source)
FIX = Family("report.finding.{}.fix", str, _HOW)
COMMANDS = Family("report.finding.{}.commands", TEXTS, _HOW)
RISK = Family("report.finding.{}.risk", str, _HOW)
UNDO = Family("report.finding.{}.undo", str, _HOW)


def catalogue() -> tuple[Key[object] | Family[object], ...]:
    """All keys and families of this module, in the order in which they are written."""
    return tuple(value for value in globals().values() if isinstance(value, Key | Family))
