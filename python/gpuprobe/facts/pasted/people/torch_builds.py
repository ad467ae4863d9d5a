"""The CUDA of PyTorch's build, as people write it beside its release: "torch 2.5 (pip, cu124)".

Read at the beginning of a line alone, where people list what they have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...regex import regex
from ..installed.package_names import built_for

if TYPE_CHECKING:
    from ..statement import Statements
    from ..text import Line, Text

#: "torch: 1.10.2", "PyTorch version 2.0", "torch nightly"; not torch-scatter, nor torchvision.
_TORCH = regex(
    r"(?ai)\A\W{0,6}(?:py)?torch(?: version)?(?![\w-])\W{0,6}v?"
    r"(?:\d{1,2}\.\d{1,2}[\w.]*|nightly|from the)?(?P<rest>(?:[^\w\n]| ).{2,80}|cu\d{2,3}\b.{0,60})"
)
#: A tag of its wheels, conda's name of a build, or the CUDA in words that can mean a build only.
_BUILD = regex(
    r"(?ai)(?<![\w.+/])cu(?P<tag>\d{2,3})(?!\w)|\bpy\d[\d.]*_cuda(?P<conda>\d{1,2}\.\d)"
    r"|\bcuda(?P<digits>\d{2,3})\b(?!\.)"
    r"|\((?:[^()\n]{0,20}[ ,])?cuda ?(?P<aside>\d{1,2}\.\d)(?:\.\d{1,3})?(?: build)?(?=[,)])"
    r"|\bbuilt (?:for|with|against) cuda (?P<built>\d{1,2}\.\d)\b"
)
#: The line compares, plans, or is of what there was.
_OTHERWISE = regex(
    r"(?i)->|\b(?:tried|try|instead|should|would|could|want|need|require\w*|was|were|before"
    r"|previous\w*|earlier|older|newer|or|and|not|no|without|same|also|pulls"
    r"|wheels?|exists?|dropp?(?:s|ed)|supports?|ships?|colleague\w*|cluster|here"
    r"|on (?:the|my|another))\b"
    r"|[?;]"
)


def read(text: Text) -> Statements:
    """What all lines that tell of it agree on."""
    told: dict[str, Line] = {}
    for line, match in text.matching(_TORCH, "torch"):
        builds = {_digits(each.groupdict()) for each in _BUILD.finditer(match["rest"])}
        if builds and not _OTHERWISE.search(line.text):
            told.update(dict.fromkeys(builds, line))
    if len(told) == 1:
        digits, line = next(iter(told.items()))
        yield from built_for("torch", "cuda", digits, line)


def _digits(found: dict[str, str | None]) -> str:
    """As a wheel's tag has them: 12.4 is 124."""
    return next(filter(None, found.values()), "").replace(".", "")
