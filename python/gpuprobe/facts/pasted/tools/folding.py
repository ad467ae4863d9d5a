"""The GPUs as Folding@home lists them: ``GPU 0: Bus:1 Slot:0 Func:0 AMD:5 Hawaii [Radeon R9]``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_ROW = regex(
    r"(?a)\bGPU (?P<gpu>\d{1,2}): Bus:\d{1,3} Slot:\d{1,3} Func:\d (?P<maker>NVIDIA|AMD|ATI|INTEL)"
    r":\d{1,2} (?P<chip>[^\[\n]{0,60})(?:\[(?P<product>[^\]\n]{1,80})\])?",
    re.IGNORECASE,
)
_MAKERS = {"ati": "amd"}
#: What it lists as well where CUDA found one; cards that it does not know are not in its list.
_OF_CUDA = "cuda device 0:"


def read(text: Text) -> Statements:
    """The maker of each card, NVIDIA's by name; none of NVIDIA's where all are of others."""
    rows = tuple(text.matching(_ROW, ": bus:"))
    nvidia = 0
    for line, match in rows:
        maker = match["maker"].lower()
        yield say(names.PCI_VENDOR(match["gpu"]), _MAKERS.get(maker, maker), line)
        if maker == "nvidia":
            nvidia += 1
            yield say(names.GPU_NAME(match["gpu"]), match["product"] or match["chip"].strip(), line)
    if rows and (nvidia or _OF_CUDA not in text):
        yield say(names.PCI_NVIDIA_COUNT, nvidia, rows[0][0])
