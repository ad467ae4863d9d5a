"""A build that prints the nvcc it calls by its path, where there is none.

By the shell's answer: StyleGAN's plug-ins call the path that only Linux has on Windows too. Or by
the path itself, which CUDA_HOME begins: it is one folder, and no list of several as PATH is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
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
#: As ``CUDA_HOME=$CUDA_HOME:/usr/local/cuda`` has it, mostly with nothing before the colon. Ninja
#: counts the commands in front of them.
_OF_LIST = regex(
    r"(?:\A\s{0,8}|\[\d{1,5}/\d{1,5}\] )"
    r"((?:/[^\s:]{1,120})?(?::/[^\s:]{1,160}){1,8}/bin/nvcc)\s{1,4}-"
)


def read(text: Text) -> Statements:
    """The first of them."""
    for line, match in text.matching(_OF_LIST, "/bin/nvcc "):
        yield say(said.SIGN("nvcc-not-in-folder"), match[1], line)
        return
    for line, match in text.matching(_CALLED, "nvcc"):
        if any(_GONE.match(each.text) for each in text.after(line, _NEAR)):
            yield say(said.SIGN("nvcc-not-in-folder"), match["path"], line)
            return
