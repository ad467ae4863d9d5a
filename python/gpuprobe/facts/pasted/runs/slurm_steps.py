"""Steps of Slurm, of which one asks for no GPU and is shown none, and another asks and lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_STEP = regex(r"\bsrun\b(?P<options>[^|;\n]{0,200}?) nvidia-smi\b")
_ASKS = regex(r"(?:\A|\s)(?:-G ?\d|-G[ =]\S|--g(?:res|pus)\S*)")
_NONE = regex(r"(?i)\A\s*no devices were found\b")
_LISTED = regex(r"\A\s*(?:GPU \d{1,2}: \S|\| NVIDIA-SMI \d)")
_NEAR = 6


def read(text: Text) -> Statements:
    """Said where both stand in the text, in whichever order."""
    without, given = None, False
    for line, step in text.matching(_STEP, "srun"):
        asks = _ASKS.search(step["options"]) is not None
        below = text.after(line, _NEAR)
        if asks and any(_LISTED.match(each.text) for each in below):
            given = True
        elif not asks and any(_NONE.match(each.text) for each in below[:2]):
            without = without or line
    if without is not None and given:
        yield say(said.SIGN("slurm-step-without-gpu"), excerpt(without.text), without)
