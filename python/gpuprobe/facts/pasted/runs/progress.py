"""The last line in which a program tells how far it is, or how fast: rates, losses, results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import cues

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

#: So many of something in a second, or in a step, be the unit before the number or behind it. In
#: most lines with such a slash it belongs to a path.
_RATE = regex(
    r"""(?ix)
    \d(?:\.\d{1,3})?k?\s?(?:[a-z]{0,14}/s(?:ec)?|(?:m?s)/(?:step|iter|it))(?![\w/])
  | \b[a-z]{3,14}/s(?:ec|/gpu)?\b[^\w\n]{0,4}(?:=\s)?\d
  | \bimg/sec\b[^\n]{0,24}:\s[\d.]
    """
)
_RATE_CUES = "/s", "/it"
_AT_WORK = regex(
    r"""(?ix)
    \d\s?(?:ns/day|[tg]flops?\b) | \btraining_iteration:\s\d | \bthroughput:\s[\d.]+\stok
  | samplespersec=\d | \btime_per_token=\W?\d
  | \bper\s(?:step|iter(?:ation)?|image|frame|token|batch)\s?[:=]\s?\d[\d.]*\s?m?s\b
  | \bRTF\s?[=:]\s?0?\.\d
  | \bspeed=\s{0,4}\d[\d.]*x | \btook\s\d[\d.]*\s?m?s\b
  | \b(?:step|iter|it|epoch|iteration)\b[\W_]{0,4}\d[^\n]{0,80}\bloss\b\W{0,4}\d
  | \bloss\w{0,8}\b[:=]?\s?\d+\.\d | '(?:train_)?loss':\s'?\d
  | \APerformance:\s{1,12}\d+\.\d+\s{1,12}\d+\.\d+\s*\Z
  | \A\d{1,8}\s\(\d{1,3}\.\d{2}%\)\s  # Nerfstudio
  | \bbus\sbandwidth\s{1,4}:\s[\d.]+
    """
)
_AT_WORK_CUES = cues(
    "ns/day|flop|loss|took |speed=|performance:|bus bandwidth|training_iteration|throughput|%)  "
    "|samplespersec|time_per_token=|per step|per iter|per image|per frame|per token|per batch|rtf"
)
#: What is fetched, read or prepared needs no GPU.
_ELSEWHERE = regex(
    r"(?i)\b(?:he|she|they) (?:gets?|got|has|have|sees?|saw)\b"
    r"|\b(?:old(?:er)?|other|another|previous) (?:env\w*|machine|box|card|version|node|venv)\b"
    r"|\b(?:loading|download\w*|map(?:ping)?|tokeniz\w+|filter|extract\w*|collecting|cpu|scanning)\b"
    r"|\d ?[kmgt]i?b(?:it|yte)?s?/s"
)
_ON_CPU = regex(
    r"(?i)\b(?:on|using|use|to) (?:the |my )?cpu\b|\bdevices?\W{1,6}cpu\b|--cpu\b|\bcpu[- ]only\b"
)
_ON_GPU = regex(r"(?i)\bcuda:\d|\bgpu\b")
#: In a sentence.
_QUOTED = regex(r"\"[^\"\d\n]*\d[^\"\n]*\"")
_LIMIT = 120


def read(text: Text) -> Statements:
    """At most one statement; beside work on the CPU the work has to name the GPU."""
    beside = text.shows(_ON_CPU, "cpu")
    chosen = max((line.number for line in text.having("running on gpu")), default=0)
    told = (text.matching(_RATE, *_RATE_CUES), text.matching(_AT_WORK, *_AT_WORK_CUES))
    lines = (
        line
        for kind in told
        for line, found in kind
        if _counts(line, found, beside=beside and not 0 < chosen < line.number)
    )
    last = max(lines, key=lambda each: each.number, default=None)
    if last is not None:
        yield say(said.PROGRESS, last.text.strip()[:_LIMIT], last)


def _counts(line: Line, found: re.Match[str], *, beside: bool) -> bool:
    """Whether it is work here, and not a part of a sentence that is quoted."""
    quoted = _QUOTED.search(line.text)
    if quoted is not None and quoted.start() < found.start() < quoted.end():
        return False
    return _ELSEWHERE.search(line.text) is None and (not beside or bool(_ON_GPU.search(line.text)))
