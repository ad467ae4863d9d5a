"""The release of NVIDIA's driver in Windows' own form of it: 31.0.15.3623 is 536.23.

The Device Manager, dxdiag and DirectX show no other, and programs pass it on. Intel's and AMD's
drivers have such numbers too, in places where NVIDIA's never had them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...systems.windows_adapters import release
from ..statement import Statements, say

if TYPE_CHECKING:
    from ...version import Version
    from ..text import Line, Text

#: By the Windows that they were made for: Vista and 7, 8 and 8.1, 10, and from 2021 on both.
_NVIDIA = regex(
    r"(?a)(?<![\w.])(?:8\.1[5-7]\.1[1-3]|(?:9|10)\.18\.13|2[1-7]\.21\.1[34]|3\d\.0\.1[4-9])\.\d{4}"
    r"(?!\.?\d)"
)
_CUES = (".11.", ".12.", ".13.", ".14.", ".15.", ".16.", ".17.", ".18.", ".19.")
#: What a program asks for, and what was there before.
_NOT_THERE = regex(
    r"(?i)\b(?:requires?|required|at least|minimum|or (?:newer|later|higher|above)|older than"
    r"|newer than|(?:up|down)grad\w+|updat\w+|before|previous\w*|rolled back|latest available)\b|>="
)


def read(text: Text) -> Statements:
    """The one release that is told so; of several nobody says which one is in use."""
    found: dict[Version, Line] = {}
    for line, match in text.matching(_NVIDIA, *_CUES):
        version = release(match[0])
        if version is not None and not _NOT_THERE.search(line.text):
            found.setdefault(version, line)
    if len(found) == 1:
        version, line = next(iter(found.items()))
        yield say(names.DRIVER_VERSION, version, line)
