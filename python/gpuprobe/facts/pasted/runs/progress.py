"""The last line in which a program tells how far it is, or how fast: rates, losses, results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

_AT_WORK = re.compile(
    r"""(?ix)
    \d\s?(?:it/s|s/it|(?:samples?|tok(?:en)?s?|images?|img|frames|steps|nodes)/s(?:ec)?\b|ns/day
      |(?:ms|s)/(?:step|iter|it)\b|[tg]flops?(?:/s)?\b|[kmg]h/s\b)
  | \d(?:\.\d{1,3})?k?\s?[a-z]{0,14}/s(?=[\s,;:.)\]]|\Z)
  | \b(?:samples|tok(?:en)?s?|images|frames|visits|nnevals)/s(?:ec|/gpu)?\b[^\w\n]{0,4}(?:=\s)?\d
  | \btraining_iteration:\s\d | \bthroughput:\s[\d.]+\stok
  | \bspeed:\s[\d.]+\ssamples/sec | \bsamplespersec=\d | \bimg/sec\b[^\n]{0,24}:\s[\d.]
  | \b(?:step|iter|it|epoch|iteration)\b[\W_]{0,4}\d[^\n]{0,80}\bloss\b\W{0,4}\d
  | \bloss\w{0,8}\b[:=]?\s?\d+\.\d | '(?:train_)?loss':\s'?\d
  | \APerformance:\s{1,12}\d+\.\d+\s{1,12}\d+\.\d+\s*\Z
  | \bbus\sbandwidth\s{1,4}:\s[\d.]+
  | \bspeed=\s{0,4}\d[\d.]*x | \btook\s\d[\d.]*\s?m?s\b
    """
)
#: What is fetched, read or prepared needs no GPU.
_ELSEWHERE = re.compile(
    r"(?i)\b(?:he|she|they) (?:gets?|got|has|have|sees?|saw)\b"
    r"|\b(?:old(?:er)?|other|another|previous) (?:env\w*|machine|box|card|version|node|venv)\b"
    r"|\b(?:loading|download\w*|map(?:ping)?|tokeniz\w+|filter|extract\w*|collecting|cpu|scanning)\b"
    r"|\d ?[kmgt]i?b(?:it|yte)?s?/s"
)
_ON_CPU = re.compile(
    r"(?i)\b(?:on|using|use|to) (?:the |my )?cpu\b|\bdevices?\W{1,6}cpu\b|--cpu\b|\bcpu[- ]only\b"
)
_ON_GPU = re.compile(r"(?i)\bcuda:\d|\bgpu\b")
#: In a sentence.
_QUOTED = re.compile(r"\"[^\"\n]*\d[^\"\n]*\"")
_CUES = (
    *("/s", "/it", "ns/day", "flop", "loss", "took ", "speed=", "performance:", "bus bandwidth"),
    *("training_iteration", "throughput", "samplespersec"),
)
_LIMIT = 120


def read(text: Text) -> Iterator[Statement]:
    """At most one statement; beside work on the CPU the work has to name the GPU."""
    beside = any(True for _ in text.matching(_ON_CPU, "cpu"))
    last = None
    for line, found in text.matching(_AT_WORK, *_CUES):
        quoted = _QUOTED.search(line.text)
        if quoted is not None and quoted.start() < found.start() < quoted.end():
            continue
        if _ELSEWHERE.search(line.text) is None and (not beside or _ON_GPU.search(line.text)):
            last = line
    if last is not None:
        yield say(said.PROGRESS, last.text.strip()[:_LIMIT], last)
