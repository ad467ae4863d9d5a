"""Lines in which a program names a device: its number, its name, its compute capability.

TensorFlow in all its ages, deviceQuery, llama.cpp, Numba, bitsandbytes, Ultralytics, nvtop,
JAX, people's own loops over the devices.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from .. import gpu_names
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_CC = r"[Cc]ompute [Cc]apability:?\s{0,3}(?P<capability>\d{1,2}\.\d)"
_NAME = r"(?P<name>[A-Z][\w .()/+-]{2,60}?)"
_GPU = r"(?P<gpu>\d{1,3})"
_SM = r"sm_(?P<sm>\d{2,3})\b"
#: nvtop
_FROM_NVML = ("device ", rf"\A\s*Device {_GPU} \[{_NAME}\]")
_TYPED = (
    "device",
    (
        rf"(?i:\A\W*(?:cuda )?(?:device|gpu)(?: ?name)?(?: ?#?{_GPU})?(?: name)?)"
        rf"\s?[:=]\s{{1,3}}[\"'(]?{_NAME}[\"')]?\s*\Z"
    ),
)
#: A cue, and the pattern of a line that names a device. A program that prints such a line has
#: got the device from CUDA, but for `_FROM_NVML` and for `_TYPED`, which people write as well.
_FORMS = (
    # TensorFlow of every age
    (
        "name: ",
        rf"\(?device: {_GPU}, name: {_NAME}, pci bus id: (?P<pci>[0-9A-Fa-f:.]+)(?:, {_CC})?",
    ),
    ("name: ", rf"name: {_NAME} major: (?P<major>\d{{1,2}}) minor: (?P<minor>\d)"),
    ("computecapability", rf"name: {_NAME} computeCapability: (?P<capability>\d{{1,2}}\.\d)"),
    # llama.cpp and whisper.cpp
    ("device ", rf"\A\s*Device {_GPU}: {_NAME}, {_CC}"),
    # deviceQuery
    ("device ", rf"\A\s*Device {_GPU}: \"{_NAME}\""),
    _FROM_NVML,
    # the program of MLCommons' automation, which has the name and the numbers on lines below
    ("gpu device id: ", rf"\AGPU Device ID: {_GPU}\s*\Z"),
    # Numba's detect
    ("id ", rf"\A\s*id {_GPU}\s+b?'{_NAME}'"),
    # torch's warnings about a device that is too old or too new for the build
    (
        "cuda capability",
        rf"Found GPU{_GPU} {_NAME} which is of cuda capability (?P<capability>\d{{1,2}}\.\d)",
    ),
    ("cuda capability", rf"\A\s*{_NAME} with CUDA capability {_SM} is not compatible"),
    # loops over torch's devices, Ultralytics
    ("cuda:", rf"\bCUDA:{_GPU}(?::)? \(?{_NAME}(?:,|\)|\Z)"),
    # ComfyUI: what torch calls the device, and how memory is taken
    ("cuda:", rf"\bcuda:{_GPU} {_NAME} : \w+\s*\Z"),
    # the properties as torch prints them
    (
        "cudadeviceproperties",
        (
            rf"_CudaDeviceProperties\(name='{_NAME}', major=(?P<major>\d{{1,2}}), "
            r"minor=(?P<minor>\d)"
        ),
    ),
    # CuPy's show_config
    ("device ", rf"\A\s*Device {_GPU} Name\s{{0,24}}: {_NAME}\s*\Z"),
    _TYPED,
    # XLA
    ("streamexecutor device", rf"StreamExecutor device \({_GPU}\): {_NAME}, {_CC}"),
    # Paddle, which does not say the name
    ("gpu compute capability", rf"device: {_GPU}, GPU {_CC}"),
    (
        "cuda capability: ",
        (
            rf"device: {_GPU}, CUDA Capability: (?P<sm>\d{{2,3}})\b"
            r"(?:, Driver Version: (?P<driver>\d{1,2}\.\d))?"
        ),
    ),
    # Julia: "0: Tesla V100 (sm_70, 27.902 GiB / …)"; before 2021 "- Quadro … (14.251 GiB, sm_75)"
    ("sm_", rf"\A\s*(?:{_GPU}:|-) {_NAME} \((?:[\d.]+ [GM]iB[^,)]*, )?{_SM}"),
    # GROMACS and NAMD, of those that they take; NVIDIA's Warp
    (
        "stat: compatible",
        (
            rf"#{_GPU}: (?:NVIDIA )?{_NAME}, compute cap\.: (?P<capability>\d{{1,2}}\.\d), "
            r".{0,40}stat: compatible"
        ),
    ),
    ("binding to cuda device", rf"CUDA device {_GPU} on \S+: '{_NAME}'  Mem: "),
    ("cuda:", rf"\"cuda:{_GPU}\"\s+: \"{_NAME}\" \(\d+ GiB, {_SM}"),
    # the CUDA samples, which call the device by its architecture
    ("gpu device ", rf"GPU Device {_GPU}: \"[^\"]{{1,60}}\" with {_CC}"),
    # CTranslate2, which says "CC=", and Legion, which says the size of the memory behind
    ("gpu #", rf"\bGPU #{_GPU}: {_NAME} \((?:CC=)?(?P<capability>\d{{1,2}}\.\d)\)(?: \d|\s*\Z)"),
    # Ollama, whose own backends name the device since 2025
    (
        "library=cuda",
        (
            r"library=CUDA compute=(?P<capability>\d{1,2}\.\d) name=CUDA\d{1,2}"
            r" description=\"(?P<name>[^\"]{1,60})\" .{0,200}?\bdriver=(?P<driver>\d{1,2}\.\d)"
        ),
    ),
    (
        "library=cuda",
        (
            r"library=cuda .{0,300}?compute=(?P<capability>\d{1,2}\.\d) "
            r"driver=(?P<driver>\d{1,2}\.\d) name=\"(?P<name>[^\"]{1,60})\""
        ),
    ),
)
_PATTERNS = tuple(
    (form, form[0], regex(f"(?a){pattern}")) for form in _FORMS for pattern in form[1:]
)
#: Fields on lines of their own, below the line that names the device.
_BELOW = regex(
    r"(?ai)\A\s*(?:CUDA Capability Major/Minor version number|Compute Capability|major)\s*:\s{0,4}"
    r"(?P<capability>\d{1,2}\.\d)\s*\Z|\A\s*major: (?P<major>\d{1,2}) minor: (?P<minor>\d)"
)
_BELOW_LINES = 3
#: What deviceQuery, and OpenCV after it, print once of each device that CUDA gave them; the name
#: on the line above may be one that nobody sells, as those of boards are.
_PROPERTIES = regex(r"(?a)\A\s*CUDA Capability Major/Minor version number:\s{1,8}\d{1,2}\.\d\s*\Z")


def read(text: Text) -> Statements:
    """Every device that one of the patterns recognises; those without a number are counted up."""
    for form, cue, pattern in _PATTERNS:
        seen: dict[str, Line] = {}
        for line, match in text.matching(pattern, cue):
            yield from _device(match, line, seen)
        if seen and form is not _TYPED:
            count = names.NVML_COUNT if form is _FROM_NVML else names.CUDA_COUNT
            yield say(count, len(seen), next(iter(seen.values())))
    properties = [line for line, _ in text.matching(_PROPERTIES, "major/minor version number")]
    if properties:
        yield say(names.CUDA_COUNT, len(properties), properties[0])
    yield from _old_tensorflow(text)


def _device(match: re.Match[str], line: Line, seen: dict[str, Line]) -> Statements:
    fields = match.groupdict()
    name = (fields.get("name") or "").strip(" -")
    gpu = fields.get("gpu") or str(len(seen))
    found = _capability(fields)
    if name and found is None and not _is_name(name):
        return
    if gpu in seen and not fields.get("gpu"):
        return
    seen[gpu] = line
    if name:
        yield say(names.GPU_NAME(gpu), name, line)
    if fields.get("pci"):
        yield say(names.GPU_PCI(gpu), fields["pci"].lower(), line)
    if found is not None:
        yield say(names.GPU_CAPABILITY(gpu), found, line)
    if driver := fields.get("driver"):
        yield say(names.DRIVER_CUDA, Version(driver), line)


def _is_name(name: str) -> bool:
    """Whether it is a GPU's: "Device 0: cpu" names none."""
    return bool(gpu_names.typed(name)) or name.startswith(
        ("NVIDIA ", "GeForce ", "Tesla ", "Quadro ")
    )


