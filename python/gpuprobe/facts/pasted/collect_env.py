"""``python -m torch.utils.collect_env``: "Field: value" lines, as every age of it prints them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import names, said
from ..version import Version
from .statement import Statement, deny, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Line, Text

_NOT_THERE = ("could not collect", "n/a", "none", "no cuda", "not available")
_NUMBER = re.compile(r"\d+(?:\.\d+)+")
_TORCH = re.compile(r"\d+\.\d+[\w.]*(?:\+[\w.]+)?")
_GPU = re.compile(
    r"(?:GPU models and configuration:\s*)?GPU (\d{1,3}): (.+?)(?: \(UUID: (\S+)\))?\s*$"
)


def read(text: Text) -> Iterator[Statement]:
    """The fields that speak of the GPU stack.

    "Could not collect" says nothing: it is printed as well where a program was not found.
    """
    for line in text.having("pytorch version"):
        if match := _TORCH.search(_after_colon(line)):
            yield say(names.PACKAGE_VERSION("torch"), match[0], line)
    for line in text.having("cuda used to build pytorch"):
        yield from _build(line)
    for line in text.having("is cuda available", "cuda available:"):
        answer = _after_colon(line).lower()
        if answer in ("yes", "true", "no", "false"):
            yield say(said.FRAMEWORK_SEES_GPU("torch"), answer in ("yes", "true"), line)
    for line in text.having("nvidia driver version"):
        if match := _NUMBER.search(_after_colon(line)):
            yield say(names.DRIVER_VERSION, Version(match[0]), line)
    for line in text.having("cuda runtime version"):
        if match := _NUMBER.search(_after_colon(line)):
            yield say(said.TOOLKIT_VERSION, Version(match[0]), line)
    yield from _devices(text)


def _build(line: Line) -> Iterator[Statement]:
    value = _after_colon(line)
    if match := _NUMBER.search(value):
        yield say(names.PACKAGE_CUDA("torch"), Version(match[0]), line)
        yield say(names.PACKAGE_BUILD("torch"), "cuda", line)
    elif value.lower() in _NOT_THERE:
        yield deny(names.PACKAGE_CUDA("torch"), line)
        yield say(names.PACKAGE_BUILD("torch"), "cpu", line)


def _devices(text: Text) -> Iterator[Statement]:
    for start in text.having("gpu models and configuration"):
        for line in (start, *text.after(start, 64)):
            match = _GPU.match(line.text)
            if match is None and line is not start:
                break
            if match is not None:
                yield say(names.GPU_NAME(match[1]), match[2], line)
                if match[3]:
                    yield say(names.GPU_UUID(match[1]), match[3], line)


def _after_colon(line: Line) -> str:
    return line.text.partition(":")[2].strip()
