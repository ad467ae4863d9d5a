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

    from ..text import Line, Text

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
#: XMRig shows a table for each kind of device, and xmr-stak the sum of a kind; that of CUDA, and
#: of NVIDIA's.
_HEAD_OF_TABLE = regex(r"\A\|\s{1,8}CUDA # \| AFFINITY \|")
_ROW = regex(r"(?a)\A\|\s{1,10}\d{1,3} \|\s{1,10}-?\d{1,4} \|([^#\n]{10,60})\| #\d{1,2} \S")
_SUM = regex(r"(?a)\ATotals \(NVIDIA\):((?: {1,6}(?:[\d.]{1,12}|\(na\)|n/a)){1,6}) [kMGT]?H/s")
_RATE = regex(r"(?a)\d{1,10}(?:\.\d{1,4})?")
#: XMRig made its threads for CUDA, each with memory on its device: all of them, or some failed.
_READY = regex(r"(?a)\bnvidia\s{1,8}READY threads ([1-9]\d{0,2})/\1 \(")
#: What a thread says that ends all the same: its kernels failed, or its memory did not suffice.
_FAILED = " failed with error"
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
    for line, _ in () if _FAILED in text else text.matching(_READY, " ready threads "):
        yield say(said.FRAMEWORK_SEES_GPU("miner"), True, line)
    for line, rates in _of_cuda(text):
        if any(float(rate) > 0 for rate in _RATE.findall(rates)):
            yield say(said.FRAMEWORK_COMPUTED("miner"), True, line)


def _of_cuda(text: Text) -> Iterator[tuple[Line, str]]:
    """The lines that a miner has for CUDA's devices, and their rates over some spans of time."""
    for heading, _ in text.matching(_HEAD_OF_TABLE, "cuda # | affinity"):
        for line in text.after(heading, _MOST_DEVICES):
            if not line.text.startswith("|"):
                break
            if row := _ROW.match(line.text):
                yield line, row[1]
    for line, total in text.matching(_SUM, "totals (nvidia):"):
        yield line, total[1]


def _devices(text: Text) -> Iterator[int]:
    """The numbers that hashcat gave to NVIDIA's GPUs, and did not skip."""
    for heading, _ in text.matching(_HEADING, "cuda api (", "nvidia corporation"):
        for line in text.after(heading, _MOST_DEVICES):
            device = _DEVICE.match(line.text)
            if device is not None:
                yield int(device[1])
            elif not _RULE.match(line.text) and not line.text.startswith("* Device #"):
                break
