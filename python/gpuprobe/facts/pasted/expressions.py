"""Expressions of Python that ask a framework about the GPU, and the facts in what they print.

A table: how the expression looks in code or in a label, what its value looks like, and what the
value states. `printed.py` finds the pairs in a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...knowledge import cudnn
from .. import names, said
from ..version import Version
from .package_names import built_for, installed
from .statement import deny, say
from .values import capability, release, truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .statement import Statement
    from .text import Line

    Told = Callable[[str, Line], Iterator[Statement]]


@dataclass(frozen=True, slots=True)
class Expression:
    """`cue` is a lower-case part of `code`; `value` matches what is printed for it."""

    cue: str
    code: re.Pattern[str]
    value: re.Pattern[str]
    told: Told


_BOOL = r"\b(?:True|False|true|false)\b"
#: C++ prints a truth as a number, with nothing behind it.
_BIT = r"\b(?:true|false)\b|(?:\A|(?<=[:= ]))[01](?=\s*\Z)"
_VERSION = r"(?<![\w.:/-])v?\d+\.\d+(?:\.\d+)?[\w.]*(?:[+-][\w.]+)?"
_CUDA = rf"\bNone\b|{_VERSION}"
_INT = r"(?<![\w.])\d{1,3}(?![\w.])"
#: Of a call that fails where there is no GPU: no number of an error behind a label.
_ALONE = r"(?:\A|(?<=\]: ))\d{1,2}(?=\s*\Z)"
_QUOTED = (
    r"(?<=')[^']{2,80}(?=')|(?<=\")[^\"]{2,80}(?=\")"
    r"|\b(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID)\b[^,;|()]{0,60}"
)
_LIST = r"\[[^\]]{0,2000}\]"
#: What CUDA_VISIBLE_DEVICES holds: in quotes, which may be empty, or as print() shows it.
_NUMBERS = r"(?<![\w.-])-?\d{1,3}(?:,\d{1,3}){0,31}(?=['\"]?\s*\Z)"
_DEVICES = (
    r"(?<=')[^']{0,200}(?=')|(?<=\")[^\"]{0,200}(?=\")|\bNone\b"
    r"|(?<![\w.-])(?:-?\d{1,3}(?:,\d{1,3}){0,31}|(?:GPU|MIG)-[\w/-]+)(?=['\"]?\s*\Z)"
)
_TUPLE = r"\(\s*\d{1,2}\s*,\s*\d\s*\)"


def _sees(framework: str) -> Told:
    def told(value: str, line: Line) -> Iterator[Statement]:
        answer = truth(value)
        if answer is not None:
            yield say(said.FRAMEWORK_SEES_GPU(framework), answer, line)

    return told


def _count(framework: str) -> Told:
    def told(value: str, line: Line) -> Iterator[Statement]:
        yield say(said.FRAMEWORK_COUNT(framework), int(value), line)
        yield say(said.FRAMEWORK_SEES_GPU(framework), int(value) > 0, line)

    return told


def _current(value: str, line: Line) -> Iterator[Statement]:
    """It starts CUDA, and answers only where that went well: with an index, which is no count."""
    if value.isdigit():
        yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)


def _package(name: str) -> Told:
    def told(value: str, line: Line) -> Iterator[Statement]:
        yield from installed(name, value.lstrip("v"), line)

    return told


def _built(name: str) -> Told:
    """A release of CUDA, or None for a build without it."""

    def told(value: str, line: Line) -> Iterator[Statement]:
        found = release(value)
        if found is not None:
            yield say(names.PACKAGE_CUDA(name), Version.of(found.major, found.minor), line)
            yield say(names.PACKAGE_BUILD(name), "cuda", line)
        elif value == "None":
            yield from built_for(name, "cpu", "", line)

    return told


def _with_cuda(name: str) -> Told:
    def told(value: str, line: Line) -> Iterator[Statement]:
        if truth(value) is False:
            yield from built_for(name, "cpu", "", line)
        else:
            yield say(names.PACKAGE_BUILD(name), "cuda", line)

    return told


def _hip(value: str, line: Line) -> Iterator[Statement]:
    if value != "None":
        yield say(names.PACKAGE_BUILD("torch"), "rocm", line)


def _cudnn(value: str, line: Line) -> Iterator[Statement]:
    """torch.backends.cudnn.version() is 8902 for 8.9.2 and 90100 for 9.1.0."""
    if value.isascii() and value.isdigit() and len(value) in (4, 5):
        yield say(said.CUDNN_VERSION, cudnn.from_number(int(value)), line)


def _gpu_name(value: str, line: Line) -> Iterator[Statement]:
    yield say(names.GPU_NAME(0), value.strip(), line)


def _capability(value: str, line: Line) -> Iterator[Statement]:
    found = capability(value)
    if found is not None:
        yield say(names.GPU_CAPABILITY(0), found, line)


def _architectures(value: str, line: Line) -> Iterator[Statement]:
    found = tuple(re.findall(r"(?:sm|compute|gfx)_?\w+", value))
    if found:
        yield say(said.FRAMEWORK_ARCHITECTURES("torch"), found, line)


def _devices(framework: str) -> Told:
    """A list of devices: empty, of CPUs, of GPUs; those of TPUs and Metal say nothing."""

    def told(value: str, line: Line) -> Iterator[Statement]:
        count = len(
            re.findall(
                r"(?i)(?:cuda|gpu)device\(|cuda\(id=|gpu\(id=|device:(?:xla_)?gpu:\d+'", value
            )
        )
        only_cpu = re.search(r"(?i)cpu", value) is not None or not value.strip("[] \n")
        if count or only_cpu:
            yield say(said.FRAMEWORK_SEES_GPU(framework), count > 0, line)
            yield say(said.FRAMEWORK_COUNT(framework), count, line)

    return told


def _backend(value: str, line: Line) -> Iterator[Statement]:
    if value.strip("'\"") in ("gpu", "cuda", "cpu"):
        yield say(said.FRAMEWORK_SEES_GPU("jax"), value.strip("'\"") != "cpu", line)


def _providers(value: str, line: Line) -> Iterator[Statement]:
    """What ONNX Runtime was built with, which is no proof that a GPU is seen."""
    if "CUDAExecutionProvider" in value:
        yield say(names.PACKAGE_BUILD("onnxruntime-gpu"), "cuda", line)
    elif "CPUExecutionProvider" in value and "Rocm" not in value and "Dml" not in value:
        yield from built_for("onnxruntime", "cpu", "", line)


def _device_of_build(value: str, line: Line) -> Iterator[Statement]:
    """What ONNX Runtime was built for, whatever is there."""
    if value == "GPU":
        yield say(names.PACKAGE_BUILD("onnxruntime-gpu"), "cuda", line)
    else:
        yield from built_for("onnxruntime", "cpu", "", line)


def _session(value: str, line: Line) -> Iterator[Statement]:
    """The providers that a session runs with; one without CUDA's may not have been asked for it."""
    if "CUDAExecutionProvider" in value:
        yield say(said.FRAMEWORK_SEES_GPU("onnxruntime"), True, line)
    elif "CPUExecutionProvider" in value:
        yield say(said.FRAMEWORK_COMPUTED("onnxruntime"), False, line)


