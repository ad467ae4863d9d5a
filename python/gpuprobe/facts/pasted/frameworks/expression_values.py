"""What the printed value of an expression states: the readings that `expressions` lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....knowledge import cudnn
from ... import names, said
from ...model import Fact, Known, Value
from ...regex import regex
from ...version import Version
from ..installed.package_names import built_for, installed
from ..statement import Statement, Statements, deny, say
from ..values import capability, release, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..text import Line

    Told = Callable[[str, Line], Statements]


def sees(framework: str) -> Told:
    """A truth: the framework sees a GPU, or none."""

    def told(value: str, line: Line) -> Statements:
        answer = truth(value)
        if answer is not None:
            yield say(said.FRAMEWORK_SEES_GPU(framework), answer, line)

    return told


def names_device(framework: str) -> Told:
    """A device's name: the framework sees a GPU, or none where the name is empty."""

    def told(value: str, line: Line) -> Statements:
        yield say(said.FRAMEWORK_SEES_GPU(framework), bool(value.strip("'\"")), line)

    return told


def allocated(value: str, line: Line) -> Statements:
    """More than nothing: tensors lie on the GPU."""
    if float(value) > 0:
        yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)


def computed(framework: str) -> Told:
    """The result of something that was computed on the GPU, whatever it is."""

    def told(_: str, line: Line) -> Statements:
        yield say(said.FRAMEWORK_COMPUTED(framework), True, line)

    return told


def count(framework: str) -> Told:
    """How many GPUs a framework lists."""

    def told(value: str, line: Line) -> Statements:
        yield say(said.FRAMEWORK_COUNT(framework), int(value), line)

    return told


_COUNTED = regex(r"\Aframework\.([^.]+)\.device_count\Z")


def sees_what_it_counts(stated: Iterable[Statement]) -> Statements:
    """Who lists GPUs sees them. Said after all else: it may deny that in another line."""
    for key, fact in stated:
        if isinstance(fact, Known) and (framework := _COUNTED.match(key.name)):
            yield said.FRAMEWORK_SEES_GPU(framework[1]), Known(fact.value != 0, fact.source)


def fails_at_last(stated: Iterable[Statement]) -> list[Statement]:
    """The same, with a no to whether a framework sees the GPU before any yes.

    Who tells of both, first where it works and then where it does not, asks about the no.
    """
    return sorted(stated, key=lambda each: not (_SEES.match(each[0].name) and _is_no(each[1])))


def _is_no(fact: Fact[Value]) -> bool:
    return isinstance(fact, Known) and fact.value is False


_SEES = regex(r"\Aframework\.([^.]+)\.sees_gpu\Z")


def sees_elsewhere(stated: Iterable[Statement]) -> Statements:
    """A yes below a no to whether a framework sees the GPU."""
    refused: set[str] = set()
    for key, fact in stated:
        match = _SEES.match(key.name)
        if match and isinstance(fact, Known) and fact.value is False:
            refused.add(match[1])
        elif match and isinstance(fact, Known) and match[1] in refused:
            yield said.FRAMEWORK_SEES_ELSEWHERE(match[1]), fact


def current(value: str, line: Line) -> Statements:
    """It starts CUDA, and answers only where that went well: with an index, which is no count."""
    if value.isdigit():
        yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)


def package(name: str) -> Told:
    """The release of a package."""

    def told(value: str, line: Line) -> Statements:
        yield from installed(name, value.lstrip("v"), line)

    return told


def built(name: str) -> Told:
    """A release of CUDA, or None for a build without it."""

    def told(value: str, line: Line) -> Statements:
        found = release(value)
        if found is not None:
            yield say(names.PACKAGE_CUDA(name), Version.of(found.major, found.minor), line)
            yield say(names.PACKAGE_BUILD(name), "cuda", line)
        elif value == "None":
            yield from built_for(name, "cpu", "", line)

    return told


def with_cuda(name: str) -> Told:
    """Whether a package was built with CUDA."""

    def told(value: str, line: Line) -> Statements:
        if truth(value) is False:
            yield from built_for(name, "cpu", "", line)
        else:
            yield say(names.PACKAGE_BUILD(name), "cuda", line)

    return told


def toolkit(value: str, line: Line) -> Statements:
    """Where torch finds the toolkit: by the variable, by nvcc, or where it mostly lies."""
    if value == "None":
        yield deny(names.TOOLKIT_PATH, line)
    else:
        yield say(names.TOOLKIT_PATH, value.strip(), line)


def hip(value: str, line: Line) -> Statements:
    """The ROCm of a PyTorch that was built for it."""
    if value != "None":
        yield say(names.PACKAGE_BUILD("torch"), "rocm", line)


def cudnn_version(value: str, line: Line) -> Statements:
    """torch.backends.cudnn.version() is 8902 for 8.9.2 and 90100 for 9.1.0."""
    if value.isascii() and value.isdigit() and len(value) in (4, 5):
        yield say(said.CUDNN_VERSION, cudnn.from_number(int(value)), line)


def gpu_name(value: str, line: Line) -> Statements:
    """The name of the first GPU."""
    yield say(names.GPU_NAME(0), value.strip(), line)


