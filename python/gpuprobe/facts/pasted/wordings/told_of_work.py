"""What people say of a GPU that they see at work."""

from ..sign import Sign
from ..text import cues

#: More than a desktop takes: a share of the GPU's time.
_SHARE = r"(?<![\d.,-])(?:\d{1,2} ?%? ?- ?)?([2-9]\d|100)(?: ?%| ?percent\b)"
_THE_GPU = (
    r"(?:\b(?:gpus?|(?:graphics )?cards?|(?:[GR]TX ?)?(?:A?\d{4})(?: ?Ti| ?Super)?"
    r"|[AHLPTV]\d{1,3})\b)"
)

SIGNS = (
    Sign(
        "gpu-busy-told",
        "somebody tells how busy the GPU is with a program; the value is the share in percent",
        cues(
            "gpu-util|gpu util|utili|usage|% load|% gpu|percent|gpu stands|gpu is|gpu goes|gpu was"
            "|gpu at|gpu stays|gpu sits|gpu runs|card stands|card is|card goes|card stays"
            "|card runs|gpu during"
        ),
        r"\A(?=.{1,400}\Z)(?=.*\b(?:gpu|card|[GR]TX|A100|V100|P100|H100|T4)\b)"
        r"(?!.*(?:\b(?:if|errors?|fail\w*|crash\w*|hangs?|stuck|freez\w+|throttl\w*|watts?|[mg]hz"
        r"|pcie|gen ?[1-6]|x(?:1|4|8|16)|hot|heat|fans?"
        r"|clocks?|power|video|games?|browser|desktop|used to|should|expect\w*"
        r"|drops?|idle|without|ecc|batter\w+"
        r"|cpu (?:usage|load|is|at|stands|does)"
        r"|task manager|gpu-?z|hwmonitor|afterburner"
        r"|(?:is|does|can|could|will) (?:the|my|a) (?:gpu|card))\b"
        r"|\bno\b|n't\b|\b0 ?%"
        r"|\d ?(?:%|percent) (?:slower|faster|less|more|longer|of the time)\b"
        r"|\b(?:memory|vram|ram)\b[^.\n%]{0,24}\d ?%"
        r"|% (?:of )?(?:the |its |gpu )*(?:memory|vram|ram)\b))"
        r".*?(?:"
        rf"\b{_THE_GPU}(?:[- ](?:utili[sz]ation|util|usage|load))?(?:['\"`]{{0,2}})"
        r"(?: (?:of|itself|for both|all the time))?"
        r" (?:stands?|is|stays|remains|sits|runs|goes(?: up)?|was|at|to|around)\b[^.\n%]{0,24}?"
        rf"{_SHARE}"
        r"|\b(?:utili[sz]ation|usage|load) of (?:the |my )?(?:gpus?|cards?)\b[^.\n%]{0,40}?"
        rf"{_SHARE}"
        rf"|\bgpu[-_ ]?util\w{{0,7}}[ :=]{{1,3}}{_SHARE}|\bgpu during \w{{4,20}}: {_SHARE}"
        rf"|\bonly {_SHARE} busy\b|\b{_SHARE} (?:gpu )?(?:utili[sz]ation|usage|load)\b)",
    ),
)
