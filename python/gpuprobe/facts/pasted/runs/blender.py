"""Blender, started to render on CUDA devices: its command tells where, its answer that it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import commands
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

_ON_GPU = regex(r"\bblender\b[^\n]{1,300} --cycles-device[ =](?:CUDA|OPTIX)\b(?!\+CPU)")
_SAVED = regex(r"\A\s*Saved: ['\"]\S")
#: So it goes on where it finds no such device.
_ON_CPU = "falling back to cpu"


def read(text: Text) -> Iterator[Statement]:
    """An image that was saved, unless Blender took the CPU instead."""
    for _, command, answer in commands(text, "--cycles-device"):
        saved = next((line for line in answer if _SAVED.match(line.text)), None)
        if saved is not None and _ON_GPU.search(command) and _ON_CPU not in text:
            yield say(said.FRAMEWORK_COMPUTED("blender"), True, saved)
            return
