"""Known messages that are harmless: named, so that nobody searches on, and never an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import said
from .statement import Statements, say

if TYPE_CHECKING:
    from .text import Line, Text

#: How programs and people begin to speak of trouble, in the lines beside such messages.
_TROUBLE = (
    *("error", "fail", "cannot", "n't", "could not", "unable", "not found", "no such", "traceback"),
    *("exception", "does not", "not work", "stuck", "hang", "crash", "killed", "slow", "wrong"),
    *("abort", "segfault", "segmentation", "core dumped", "stands still", "dies", "died", " nan"),
    *("not available", "not detected", "not using"),
    *("not used", "no gpu", "only cpu", "on cpu", "on the cpu", "falling back", "refused"),
    *("denied", "invalid", "illegal", "missing", "out of"),
    *("screen is black", "black screen", "blank screen", "low resolution", "prints nothing"),
    *("报错", "失败", "错误", "无法", "找不到", "不能", "没有", "异常"),
)


def read(text: Text) -> Statements:
    """Each kind of noise once, with the first line that makes it."""
    from .wordings import harmless

    for sign in harmless.SIGNS:
        found = sign.find(text)
        if found is not None:
            line, value = found
            yield say(said.NOISE(sign.id), value, line)
    for line in text.having(*_TROUBLE):
        if not is_noise(line) and not _introduces_noise(text, line):
            yield say(said.ABOUT("trouble"), 1, line)
            return


def is_noise(line: Line) -> bool:
    """Whether a line makes one of these messages, or goes on with it."""
    from .wordings import harmless

    folded = line.text.lower()
    signs = (sign for sign in harmless.SIGNS if any(cue in folded for cue in sign.cues))
    return any(sign.read(line.text) is not None for sign in signs)


#: What people call such a message that they show below.
_CALLED = ("error", "exception", "错误", "报错")
_LONGEST = 80


def _introduces_noise(text: Text, line: Line) -> bool:
    """Whether a line says no more than that an error follows, and such a message does."""
    told = line.text.rstrip().lower()
    if len(told) > _LONGEST or not told.endswith(":"):
        return False
    for word in _CALLED:
        told = told.replace(word, "")
    below = next((each for each in text.after(line, 3) if each.text.strip("`> \t")), None)
    return below is not None and is_noise(below) and not any(each in told for each in _TROUBLE)
