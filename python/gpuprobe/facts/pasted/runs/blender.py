"""Blender, started to render on CUDA devices: its command tells where, its answer that it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import commands
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_ON_GPU = regex(r"\bblender\b[^\n]{1,300} --cycles-device[ =](?:CUDA|OPTIX)\b(?!\+CPU)")
_SAVED = regex(r"\A\s*Saved: ['\"]\S")
#: So it goes on where it finds no such device.
_ON_CPU = "falling back to cpu"
_LIMIT = 120
#: A device of NVIDIA's that Cycles lists, as ``--debug-cycles`` shows it.
_LISTED = regex(r"\bAdded (?:OptiX )?device \"[^\"\n]{1,80}\" with id \"(?:CUDA|OPTIX)_")


def read(text: Text) -> Statements:
    """An image that was saved, unless Blender took the CPU instead."""
    yield from _on_device(text)
    yield from _as_told(text)


def _on_device(text: Text) -> Statements:
    """Below a list of devices; on which of them it rendered, the list does not tell."""
    saved = list(text.matching(_SAVED, "saved: "))
    listed = text.shows(_LISTED, "added device", "added optix device")
    if saved and listed and _ON_CPU not in text:
        line, _ = saved[-1]
        yield say(said.DEVICE_WORKED, line.text.strip()[:_LIMIT], line)


def _as_told(text: Text) -> Statements:
    """Where the command names the GPU."""
    for _, command, answer in commands(text, "--cycles-device"):
        saved = next((line for line in answer if _SAVED.match(line.text)), None)
        if saved is not None and _ON_GPU.search(command) and _ON_CPU not in text:
            yield say(said.FRAMEWORK_COMPUTED("blender"), True, saved)
            return
