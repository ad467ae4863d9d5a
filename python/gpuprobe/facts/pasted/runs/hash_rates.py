"""Programs that count hashes: hashcat's rate of each device, and what miners for CUDA print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from .. import gpu_names
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Text

#: The heading above the devices that hashcat got from CUDA, or from NVIDIA's OpenCL.
_HEADING = regex(
    r"\ACUDA API \(CUDA [\d.]{1,8}\)\s*\Z"
    r"|\AOpenCL (?:API|Platform)\b[^\n]{0,120}\bNVIDIA Corporation"
)
_DEVICE = regex(r"(?a)\A\* Device #(\d{1,2}): (?![^\n]*\bskipped\b)\S")
_RULE = regex(r"\A=+\Z")
#: What it says of hashes, once it has its devices.
_OF_HASHES = (
    *("no hashes loaded", "token length exception", "separator unmatched"),
    *("old hccap format detected", "minimum password length supported"),
    *(" digests; ", "watchdog: temperature abort"),
)
#: More than a machine has.
_MOST_DEVICES = 20
_SPEED = regex(r"(?a)\ASpeed\.(?:Dev\.)?#(\d{1,2})\.{2,12}: {1,12}([\d.]{1,12}) [kMGT]?H/s")
#: ccminer and T-Rex compute on nothing but CUDA; the name is that of the card, or of its maker's.
_MINED = regex(
    r"(?a)\bGPU #\d{1,2}: (?P<name>[A-Z][\w -]{2,50}?)(?:, | - )(?P<rate>[\d.]{1,10}) [kMGT]?H/s"
)
_MAKER = regex(
    r"\A(?:ASUS|EVGA|Gainward|Gigabyte|MSI|Palit|Zotac|PNY|Inno3D|KFA2|Galax) ", re.IGNORECASE
)


def read(text: Text) -> Statements:
    """A rate that is not nought, of a device that is NVIDIA's.

    hashcat reads the hashes once it has its devices; that it could read none is not their fault.
    """
    devices = set(_devices(text))
    for line, match in text.matching(_SPEED, "speed.#", "speed.dev.#"):
        if int(match[1]) in devices and float(match[2].rstrip(".")) > 0:
            yield say(said.FRAMEWORK_COMPUTED("hashcat"), True, line)
    for line in text.having(*_OF_HASHES) if devices else ():
        yield say(said.FRAMEWORK_SEES_GPU("hashcat"), True, line)
    for line, match in text.matching(_MINED, "gpu #"):
        name = _MAKER.sub("", match["name"])
        if gpu_names.typed(name) and float(match["rate"].rstrip(".")) > 0:
            yield say(said.FRAMEWORK_COMPUTED("miner"), True, line)


def _devices(text: Text) -> Iterator[int]:
    """The numbers that hashcat gave to NVIDIA's GPUs, and did not skip."""
    for heading, _ in text.matching(_HEADING, "cuda api (", "nvidia corporation"):
        for line in text.after(heading, _MOST_DEVICES):
            device = _DEVICE.match(line.text)
            if device is not None:
                yield int(device[1])
            elif not _RULE.match(line.text) and not line.text.startswith("* Device #"):
                break
