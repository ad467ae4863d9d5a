"""What a line of code and the error below it mean together; each alone says too little."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..installed.package_names import built_for
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..text import Line, Text

#: What stands in front of an item of a list.
_LISTED = r"(?i)\A\s*(?:[-*]|\d[.)])?\s*"
#: So many lines a traceback may put between a frame's code and its error.
_BELOW = 8


def _no_toolkit(line: Line) -> Statements:
    """CUDA_HOME is None."""
    yield say(said.SIGN("cuda-home-unset"), line.text.strip(), line)


def _no_compiler(line: Line) -> Statements:
    yield say(said.SIGN("cmake-no-cuda-compiler"), line.text.strip(), line)


def _torch_without_cuda(line: Line) -> Statements:
    """``torch.version.cuda`` is None."""
    yield from built_for("torch", "cpu", "", line)


def _torch_sees_none(line: Line) -> Statements:
    """The list of the GPUs' architectures, from which the last is taken, is empty."""
    yield say(said.FRAMEWORK_SEES_GPU("torch"), False, line)


def _no_runtime(line: Line) -> Statements:
    yield say(said.SIGN("msvc-runtime-missing"), line.text.strip(), line)


def _module_not_loaded(line: Line) -> Statements:
    """What gpustat prints leaves out who says "Driver Not Loaded"."""
    yield say(said.ERROR("NVML_ERROR_DRIVER_NOT_LOADED"), line.text.strip(), line)


def _out_of_memory(line: Line) -> Statements:
    yield say(said.ERROR("CUDA_ERROR_OUT_OF_MEMORY"), excerpt(line.text), line)


def _other_numpy(line: Line) -> Statements:
    """TensorFlow's first type of its own, which another NumPy does not take."""
    yield say(said.SIGN("numpy-abi"), line.text.strip(), line)


class _Pair(NamedTuple):
    cue: str
    error: str
    told: Callable[[Line], Statements]


_PAIRS = (
    _Pair('+ "/bin/nvcc"', r"operand type\(s\) for \+: 'NoneType' and 'str'", _no_toolkit),
    _Pair("the cuda compiler", r"is not able to compile a simple test program", _no_compiler),
    _Pair("torch.version.cuda.split", r"'NoneType' object has no attribute 'split'",
          _torch_without_cuda),
    _Pair("parse(torch.version.cuda)", r"expected string or bytes-like object",
          _torch_without_cuda),
    _Pair("arch_list[-1] +=", r"IndexError: list index out of range", _torch_sees_none),
    _Pair("cuda::cu", r"\bbut the target was not found", _no_toolkit),
    _Pair("on querying nvidia devices", r"\bDriver Not Loaded\s*\Z", _module_not_loaded),
    _Pair("missing dll", rf"{_LISTED}(?:MSVCP|VCRUNTIME)140(?:_1)?\.dll\s*\Z", _no_runtime),
    _Pair("_type()", r"Unable to convert function return value to a Python type", _other_numpy),
    _Pair("fatal error: cuda error", r"\bon Pe \d.{1,80}: out of memory", _out_of_memory),
)  # fmt: skip


#: The shell that make starts, or make itself, knows no nvcc; and make then ends with 127.
_NO_NVCC = regex(r"(?:/bin/\w{0,3}sh: (?:(?:line )?\d{1,4}: )?|make(?:\[\d{1,3}\])?: )nvcc: ")
_ENDED = regex(
    r"\A\W*(?:g?make|mingw32-make)(?:\[\d{1,3}\])?: \*\*\* \[[^\]\n]{1,200}\] \S{1,16} 127\b"
)


def read(text: Text) -> Statements:
    """What each pair states, where the error stands below the code."""
    for line, _ in text.matching(_NO_NVCC, "nvcc: "):
        # Between them stands a line of another job at most.
        if any(_ENDED.match(below.text) for below in text.after(line, 2)):
            yield say(said.SIGN("make-command-missing"), excerpt(line.text), line)
    for pair in _PAIRS:
        for line in text.having(pair.cue):
            if any(re.search(pair.error, below.text) for below in text.after(line, _BELOW)):
                yield from pair.told(line)
