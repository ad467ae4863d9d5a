"""Code that asks a copy on the GPU for the gradient which PyTorch gives to what was copied.

``t = torch.ones(3, requires_grad=True).cuda()`` names the copy: ``t.grad`` stays None.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Text

_COPIED = re.compile(
    r"(?a)(?<![\w.])(?P<name>\w{1,40}) = [^\n#]{0,200}requires_grad ?= ?True[^\n#()]{0,40}\)"
    r"\.(?:cuda|to)\("
)
_LIMIT = 240


def read(text: Text) -> Iterator[Statement]:
    """That the gradient of a copy is asked for, where no program stopped for another reason."""
    if "traceback" in text or "retain_grad(" in text:
        return
    for copied, match in text.matching(_COPIED, "requires_grad"):
        asked = re.compile(rf"(?<![\w.]){match['name']}\.grad\b")
        for line, _ in text.matching(asked, ".grad"):
            if line.number > copied.number:
                yield say(said.SIGN("grad-of-copy"), copied.text.strip()[:_LIMIT], copied)
                return
