"""The last line in which a program tells of its failure, and a traceback that lacks its error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import cues

if TYPE_CHECKING:
    from ..text import Line, Text

#: How a trace ends, what a runner says of its program, what the kernel says of a GPU.
_FAILED = regex(
    r"(?:\A|[\s:\]])[\w.]{1,80}(?:Error|Exception): "
    r"|\bCUDA error\b|\bNVRM: Xid\b"
    r"|(?i:\bexit(?:ed)? (?:with )?(?:exit )?(?:code|status) [1-9])|\bcore dumped\b"
    r"|(?i:\bsegmentation fault\b|\bgiving up\b|\bfailed \d+ times\b)|\bNCCL error\b"
    r"|\bNVIDIA-SMI has failed\b|\bFailed to initialize NVML\b|\bCUDA initialization: "
)
_CUES = cues(
    "error: |exception: |cuda error|nvrm: xid|exit |exited |core dumped|segmentation fault"
    "|giving up|failed |nccl error|cuda initialization: "
)
_LIMIT = 120


#: The first line of a traceback of Python's; the lines of its frames are indented.
_TRACE = "traceback (most recent call last)"
#: The error's name may stand in the title, or above the trace.
_NAMED = regex(r"\A(?!\s*File \")[^\n]{0,200}(?:\b[A-Z]\w{0,60}(?:Error|Exception)\b|\bERROR\b)")
_FRAME = regex(r"\A\s+\S|\A\s*\Z")
#: A line in a script that no table of ours reads whole: what failed may be said in it.
_FOREIGN = regex(r"[\u0400-\u04ff\u0600-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_LONGEST = 400


def read(text: Text) -> Statements:
    """The last line that tells of a failure; with `progress` it tells which of both came last."""
    failed = [line for line, _ in text.matching(_FAILED, *_CUES)]
    if failed:
        yield say(said.FAILURE, failed[-1].text.strip()[:_LIMIT], failed[-1])
    named = text.shows(_NAMED, "error", "exception")
    for line in () if named else list(text.having(_TRACE))[-1:]:
        below = text.after(line, _LONGEST)
        rest = [each for each in below if not _FRAME.match(each.text)]
        untold = all(_FOREIGN.search(each.text) for each in rest) or _is_apart(rest[0], text)
        if untold and any(each.text for each in below):
            yield say(said.TRACE_CUT, line.text.strip()[:_LIMIT], line)


def _is_apart(line: Line, text: Text) -> bool:
    """Whether a line is none of the trace above it: Python's error stands right below that."""
    return not any(each.text for each in text.before(line, 1))