def gpu_capability(value: str, line: Line) -> Statements:
    """The first GPU's compute capability."""
    found = capability(value)
    if found is not None:
        yield say(names.GPU_CAPABILITY(0), found, line)


def compared(value: str, line: Line) -> Statements:
    """Whether the results of CPU and GPU are alike: whatever the answer, both were computed."""
    if truth(value) is not None:
        yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)


def architectures(value: str, line: Line) -> Statements:
    """What PyTorch has code for."""
    found = tuple(re.findall(r"(?:sm|compute|gfx)_?\w+", value))
    if found:
        yield say(said.FRAMEWORK_ARCHITECTURES("torch"), found, line)


_DEVICE = regex(r"(?i)(?:cuda|gpu)device\(|cuda\(id=|gpu\(id=|device:gpu:\d+'")
_OF_XLA = regex(r"(?i)device:xla_gpu:\d+'")


def devices(framework: str) -> Told:
    """A list of devices: empty, of CPUs, of GPUs; those of TPUs and Metal say nothing."""

    def told(value: str, line: Line) -> Statements:
        of_all = re.search(r"(?i)cpu", value) is not None or not value.strip("[] \n")
        # XLA's device beside the CPU alone is a GPU that TensorFlow could not take into use.
        count = len(_DEVICE.findall(value)) or (0 if of_all else len(_OF_XLA.findall(value)))
        if count or of_all:
            yield say(said.FRAMEWORK_SEES_GPU(framework), count > 0, line)
            yield say(said.FRAMEWORK_COUNT(framework), count, line)

    return told


def backend(value: str, line: Line) -> Statements:
    """The backend that JAX took."""
    if value.strip("'\"") in ("gpu", "cuda", "cpu"):
        yield say(said.FRAMEWORK_SEES_GPU("jax"), value.strip("'\"") != "cpu", line)


def providers(value: str, line: Line) -> Statements:
    """What ONNX Runtime was built with, which is no proof that a GPU is seen."""
    if "CUDAExecutionProvider" in value:
        yield say(names.PACKAGE_BUILD("onnxruntime-gpu"), "cuda", line)
    elif "CPUExecutionProvider" in value and "Rocm" not in value and "Dml" not in value:
        yield from built_for("onnxruntime", "cpu", "", line)


def device_of_build(value: str, line: Line) -> Statements:
    """What ONNX Runtime was built for, whatever is there."""
    if value == "GPU":
        yield say(names.PACKAGE_BUILD("onnxruntime-gpu"), "cuda", line)
    else:
        yield from built_for("onnxruntime", "cpu", "", line)


def session(value: str, line: Line) -> Statements:
    """The providers that a session runs with; one without CUDA's may not have been asked for it."""
    if "CUDAExecutionProvider" in value:
        yield say(said.FRAMEWORK_SEES_GPU("onnxruntime"), True, line)
    elif "CPUExecutionProvider" in value:
        yield say(said.FRAMEWORK_COMPUTED("onnxruntime"), False, line)


def python(value: str, line: Line) -> Statements:
    """Python's release."""
    found = release(value)
    if found is not None:
        yield say(names.PYTHON_VERSION, found, line)


def paddle(value: str, line: Line) -> Statements:
    """A no is Paddle's own word for a build without CUDA."""
    yield from with_cuda("paddlepaddle")(value, line)
    if truth(value) is False:
        yield say(said.SIGN("paddle-without-cuda"), line.text.strip(), line)


def llama(value: str, line: Line) -> Statements:
    """Whether llama.cpp can give layers to a GPU; a no is a build without."""
    if truth(value) is False:
        yield say(said.SIGN("llama-without-gpu"), line.text.strip(), line)


def dlib(value: str, line: Line) -> Statements:
    """Whether dlib was built with CUDA."""
    if truth(value) is False:
        yield say(said.SIGN("dlib-without-cuda"), line.text.strip(), line)


def opencv(value: str, line: Line) -> Statements:
    """Without CUDA it counts none; without a driver it answers -1."""
    if int(value) > 0:
        yield say(said.FRAMEWORK_SEES_GPU("opencv-python"), True, line)
    else:
        yield say(said.SIGN("opencv-without-cuda"), line.text.strip(), line)


def variable(name: str) -> Told:
    """The value of an environment variable, or that it is not set."""

    def told(value: str, line: Line) -> Statements:
        unset = value == "None"
        yield deny(names.ENV(name), line) if unset else say(names.ENV(name), value.strip(), line)

    return told


def cycles(value: str, line: Line) -> Statements:
    """Where a scene of Blender's is rendered, whatever its preferences allow."""
    if value == "CPU":
        yield say(said.FRAMEWORK_COMPUTED("blender"), False, line)


def cycles_devices(value: str, line: Line) -> Statements:
    """The devices of Blender's preferences with their ticks; an empty list is one not yet asked."""
    if re.search(r"NVIDIA[^()\n]{0,60}', True\)", value):
        yield say(said.FRAMEWORK_SEES_GPU("blender"), True, line)
