"""What NCCL warned of last, as frameworks print it below its code: "Last error:" and a line.

NCCL keeps the text of its last warning (ncclGetLastError), which tells more than the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: Who speaks, where several processes write into one text: "[rank1]:", "(Runner pid=16018)".
_WHO = (
    r"\A\s*(?:(?:\[[\w|]{1,24}\]:?|\d{1,5}:"
    r"|\([\w .=]{1,60}\)(?: [A-Z]+ [\d:. -]{1,30}\S{1,60}\])?)\s*)?"
)
_LAST = regex(_WHO + r"Last error:\s*\Z")
_WARNED = regex(_WHO + r"(?:Cuda failure (?:\d+ )?'(?P<cuda>[^'\n]{3,80})'|(?P<text>\S.{3,160}))")


def read(text: Text) -> Statements:
    """The last warning, and the text of CUDA's where that is what failed."""
    if "nccl" not in text:
        return
    for line, _ in text.matching(_LAST, "last error:"):
        for below in text.after(line, 1):
            warned = _WARNED.match(below.text)
            if warned and warned["cuda"]:
                yield say(said.SIGN("nccl-cuda-failure"), warned["cuda"], below)
            elif warned:
                yield say(said.SIGN("nccl-warning"), warned["text"].strip(), below)
