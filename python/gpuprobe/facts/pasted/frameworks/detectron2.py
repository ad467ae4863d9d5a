"""Detectron2's table of its environment: the GPUs, and what its own half was compiled for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_GPUS = regex(
    r"(?a)\A\s*GPU (\d{1,2}(?:,\d{1,2})*)\s{3,}(\S[^\n]{2,60}?)(?: \(arch=(\d{1,2}\.\d)\))?\s*\Z"
)
_COMPILED = regex(r"(?a)\A\s*detectron2 arch flags\s{2,}((?:sm_\d{2,3}|\d{1,2}\.\d)(?:,|\s|\Z).*)")
_PYTHON = regex(r"(?a)\A\s*Python\s{4,}(\d\.\d{1,2}(?:\.\d{1,2})?) ")
_TARGET = regex(r"(?a)(?:sm_)?(\d{1,2})\.?(\d)\b")


def read(text: Text) -> Statements:
    """Only where the table names detectron2: others have rows that look alike."""
    if "detectron2" not in text:
        return
    for line, row in text.matching(_GPUS, "gpu "):
        for gpu in row[1].split(","):
            yield say(names.GPU_NAME(gpu), row[2], line)
            if row[3]:
                yield say(names.GPU_CAPABILITY(gpu), Version(row[3]), line)
    for line, row in text.matching(_PYTHON, "python "):
        yield say(names.PYTHON_VERSION, Version(row[1]), line)
    for line, flags in text.matching(_COMPILED, "detectron2 arch flags"):
        targets = tuple(f"sm_{each[1]}{each[2]}" for each in _TARGET.finditer(flags[1]))
        yield say(said.FRAMEWORK_ARCHITECTURES("detectron2"), targets, line)
