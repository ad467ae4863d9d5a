"""Versions inside messages: programs that complain of two versions name both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....knowledge import cudnn
from ... import names, said
from ...regex import regex
from ...version import Version
from ..prompts import commands
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..text import Line, Text

    Told = Callable[[re.Match[str], Line], Statements]

_RELEASE = r"(\d{1,4}(?:\.\d{1,4}){1,3})"
_CUDNN = r"\(?(\d+, \d+, \d+|\d{4,5})\)?"
_FABRIC_STATES = regex(
    r"\A\s*State\s*: ?(Completed|In Progress|Not Started|N/A)\s*\Z", re.IGNORECASE
)
_ACTIVE = regex(r"\A\s*Active: (\w+ \([\w ]+\))")
_AHEAD = 4
#: What systemctl is asked for, one answer a line.
_UNITS = regex(r"(?<=\s)\w[\w@.-]*(?=\s|\Z)")


def _driver_number(match: re.Match[str], line: Line) -> Statements:
    """PyTorch and ethminer repeat what cuDriverGetVersion answered."""
    yield say(names.DRIVER_CUDA, Version.from_cuda_number(int(match[1])), line)


def _ptxas(match: re.Match[str], line: Line) -> Statements:
    yield say(names.DRIVER_CUDA, Version(match[1]), line)
    yield say(said.PTXAS_VERSION, Version(match[2]), line)


def _fabric(match: re.Match[str], line: Line) -> Statements:
    yield say(names.FABRIC_VERSION, Version(match[1]), line)
    yield say(names.DRIVER_VERSION, Version(match[2]), line)


def _driver(match: re.Match[str], line: Line) -> Statements:
    """So does the test of the encoder that comes with OBS."""
    yield say(names.DRIVER_VERSION, Version(match[1]), line)


def _beside_compat(match: re.Match[str], line: Line) -> Statements:
    """NVIDIA's images name the driver of their cuda-compat, then that of the kernel."""
    yield say(names.DRIVER_VERSION, Version(match[1]), line)
    yield say(names.MODULE_VERSION, Version(match[1]), line)


def _torch_cudnn(match: re.Match[str], line: Line) -> Statements:
    built, found = (
        cudnn.from_number(int(group)) if group.isdigit() else Version(group.replace(", ", "."))
        for group in match.groups()
    )
    yield say(said.CUDNN_BUILT_WITH, built, line)
    yield say(said.CUDNN_VERSION, found, line)


def _jax_cudnn(match: re.Match[str], line: Line) -> Statements:
    yield say(said.CUDNN_VERSION, cudnn.from_number(int(match[1])), line)
    yield say(said.CUDNN_BUILT_WITH, cudnn.from_number(int(match[2])), line)


def _caffe2_cudnn(match: re.Match[str], line: Line) -> Statements:
    yield say(said.CUDNN_BUILT_WITH, cudnn.from_number(int(match[1])), line)
    yield say(said.CUDNN_VERSION, cudnn.from_number(int(match[2])), line)


def _built_and_found(match: re.Match[str], line: Line) -> Statements:
    yield say(said.CUDNN_BUILT_WITH, Version(match[1]), line)
    yield say(said.CUDNN_VERSION, Version(match[2]), line)


def _paddle_targets(match: re.Match[str], line: Line) -> Statements:
    """``compiled for 75 80 86 89 ,but your current GPU is 120``: capabilities without a point."""
    made_for = tuple(f"sm_{number}" for number in match[1].replace(",", " ").split())
    yield say(said.FRAMEWORK_ARCHITECTURES("paddlepaddle-gpu"), made_for, line)
    yield say(names.PACKAGE_BUILD("paddlepaddle-gpu"), "cuda", line)
    yield say(names.GPU_CAPABILITY(0), Version(f"{match[2][:-1]}.{match[2][-1]}"), line)


def _capability_without_point(match: re.Match[str], line: Line) -> Statements:
    yield say(names.GPU_CAPABILITY(0), Version(f"{match[1][:-1]}.{match[1][-1]}"), line)


def _torchs_gpu(match: re.Match[str], line: Line) -> Statements:
    yield say(names.GPU_NAME(match[1]), match[2], line)
    yield say(names.GPU_CAPABILITY(match[1]), Version(match[3]), line)


def _torchs_cuda(match: re.Match[str], line: Line) -> Statements:
    yield say(names.PACKAGE_CUDA("torch"), Version.from_cuda_number(int(match[1])), line)


def _toolkit_and_torch(match: re.Match[str], line: Line) -> Statements:
    yield say(names.TOOLKIT_VERSION, Version(match[1]), line)
    yield say(names.PACKAGE_CUDA("torch"), Version(match[2]), line)
    yield say(names.PACKAGE_BUILD("torch"), "cuda", line)


