"""The release to which a driver was updated, "nvidia 550.78 -> 555.42.02": the former one is gone.

As package managers list it, and as people write it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: With what a package adds before and behind, "3:550.54.14-1.fc39".
_RELEASE = r"(?:\d:)?v?{}\d{{3}}\.\d{{2,3}}(?:\.\d{{2}})?{}(?:-[\w.+~]{{1,40}})?(?![\w.]*\d)"
_FORMER, _LATTER = _RELEASE.format("", ""), _RELEASE.format("(", ")")
_UPDATED = regex(
    rf"(?ai)\A(?:(?!\b(?:if|should|would|please|try|plan\w*|bump)\b).){{0,300}}?"
    rf"\b(?:nvidia(?!-(?:container|docker|settings))[\w-]{{0,40}}|drivers?)"
    rf"(?:[ :(]{{1,3}}{_FORMER} ?(?:-{{1,2}}>|=>|\u2192) ?"
    rf"|[^.,;\n]{{0,40}}? from {_FORMER} to ){_LATTER}(?![^.\n]*\?)"
)
_LONGEST = 400
_CUES = "->", "=>", "\u2192", " from "


def read(text: Text) -> Statements:
    """The last release that a line names as the later one."""
    if "nvidia" not in text and "driver" not in text:
        return
    found = [each for each in text.matching(_UPDATED, *_CUES) if len(each[0].text) <= _LONGEST]
    if found:
        line, match = found[-1]
        yield say(names.DRIVER_VERSION, Version(match[1]), line)
