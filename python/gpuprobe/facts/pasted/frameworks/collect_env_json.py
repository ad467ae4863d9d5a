"""What ``torch.utils.collect_env`` knows, as JSON: so programs put it into reports of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..host import system
from ..installed.package_names import built_for, installed
from ..statement import Statements, deny, say
from ..values import release, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..text import Line, Text

_FIELD = regex(r"\A\s*['\"](?P<name>[a-z_]{2,24})['\"]: (?:['\"](?P<value>[^\"\n]{1,400})['\"])?")
#: The fields that no other program has.
_OWN = "is_cuda_available", "cuda_compiled_version", "nvidia_gpu_models"
_GPU = regex(r"(?a)GPU (\d{1,3}): ([^\\\n]{3,80}?)(?: \(UUID: \S+\))?(?=\\n|\Z)")


def read(text: Text) -> Statements:
    """The fields that speak of the GPU stack; null is what could not be found."""
    start = next(text.having(*_OWN), None)
    if start is None:
        return
    empty: dict[str, Line] = {}
    for line, field in text.matching(_FIELD, *_READINGS):
        name, value = field["name"], field["value"]
        if value is None:
            empty[name] = line
        elif name in _READINGS:
            yield from _READINGS[name](value, line)
    if {"nvidia_driver_version", "nvidia_gpu_models"} <= empty.keys():
        yield deny(names.DRIVER_VERSION, empty["nvidia_driver_version"])


def _torch(value: str, line: Line) -> Statements:
    yield from installed("torch", value, line)


def _built(value: str, line: Line) -> Statements:
    if cuda := release(value):
        yield say(names.PACKAGE_CUDA("torch"), Version.of(cuda.major, cuda.minor), line)
        yield say(names.PACKAGE_BUILD("torch"), "cuda", line)
    elif value in ("N/A", "None"):
        yield from built_for("torch", "cpu", "", line)


def _sees(value: str, line: Line) -> Statements:
    answer = truth(value)
    if answer is not None:
        yield say(said.FRAMEWORK_SEES_GPU("torch"), answer, line)


def _driver(value: str, line: Line) -> Statements:
    if found := Version.parse(value):
        yield say(names.DRIVER_VERSION, found, line)


def _toolkit(value: str, line: Line) -> Statements:
    if found := Version.parse(value):
        yield say(names.TOOLKIT_VERSION, found, line)


def _gpus(value: str, line: Line) -> Statements:
    for gpu in _GPU.finditer(value):
        yield say(names.GPU_NAME(gpu[1]), gpu[2], line)


_READINGS: dict[str, Callable[[str, Line], Statements]] = {
    "torch_version": _torch,
    "cuda_compiled_version": _built,
    "is_cuda_available": _sees,
    "nvidia_driver_version": _driver,
    "cuda_runtime_version": _toolkit,
    "nvidia_gpu_models": _gpus,
    "os": system,
}
