"""What GROMACS prints at its start: the CUDA that the driver serves, and that of its own build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: CUDA's own number for a release, 12040, with a point in it: 12.40.
_NUMBER = r"(\d{1,2})\.(\d{1,2})\s*\Z"
_DRIVER = regex(rf"(?a)\A\W{{0,8}}CUDA driver:\s{{1,12}}{_NUMBER}")
_RUNTIME = regex(rf"(?a)\A\W{{0,8}}CUDA runtime:\s{{1,12}}{_NUMBER}")


def read(text: Text) -> Statements:
    """Both releases; a driver that is not there is told as 0.0."""
    for key, pattern, cue in (
        (names.DRIVER_CUDA, _DRIVER, "cuda driver:"),
        (names.PACKAGE_CUDA("gromacs"), _RUNTIME, "cuda runtime:"),
    ):
        for line, match in text.matching(pattern, cue):
            if int(match[1]):
                yield say(key, Version.of(int(match[1]), int(match[2]) // 10), line)