_TABLE: tuple[tuple[str, str, Told], ...] = (
    ("is too old (found version", r"found version (\d{4,6})\)", _driver_number),
    (
        "insufficient cuda driver: ",
        r"[Ee]rror: Insufficient CUDA driver: (\d{4,6})\b",
        _driver_number,
    ),
    (
        "which is older than the",
        rf"CUDA version is {_RELEASE} which is older than the [\w ]{{3,24}}?version \(?{_RELEASE}",
        _ptxas,
    ),
    (
        "match with driver version",
        rf"interface version {_RELEASE}\s*[^\d\n]{{1,20}} match[^\d\n]{{1,40}}{_RELEASE}",
        _fabric,
    ),
    ("driver_ver=", rf"\Adriver_ver={_RELEASE}\s*\Z", _driver),
    ("with kernel driver version", rf"with kernel driver version {_RELEASE}", _beside_compat),
    (
        "pytorch was compiled",
        rf"against {_CUDNN} but (?:found runtime version|linked against) {_CUDNN}",
        _torch_cudnn,
    ),
    (
        "found cudnn version",
        r"Found cuDNN version (\d{4,5}), but JAX was built against version (\d{4,5})",
        _jax_cudnn,
    ),
    (
        "and runtime (",
        r"cuDNN compiled \((\d{4,5})\) and runtime \((\d{4,5})\) versions mismatch",
        _caffe2_cudnn,
    ),
    (
        "compiled with cudnn",
        rf"compiled with CUDNN {_RELEASE}, but CUDNN version in your machine is {_RELEASE}",
        _built_and_found,
    ),
    (
        "but your current gpu is",
        r"compiled for ((?:\d{2,3}[ ,]{1,2})+)but your current GPU is (\d{2,3})\b",
        _paddle_targets,
    ),
    (
        "is not a recognized processor",
        r"'sm_(\d{2,3})[af]?' is not a recognized processor",
        _capability_without_point,
    ),
    (
        "which is not supported by paddle",
        r"in your current machine is (\d{2,3}), which is not supported",
        _capability_without_point,
    ),
    (
        "is not supported by this tensorrt",
        r"Target GPU SM (\d{2,3}) is not supported",
        _capability_without_point,
    ),
    (
        "but loaded cudnn",
        rf"linked against cuDNN {_RELEASE} but loaded cuDNN {_RELEASE}",
        _built_and_found,
    ),
    (
        "compute capability (cc)",
        r"Found GPU(\d{1,3}) (\w[^\n]{1,60}?) which is of compute capability \(CC\) (\d{1,2}\.\d)",
        _torchs_gpu,
    ),
    ("with cuda_version", r"\A\s*with CUDA_VERSION (\d{4,5})\. Please install", _torchs_cuda),
    (
        "detected cuda version",
        rf"detected CUDA version \({_RELEASE}\)[^\n]{{1,80}}compile\s+PyTorch \({_RELEASE}\)",
        _toolkit_and_torch,
    ),
    (
        "installed cuda version",
        rf"Installed CUDA version {_RELEASE} does not match[^\d\n]{{1,60}}{_RELEASE}",
        _toolkit_and_torch,
    ),
)
_PATTERNS = tuple(
    (cue, regex(pattern, re.IGNORECASE | re.ASCII), told) for cue, pattern, told in _TABLE
)


def read(text: Text) -> Statements:
    """Every row of the table, then the state of the fabric."""
    for cue, pattern, told in _PATTERNS:
        for line in text.having(cue):
            match = pattern.search(line.text) or _wrapped(text, line, pattern)
            if match is not None:
                yield from told(match, line)
    yield from _torchs_targets(text)
    yield from _fabric_state(text)
    yield from _fabric_is_active(text)
    yield from _fabric_not_started(text)


_TARGET = regex(r"\A\W{0,6}(\d{1,2})\.(\d) which supports hardware CC\b")


def _torchs_targets(text: Text) -> Statements:
    """Since 2.9 torch lists the capabilities that its build has code for, one a line."""
    found = list(text.matching(_TARGET, "which supports hardware cc"))
    if found:
        targets = tuple(f"sm_{match[1]}{match[2]}" for _, match in found)
        yield say(said.FRAMEWORK_ARCHITECTURES("torch"), targets, found[0][0])
        yield say(names.PACKAGE_BUILD("torch"), "cuda", found[0][0])


def _wrapped(text: Text, line: Line, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """A sentence that a program, or the width of a terminal, broke into lines, within words too."""
    around = (*text.before(line, 1), line, *text.after(line, 1))
    parts = [each.text.strip() for each in around]
    return pattern.search(" ".join(parts)) or pattern.search("".join(parts))


def _fabric_state(text: Text) -> Statements:
    """``nvidia-smi -q`` has a block "Fabric", systemctl the service's state."""
    for line in text.having("fabric"):
        if line.text.strip() == "Fabric":
            for each in text.after(line, 1):
                state = _FABRIC_STATES.match(each.text)
                if state and state[1] != "N/A":
                    yield say(names.FABRIC_STATE, state[1], each)
        elif "nvidia-fabricmanager.service" in line.text:
            for each in text.after(line, _AHEAD):
                if active := _ACTIVE.match(each.text):
                    yield say(names.FABRIC_STATE, active[1], each)


def _fabric_is_active(text: Text) -> Statements:
    """``systemctl is-active`` answers for each service that it is asked for."""
    for _, command, answered in commands(text, "is-active"):
        units = _UNITS.findall(command.partition("is-active")[2])
        for unit, each in zip(units, answered, strict=False):
            if "fabricmanager" in unit:
                yield say(names.FABRIC_STATE, each.text.strip(), each)


_SCRIPTS_USAGE = regex(r"\A\W{0,4}Usage: \S{0,80}nvidia-fabricmanager-start\.sh\b")
_REFUSED = regex(r"(?i)\b(?:unknown|invalid|unrecogni[sz]ed) (?:option|argument)\b")


def _fabric_not_started(text: Text) -> Statements:
    """Its script was called as that of another release, and tells how it wants to be called."""
    for line, _ in text.matching(_SCRIPTS_USAGE, "nvidia-fabricmanager-start.sh"):
        for above in text.before(line, _USAGE):
            if _REFUSED.search(above.text):
                yield say(said.SIGN("fabric-not-ready"), above.text.strip(), above)


#: Lines in which the script explains itself before.
_USAGE = 8