def _capability(fields: dict[str, str | None]) -> Version | None:
    whole = fields.get("capability")
    if whole:
        return Version(whole)
    if sm := fields.get("sm"):
        return Version.of(int(sm[:-1]), int(sm[-1]))
    major, minor = fields.get("major"), fields.get("minor")
    return Version.of(int(major), int(minor)) if major and minor else None


def _old_tensorflow(text: Text) -> Statements:
    """TensorFlow before 1.13: "Found device 0 with properties:", the name and numbers below it.

    deviceQuery and Numba write the capability below the name, too.
    """
    gpus: dict[int, str] = {}
    for start in text.having("with properties"):
        found = re.search(r"(?a)Found device (\d{1,3}) with properties", start.text)
        for line in text.after(start, _BELOW_LINES) if found else ():
            if named := re.match(r"(?a)\s*name: ([A-Z][\w .()/+-]{2,60})\Z", line.text):
                yield say(names.GPU_NAME(found[1] if found else 0), named[1].strip(), line)
            gpus[line.number] = found[1] if found else "0"
    for line in text.having("major: ", "compute capability", "cuda capability"):
        below = _BELOW.match(line.text)
        gpu = gpus.get(line.number) or _above(text, line)
        if below and gpu is not None:
            found_capability = below["capability"] or f"{below['major']}.{below['minor']}"
            yield say(names.GPU_CAPABILITY(gpu), Version(found_capability), line)


_ABOVE = regex(r"(?a)\A\s*(?:id|Device|Found device) (\d{1,3})\b")


def _above(text: Text, line: Line) -> str | None:
    """The device that the lines before a field speak of."""
    for each in reversed(text.before(line, _BELOW_LINES + 1)):
        if found := _ABOVE.match(each.text):
            return found[1]
    return None
