"""Code that asks a copy on the GPU for the gradient which PyTorch gives to what was copied.

``t = torch.ones(3, requires_grad=True).cuda()`` names the copy: ``t.grad`` stays None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_COPIED = regex(
    r"(?a)(?<![\w.])(?P<name>\w{1,40}) = [^\n#]{0,200}requires_grad ?= ?True[^\n#()]{0,40}\)"
    r"\.(?:cuda|to)\("
)
_ASKED = regex(r"(?a)(?<![\w.])(?P<name>\w{1,40})\.grad\b")


def read(text: Text) -> Statements:
    """That the gradient of a copy is asked for, where no program stopped for another reason."""
    if "traceback" in text or "retain_grad(" in text:
        return
    copies: dict[str, Line] = {}
    for line, match in text.matching(_COPIED, "requires_grad"):
        copies.setdefault(match["name"], line)
    for line in text.having(".grad") if copies else ():
        for asked in _ASKED.finditer(line.text):
            copied = copies.get(asked["name"])
            if copied is not None and copied.number < line.number:
                yield say(said.SIGN("grad-of-copy"), excerpt(copied.text), copied)
                return