def _python(value: str, line: Line) -> Iterator[Statement]:
    found = release(value)
    if found is not None:
        yield say(names.PYTHON_VERSION, found, line)


def _paddle(value: str, line: Line) -> Iterator[Statement]:
    """A no is Paddle's own word for a build without CUDA."""
    yield from _with_cuda("paddlepaddle")(value, line)
    if truth(value) is False:
        yield say(said.SIGN("paddle-without-cuda"), line.text.strip(), line)


def _llama(value: str, line: Line) -> Iterator[Statement]:
    if truth(value) is False:
        yield say(said.SIGN("llama-without-gpu"), line.text.strip(), line)


def _opencv(value: str, line: Line) -> Iterator[Statement]:
    """Without CUDA it counts none; without a driver it answers -1."""
    if int(value) > 0:
        yield say(said.FRAMEWORK_SEES_GPU("opencv-python"), True, line)
    else:
        yield say(said.SIGN("opencv-without-cuda"), line.text.strip(), line)


def _variable(name: str) -> Told:
    def told(value: str, line: Line) -> Iterator[Statement]:
        unset = value == "None"
        yield deny(names.ENV(name), line) if unset else say(names.ENV(name), value.strip(), line)

    return told


def _cycles(value: str, line: Line) -> Iterator[Statement]:
    """Where a scene of Blender's is rendered, whatever its preferences allow."""
    if value == "CPU":
        yield say(said.FRAMEWORK_COMPUTED("blender"), False, line)


