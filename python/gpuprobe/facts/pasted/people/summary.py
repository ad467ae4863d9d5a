"""Set-ups that people tell in one line: ``win10, RTX 3060, cuda 11.1, cudnn 8.1.1, torch 1.8``.

One such word may be part of any sentence; two in one list tell of the reporter's machine. So do
a line of nothing but a GPU's name, and "I have 2 GTX 1070".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...regex import regex
from .. import gpu_names
from ..installed.package_names import recorded, told_of
from .form_fields import FIELDS, field_of

if TYPE_CHECKING:
    from ..statement import Statements
    from ..text import Line, Text

_LONGEST = 200
_FEWEST = 2
_SEPARATOR = regex(r"[,;|]")
_NAMED = regex(
    r"(?ai)(?P<name>[a-z][\w-]{1,30}?)(?P<whole> version)?"
    r"(?:[ =:-]{1,3}|(?<=cuda)|(?<=cudnn)|(?<=python))v?"
    r"(?P<version>\d{1,4}(?:\.\w+){0,4}(?:\+\w+)?)\.?(?: \(?(?:32|64)[ -]?bits?)?"
)
_SYSTEM = regex(
    r"(?ai)(?:linux )?(?:ubuntu|windows|win|debian|centos|fedora|rhel|mac ?os)[ -]?\d[\w. ]{0,20}"
)
_OWNED = regex(
    r"(?i)\b(?:I have|I've got|I use|I'm using|my (?:gpu|graphics card|card) is)\s+(.{3,80})"
)
#: "4x RTX A6000": how many there are of what follows.
_TIMES = regex(r"(?ai)\A\d{1,2} ?x (?=[a-z])")
_BRAND = regex(r"(?i)(?:nvidia )?(?:geforce|rtx|gtx|tesla|quadro)\b")
_BRANDS = ("rtx", "gtx", "geforce", "tesla", "quadro", "titan")
_FIELD_NAMES = {
    "cuda": "cuda",
    "cudatoolkit": "cuda",
    "cudnn": "cudnn",
    "driver": "driver",
    "gcc": "gcc",
    "nvidia": "driver",
    "nvidia-driver": "driver",
    "python": "python",
}
_CUES = (*_BRANDS, "cuda", "cudnn", "torch", "tensorflow", "jax", "onnxruntime", "driver")


def read(text: Text) -> Statements:
    """The parts of each list that tells at least two things."""
    for line in text.unlike(*_CUES):
        if len(line.text) > _LONGEST:
            continue
        parts = [part.strip(" \t.-*`()") for part in _SEPARATOR.split(line.text.strip(" ,"))]
        told = [found for part in parts if (found := tuple(_part(part, line)))]
        if len(told) >= _FEWEST:
            for found in told:
                yield from found
        elif len(parts) == 1 and gpu_names.is_whole(parts[0]):
            yield from FIELDS["gpu"](parts[0], line)
    for line, match in text.matching(_OWNED, *_BRANDS):
        yield from FIELDS["gpu"](match[1], line)


def _part(part: str, line: Line) -> Statements:
    if gpu_names.is_whole(_TIMES.sub("", part)) or (_BRAND.match(part) and gpu_names.typed(part)):
        yield from FIELDS["gpu"](part, line)
    elif _SYSTEM.fullmatch(part):
        yield from FIELDS["os"](part, line)
    elif match := _NAMED.fullmatch(part):
        field = _FIELD_NAMES.get(match["name"].lower(), "")
        if told := field_of(f"{field}{match['whole'] or ''}".lower(), line.text):
            yield from told(match["version"], line)
        elif name := recorded(match["name"]):
            yield from told_of(name, match["version"], line)
