"""A build that prints the nvcc it calls by its path, and the shell's answer: no such path.

StyleGAN's plug-ins do so, on Windows too with the path that only Linux has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

#: A command line that begins with the path.
_CALLED = regex(
    r"(?i)\A\W{0,4}(?P<path>(?:/|[A-Z]:[\\/])[^\"'\n]{1,160}?[\\/]nvcc(?:\.exe)?)\"?\s"
    r"[^\n]*(?:--[a-z]|\s-[a-z])"
)
#: What cmd.exe says of it, in Chinese too, and how people shorten that.
_GONE = regex(
    r"(?i)\A\W{0,4}(?:(?:the system )?cannot find the (?:path|file) specified\b"
    r"|系统找不到指定的(?:路径|文件)|系統找不到指定的(?:路徑|檔案))"
)
_NEAR = 4


def read(text: Text) -> Iterator[Statement]:
    """The first of them."""
    for line, match in text.matching(_CALLED, "nvcc"):
        if any(_GONE.match(each.text) for each in text.after(line, _NEAR)):
            yield say(said.SIGN("nvcc-not-in-folder"), match["path"], line)
            return
