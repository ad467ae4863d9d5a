"""Julia's ``CUDA.versioninfo()``: the run time, the driver and its CUDA, packages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import names, said
from ..version import Version
from .statement import Statement, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Text

#: "CUDA runtime 12.1, artifact installation"; "- runtime 13.0, …" since 5.9; once "CUDA toolkit".
_RUNTIME = re.compile(
    r"(?a)\A\s*(?:CUDA|-) (?:runtime|toolkit) (\d+\.\d+)(?:\.\d+)?, (?:artifact|local) "
)
#: "NVIDIA driver 515.86.1, for CUDA 11.7"; "- driver 535.161.7 for 13.0".
_DRIVER = re.compile(
    r"(?a)\A\s*(?:NVIDIA|-) driver (\d{3}(?:\.\d+){1,2}),? for (?:CUDA )?(\d+\.\d+)"
)
_OLD_DRIVER = re.compile(r"(?a)\A\s*CUDA driver (\d{1,2}\.\d)(?:\.0)?\s*\Z")
#: NVML comes with the system's driver: "NVML: 12.0.0+535.161.7" tells that driver's CUDA.
_NVML = re.compile(r"(?a)\A\s*- NVML: (\d+\.\d+)(?:\.\d+)?\+(\d{3}(?:\.\d+)+)")
_PACKAGE = re.compile(r"(?a)\A\s*- CUDA(?:\.jl)?: (\d+\.\d+\.\d+)\s*\Z")
_COUNT = re.compile(r"(?a)\A\s*(\d{1,3}) devices?(?:\(s\))?:\s*\Z")
_NONE = re.compile(r"\A\s*No CUDA-capable devices\.?\s*\Z", re.IGNORECASE)


def read(text: Text) -> Iterator[Statement]:
    """CUDA.jl as the package "cuda-jl", with the run time that it brought or found."""
    if not any(cue in text for cue in ("artifact installation", "local installation", "julia")):
        return
    yield from _driver(text)
    for line, match in text.matching(_RUNTIME, "runtime ", "cuda toolkit "):
        yield say(names.PACKAGE_CUDA("cuda-jl"), Version(match[1]), line)
        yield say(names.PACKAGE_BUILD("cuda-jl"), "cuda", line)
    for line, match in text.matching(_PACKAGE, "- cuda"):
        yield say(names.PACKAGE_VERSION("cuda-jl"), match[1], line)
    for line, match in text.matching(_COUNT, "device"):
        yield say(said.FRAMEWORK_COUNT("cuda-jl"), int(match[1]), line)
        yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), int(match[1]) > 0, line)
    for line, _ in text.matching(_NONE, "no cuda-capable"):
        yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), False, line)


def _driver(text: Text) -> Iterator[Statement]:
    for line, match in text.matching(_NVML, "nvml: "):
        yield say(names.DRIVER_VERSION, Version(match[2]), line)
        yield say(names.NVML_VERSION, Version(match[2]), line)
    for line, match in text.matching(_DRIVER, "driver "):
        yield say(names.DRIVER_VERSION, Version(match[1]), line)
        # With its own compatibility package Julia serves a newer CUDA than the driver alone.
        yield say(names.DRIVER_CUDA, Version(match[2]), line)
    for line, match in text.matching(_OLD_DRIVER, "cuda driver "):
        yield say(names.DRIVER_CUDA, Version(match[1]), line)
