"""A power limit below the card's own, as programs and people tell of both in one line.

"GPU 0 capped to 250 W of 350 W default", "power limit: 200 W (default 320 W)". What nvidia-smi
prints of them has readers of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_WATTS = r"(\d{2,4})(?:\.\d{1,2})? ?W(?:atts?)?\b"
_SET = r"\b(?:(?:power[- ])?(?:capped|limited)|power[- ](?:limit|cap))\b[^\d\n.]{0,16}"
_ITS_OWN = r"(?:default|stock|factory)"
_BOTH = regex(
    rf"(?ai){_SET}{_WATTS}[^\d\n]{{0,12}}(?:"
    rf"\b{_ITS_OWN}\b[^\d\n]{{0,16}}(?P<own>\d{{2,4}})(?:\.\d{{1,2}})? ?W(?:atts?)?\b"
    rf"|\b(?:of|vs\.?|from) (?:the )?(?P<of>\d{{2,4}})(?:\.\d{{1,2}})? ?W(?:atts?)? {_ITS_OWN}\b)"
)
_GPU = regex(r"(?ai)\bGPU ?#?(\d{1,2})\b")
#: What is over, wished for, or explained.
_SUPPOSED = regex(
    r"(?i)\?|\b(?:if|when|unless|should|would|could|can|may|might|was|were|had|before|example"
    r"|e\.g|cpu|please|try|raise|reset|restored?|back to)\b"
)
_LONGEST = 400


def read(text: Text) -> Statements:
    """Both limits of each GPU; of one without a number as of the first."""
    for line, match in text.matching(_BOTH, " w", "w ", "watt"):
        if len(line.text) > _LONGEST or _SUPPOSED.search(line.text):
            continue
        numbered = _GPU.search(line.text)
        gpu = numbered[1] if numbered else "0"
        yield say(names.GPU_POWER_LIMIT(gpu), float(match[1]), line)
        yield say(names.GPU_POWER_LIMIT_DEFAULT(gpu), float(match["own"] or match["of"]), line)
