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
    yield from _left_out(text)


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


#: What a script has to do, each of it: name the kind of devices, take each of them, and give the
#: scene to them; the words for what is left out.
_STEPS = (
    (regex(r"\bcompute_device_type\s?="), ("compute_device_type",), "the kind of devices"),
    (regex(r"\.use\s?=|\[['\"]use['\"]\]\s?="), (".use", '"use"', "'use'"), "the devices to use"),
    (regex(r"\bcycles\.device\s?="), ("cycles.device",), "the scene's device"),
)
_OF_BLENDER = regex(r"\bbpy\.|\bcprefs\b|\.preferences\b")
#: Somebody saw where it rendered.
_MISSED = regex(
    r"(?i)\bon (?:the )?cpu\b"
    r"|\b(?:not|n't|never) (?:\w+ )?us(?:e|ing)d? (?:\w+ )?(?:gpu|cuda|card)\b"
    r"|\bno process\b|\bgpu (?:is|was) (?:not|never) (?:being )?used\b"
)


def _left_out(text: Text) -> Statements:
    """What a script leaves out, where it chooses devices and the CPU renders."""
    taken = [(step, next(text.matching(step[0], *step[1]), None)) for step in _STEPS]
    done = [found for _, found in taken if found is not None]
    missing = [step[2] for step, found in taken if found is None]
    script = text.shows(_OF_BLENDER, "bpy.", "prefs", "preferences")
    if done and missing and script and text.shows(_MISSED, "cpu", "gpu", "cuda", "no process"):
        line, _ = done[0]
        yield say(said.SIGN("blender-device-left-out"), " and ".join(missing), line)