def _cycles_devices(value: str, line: Line) -> Iterator[Statement]:
    """The devices of Blender's preferences with their ticks; an empty list is one not yet asked."""
    if re.search(r"NVIDIA[^()\n]{0,60}', True\)", value):
        yield say(said.FRAMEWORK_SEES_GPU("blender"), True, line)


def _of(cue: str, code: str, value: str, told: Told) -> Expression:
    return Expression(cue, re.compile(code), re.compile(f"(?a){value}"), told)


_ASKED_VARIABLE = r"(?:environ(?:\[|\.get\(\s?)|getenv\(\s?)['\"]CUDA_VISIBLE_DEVICES['\"]"
_CALL = r"\s?\(\s?\)"
EXPRESSIONS = (
    _of(
        "cuda.is_available",
        rf"(?<!numba\.)\b(?:torch\.)?cuda\.is_available(?:{_CALL})?",
        _BOOL,
        _sees("torch"),
    ),
    _of(
        "is_available: ", r"(?:\A\W{0,4}|, )is_available(?=: )", _BOOL, _sees("torch")
    ),  # in a form
    # The same from C++, Rust and R.
    _of("cuda::is_available", rf"torch::cuda::is_available{_CALL}", _BIT, _sees("libtorch")),
    _of("cuda::is_available", rf"\bCuda::is_available{_CALL}", _BOOL, _sees("tch")),
    _of(
        "cuda_is_available",
        rf"\b(?:torch::)?cuda_is_available{_CALL}",
        r"\b(?:TRUE|FALSE)\b",
        _sees("r-torch"),
    ),
    _of("cuda::device_count", rf"torch::cuda::device_count{_CALL}", _INT, _count("libtorch")),
    _of("cuda.device_count", rf"torch\.cuda\.device_count(?:{_CALL})?", _INT, _count("torch")),
    _of("cuda.current_device", rf"torch\.cuda\.current_device{_CALL}", _ALONE, _current),
    _of("torch.version.cuda", r"torch\.version\.cuda", _CUDA, _built("torch")),
    _of("torch.version.hip", r"torch\.version\.hip", _CUDA, _hip),
    _of("torch.__version__", r"torch\.__version__", _VERSION, _package("torch")),
    _of("cudnn.version", rf"torch\.backends\.cudnn\.version(?:{_CALL})?", r"\b\d{4,5}\b", _cudnn),
    _of(
        "get_device_name",
        r"torch\.cuda\.get_device_name\([^()]{0,60}(?:\(\))?[^()]{0,9}\)",
        _QUOTED,
        _gpu_name,
    ),
    _of(
        "get_device_capability",
        r"torch\.cuda\.get_device_capability\([^()]{0,60}\)",
        _TUPLE,
        _capability,
    ),
    _of("get_arch_list", rf"torch\.cuda\.get_arch_list(?:{_CALL})?", _LIST, _architectures),
    _of("tf.__version__", r"\b(?:tf|tensorflow)\.__version__", _VERSION, _package("tensorflow")),
    _of(
        "tf.version",
        r"\b(?:tf|tensorflow)\.(?:VERSION|version\.VERSION)",
        _VERSION,
        _package("tensorflow"),
    ),
    _of(
        "is_gpu_available",
        r"tf\.test\.is_gpu_available\([^()]{0,120}\)",
        _BOOL,
        _sees("tensorflow"),
    ),
    _of(
        "is_built_with_cuda",
        rf"tf\.test\.is_built_with_cuda(?:{_CALL})?",
        _BOOL,
        _with_cuda("tensorflow"),
    ),
    _of(
        "list_physical_devices",
        r"len\(tf\.config(?:\.experimental)?\.list_physical_devices\(['\"]GPU['\"]\)\)",
        _INT,
        _count("tensorflow"),
    ),
    _of(
        "list_physical_devices",
        r"(?<!len\()tf\.config(?:\.experimental)?\.list_physical_devices\([^()]{0,40}\)",
        _LIST,
        _devices("tensorflow"),
    ),
    _of(
        "list_logical_devices",
        r"(?<!len\()tf\.config(?:\.experimental)?\.list_logical_devices\(['\"]GPU['\"]\)",
        _LIST,
        _devices("tensorflow"),
    ),
    _of(
        "devices()[0].platform",
        r"jax\.(?:local_)?devices\(\)\[0\]\.platform",
        r"\b(?:gpu|cuda|cpu|tpu|METAL)\b",
        _backend,
    ),
    _of("get_backend().devices", r"\bget_backend\(\)\.devices\(\)", _LIST, _devices("jax")),
    _of("jax.devices", r"jax\.(?:local_)?devices\([^()]{0,40}\)(?!\[)", _LIST, _devices("jax")),
    _of(
        "jax.default_backend",
        rf"jax\.default_backend{_CALL}",
        r"\b(?:gpu|cuda|cpu|tpu|METAL)\b",
        _backend,
    ),
    _of(
        "get_backend",
        rf"xla_bridge\.get_backend{_CALL}\.platform",
        r"\b(?:gpu|cuda|cpu|tpu)\b",
        _backend,
    ),
    _of("jax.__version__", r"\bjax\.__version__", _VERSION, _package("jax")),
    _of("jaxlib.__version__", r"\bjaxlib\.__version__", _VERSION, _package("jaxlib")),
    _of("jaxlib.version", r"\bjaxlib\.version\.__version__", _VERSION, _package("jaxlib")),
    _of(
        "get_available_providers",
        rf"(?:onnxruntime|ort|rt)\.get_available_providers{_CALL}",
        _LIST,
        _providers,
    ),
    _of(
        "get_device",
        rf"\b(?:onnxruntime|ort|rt)\.get_device{_CALL}",
        r"\b(?:GPU|CPU)\b",
        _device_of_build,
    ),
    _of("get_providers", r"(?<!available)\.get_providers\(\)", _LIST, _session),
    _of(
        "onnxruntime.__version__",
        r"\b(?:onnxruntime|ort)\.__version__",
        _VERSION,
        _package("onnxruntime"),
    ),
    _of("cupy.__version__", r"\b(?:cupy|cp)\.__version__", _VERSION, _package("cupy")),
    _of("getdevicecount", rf"cuda\.runtime\.getDeviceCount{_CALL}", _INT, _count("cupy")),
    _of("cudaenableddevice", rf"cv2?\.cuda\.getCudaEnabledDeviceCount{_CALL}", _INT, _opencv),
    _of("numba.cuda.is_available", rf"numba\.cuda\.is_available{_CALL}", _BOOL, _sees("numba")),
    _of("paddle.__version__", r"\bpaddle\.__version__", _VERSION, _package("paddlepaddle")),
    _of(
        "is_compiled_with_cuda",
        r"paddle\.(?:device\.)?is_compiled_with_cuda\(\)",
        _BOOL,
        _paddle,
    ),
    _of("llama_supports_gpu_offload", rf"llama_supports_gpu_offload{_CALL}", _BOOL, _llama),
    _of(
        "scene.cycles.device",
        r"\bbpy\.context\.scene\.cycles\.device\b(?!\s?=)",
        r"\b(?:CPU|GPU)\b",
        _cycles,
    ),
    _of(
        "preferences.devices",
        r"\bd\.name, ?d\.use\b[^\n]{1,60}\['cycles'\]\.preferences\.devices\]?",
        _LIST,
        _cycles_devices,
    ),
    _of("vllm.__version__", r"\bvllm\.__version__", _VERSION, _package("vllm")),
    _of("xformers.__version__", r"\bxformers\.__version__", _VERSION, _package("xformers")),
    _of(
        "transformers.__version__",
        r"\btransformers\.__version__",
        _VERSION,
        _package("transformers"),
    ),
    _of(
        "cuda_visible_devices",
        rf"{_ASKED_VARIABLE}(?:,\s?None)?[\])](?!\s?=[^=>])",
        _DEVICES,
        _variable("CUDA_VISIBLE_DEVICES"),
    ),
    # Another default may be all that is printed, unless it is no number and a number came.
    _of(
        "cuda_visible_devices",
        rf"{_ASKED_VARIABLE},\s?['\"](?:[^'\"\d-][^'\"]{{0,40}})?['\"]\)",
        _NUMBERS,
        _variable("CUDA_VISIBLE_DEVICES"),
    ),
    _of("sys.version", r"\bsys\.version\b(?!_)", r"\b[23]\.\d{1,2}\.\d{1,2}\b", _python),
    _of("python_version", r"platform\.python_version\(\)", r"\b[23]\.\d{1,2}\.\d{1,2}\b", _python),
)
