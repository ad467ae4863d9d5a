"""Expressions of Python that ask a framework about the GPU, and the facts in what they print.

A table: how the expression looks in code or in a label, what its value looks like, and what the
value states. `printed.py` finds the pairs in a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...regex import regex
from . import expression_values as values

if TYPE_CHECKING:
    import re

    from .expression_values import Told


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
#: A count, and no number inside a device's name, as /replica:0/task:0/device:GPU:0 has them.
_INT = r"(?<![\w.])(?<!replica:)(?<!task:)(?<!GPU:)(?<!cuda:)\d{1,3}(?![\w.])"
#: Of a call that fails where there is no GPU: no number of an error behind a label.
_ALONE = r"(?:\A|(?<=\]: ))\d{1,2}(?=\s*\Z)"
#: A name, and not what stands between two of them.
_QUOTED = (
    r"(?<=')[A-Za-z][^']{1,79}(?=')|(?<=\")[A-Za-z][^\"]{1,79}(?=\")"
    r"|\b(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID)\b[^,;|()]{0,60}"
)
_LIST = r"(?<!Out)(?<!In )\[[^\]]{0,2000}\]"
_NUMBERS = r"(?<![\w.-])-?\d{1,3}(?:,\d{1,3}){0,31}(?=['\"]?\s*\Z)"
#: What CUDA_VISIBLE_DEVICES holds: in quotes, which may be empty, or as print() shows it.
_DEVICES = (
    r"(?<=')[^']{0,200}(?=')|(?<=\")[^\"]{0,200}(?=\")|\bNone\b"
    r"|(?<![\w.-])(?:-?\d{1,3}(?:,\d{1,3}){0,31}|(?:GPU|MIG)-[\w/-]{1,80})(?=['\"]?\s*\Z)"
)
_TUPLE = r"\(\s*\d{1,2}\s*,\s*\d\s*\)"


def _of(cue: str, code: str, value: str, told: Told) -> Expression:
    return Expression(cue, regex(code), regex(f"(?a){value}"), told)


_ASKED_VARIABLE = r"(?:environ(?:\[|\.get\(\s?)|getenv\(\s?)['\"]CUDA_VISIBLE_DEVICES['\"]"
_CALL = r"\s?\(\s?\)"
EXPRESSIONS = (
    _of(
        "cuda.is_available",
        rf"(?<!numba\.)(?<!o3d\.core\.)(?<!open3d\.core\.)\b(?:torch\.)?cuda\.is_available(?:{_CALL})?",
        _BOOL,
        values.sees("torch"),
    ),
    _of(
        "is_available: ", r"(?:\A\W{0,4}|, )is_available(?=: )", _BOOL, values.sees("torch")
    ),  # in a form
    _of(
        "core.cuda.is_available",
        rf"\b(?:o3d|open3d)\.core\.cuda\.is_available{_CALL}",
        _BOOL,
        values.sees("open3d"),
    ),
    # The same from C++, Rust and R.
    _of(
        "cuda::is_available",
        rf"torch::cuda::is_available{_CALL}",
        rf"{_BIT}|\bzero\b",
        values.sees("libtorch"),
    ),
    _of("cuda::is_available", rf"\bCuda::is_available{_CALL}", _BOOL, values.sees("tch")),
    _of(
        "cuda_is_available",
        rf"\b(?:torch::)?cuda_is_available{_CALL}",
        r"\b(?:TRUE|FALSE)\b",
        values.sees("r-torch"),
    ),
    _of("cuda::device_count", rf"torch::cuda::device_count{_CALL}", _INT, values.count("libtorch")),
    _of(
        "cuda.device_count", rf"torch\.cuda\.device_count(?:{_CALL})?", _INT, values.count("torch")
    ),
    # spaCy's own arrays are CuPy's; where it finds no GPU, CuPy may be what is missing.
    _of(
        "spacy.",
        r"\bspacy\.(?:prefer|require)_gpu\([^()]{0,12}\)",
        r"\bTrue\b",
        values.sees("cupy"),
    ),
    _of("cuda.current_device", rf"torch\.cuda\.current_device{_CALL}", _ALONE, values.current),
    _of(
        "cuda.memory_allocated",
        r"torch\.cuda\.memory_allocated\([^()]{0,20}\)",
        r"(?<![\w.*/ ]{2})[1-9]\d*(?:\.\d+)?(?=\D{0,2}\Z)",
        values.allocated,
    ),
    _of("torch.version.cuda", r"torch\.version\.cuda", _CUDA, values.built("torch")),
    _of(
        "cuda_home",
        r"(?:(?<=print\()|\bcpp_extension\.)CUDA_HOME\b",
        r"\bNone\b|(?<![\w.])/[\w./+-]{1,120}|\b[A-Z]:\\[^\n]{1,120}",
        values.toolkit,
    ),
    _of("torch.version.hip", r"torch\.version\.hip", _CUDA, values.hip),
    _of("torch.__version__", r"torch\.__version__", _VERSION, values.package("torch")),
    _of(
        "cudnn.version",
        rf"torch\.backends\.cudnn\.version(?:{_CALL})?",
        r"\b\d{4,5}\b",
        values.cudnn_version,
    ),
    _of(
        "get_device_name",
        r"torch\.cuda\.get_device_name\([^()]{0,60}(?:\(\))?[^()]{0,9}\)",
        _QUOTED,
        values.gpu_name,
    ),
    _of(
        "get_device_capability",
        r"torch\.cuda\.get_device_capability\([^()]{0,60}\)",
        _TUPLE,
        values.gpu_capability,
    ),
    _of(
        "torch.allclose(",
        r"\btorch\.allclose\((?=[^#\n]{0,160}(?i:cpu))(?=[^#\n]{0,160}(?i:gpu|cuda))"
        r"[^#\n]{0,160}\)",
        _BOOL,
        values.compared,
    ),
    _of("get_arch_list", rf"torch\.cuda\.get_arch_list(?:{_CALL})?", _LIST, values.architectures),
    _of(
        "tf.__version__",
        r"\b(?:tf|tensorflow)\.__version__",
        _VERSION,
        values.package("tensorflow"),
    ),
    _of(
        "tf.version",
        r"\b(?:tf|tensorflow)\.(?:VERSION|version\.VERSION)",
        _VERSION,
        values.package("tensorflow"),
    ),
    _of(
        "is_gpu_available",
        r"tf\.test\.is_gpu_available\([^()]{0,120}\)",
        _BOOL,
        values.sees("tensorflow"),
    ),
    _of(
        "gpu_device_name",
        rf"tf\.test\.gpu_device_name{_CALL}",
        r"''|\"\"|/device:GPU:\d{1,2}\b",
        values.names_device("tensorflow"),
    ),
    _of(
        "is_built_with_cuda",
        rf"tf\.test\.is_built_with_cuda(?:{_CALL})?",
        _BOOL,
        values.with_cuda("tensorflow"),
    ),
    _of(
        "list_physical_devices",
        r"len\(tf\.config(?:\.experimental)?\.list_physical_devices\(['\"]GPU['\"]\)\)",
        _INT,
        values.count("tensorflow"),
    ),
    _of(
        "list_physical_devices",
        r"(?<!len\()tf\.config(?:\.experimental)?\.list_physical_devices\([^()]{0,40}\)",
        _LIST,
        values.devices("tensorflow"),
    ),
    _of(
        "list_logical_devices",
        r"(?<!len\()tf\.config(?:\.experimental)?\.list_logical_devices\(['\"]GPU['\"]\)",
        _LIST,
        values.devices("tensorflow"),
    ),
    _of(
        "devices()[0].platform",
        r"jax\.(?:local_)?devices\(\)\[0\]\.platform",
        r"\b(?:gpu|cuda|cpu|tpu|METAL)\b",
        values.backend,
    ),
    _of("get_backend().devices", r"\bget_backend\(\)\.devices\(\)", _LIST, values.devices("jax")),
    _of(
        "jax.devices", r"jax\.(?:local_)?devices\([^()]{0,40}\)(?!\[)", _LIST, values.devices("jax")
    ),
    _of(
        "jax.default_backend",
        rf"jax\.default_backend{_CALL}",
        r"\b(?:gpu|cuda|cpu|tpu|METAL)\b",
        values.backend,
    ),
    _of(
        "get_backend",
        rf"xla_bridge\.get_backend{_CALL}\.platform",
        r"\b(?:gpu|cuda|cpu|tpu)\b",
        values.backend,
    ),
    _of("jax.__version__", r"\bjax\.__version__", _VERSION, values.package("jax")),
    _of("jaxlib.__version__", r"\bjaxlib\.__version__", _VERSION, values.package("jaxlib")),
    _of("jaxlib.version", r"\bjaxlib\.version\.__version__", _VERSION, values.package("jaxlib")),
    _of(
        "get_available_providers",
        rf"(?:onnxruntime|ort|rt)\.get_available_providers{_CALL}",
        _LIST,
        values.providers,
    ),
    _of(
        "get_device",
        rf"\b(?:onnxruntime|ort|rt)\.get_device{_CALL}",
        r"\b(?:GPU|CPU)\b",
        values.device_of_build,
    ),
    _of("get_providers", r"(?<!available)\.get_providers\(\)", _LIST, values.session),
    _of(
        "onnxruntime.__version__",
        r"\b(?:onnxruntime|ort)\.__version__",
        _VERSION,
        values.package("onnxruntime"),
    ),
    _of("cupy.__version__", r"\b(?:cupy|cp)\.__version__", _VERSION, values.package("cupy")),
    _of("getdevicecount", rf"cuda\.runtime\.getDeviceCount{_CALL}", _INT, values.count("cupy")),
    _of("cv2.__version__", r"\bcv2\.__version__", _VERSION, values.package("opencv-python")),
    _of(
        "cudaenableddevice",
        rf"cv2?\.cuda\.getCudaEnabledDeviceCount{_CALL}",
        rf"(?<!Device ){_INT}",
        values.opencv,
    ),
    _of(
        ").download()",
        r"\bcv2\.cuda\.\w+\([^\n]{1,120}\)\.download\(\)\.shape",
        r"\(\d{1,5}, ?\d{1,5}[^()\n]{0,12}\)",
        values.computed("opencv-python"),
    ),
    _of("cudf.__version__", r"\bcudf\.__version__", _VERSION, values.package("cudf")),
    _of(
        "cudf.series(",
        r"\bcudf\.Series\([^()\n]{1,60}\)\.\w+\(\)",
        r"(?<![\w.])-?\d[\d.]*(?=\s*\Z)",
        values.computed("cudf"),
    ),
    _of("get_num_gpus", rf"\bfaiss\.get_num_gpus{_CALL}", _INT, values.count("faiss")),
    _of(
        ".item()",
        r"\.(?:to\(['\"]cuda(?::\d)?['\"]\)|cuda\(\))[^#\n]{0,80}\.item\(\)",
        r"\A-?\d[\d.e+-]*(?=\s*\Z)",
        values.computed("torch"),
    ),
    _of(
        "numba.cuda.is_available", rf"numba\.cuda\.is_available{_CALL}", _BOOL, values.sees("numba")
    ),
    _of("paddle.__version__", r"\bpaddle\.__version__", _VERSION, values.package("paddlepaddle")),
    _of(
        "is_compiled_with_cuda",
        r"paddle\.(?:device\.)?is_compiled_with_cuda\(\)",
        _BOOL,
        values.paddle,
    ),
    _of("get_num_devices", rf"\bdlib\.cuda\.get_num_devices{_CALL}", _INT, values.count("dlib")),
    _of("dlib_use_cuda", r"\bdlib\.DLIB_USE_CUDA\b", _BOOL, values.dlib),
    _of("llama_supports_gpu_offload", rf"llama_supports_gpu_offload{_CALL}", _BOOL, values.llama),
    _of(
        "scene.cycles.device",
        r"\bbpy\.context\.scene\.cycles\.device\b(?!\s?=)",
        r"\b(?:CPU|GPU)\b",
        values.cycles,
    ),
    _of(
        "preferences.devices",
        r"\bd\.name, ?d\.use\b[^\n]{1,60}\['cycles'\]\.preferences\.devices\]?",
        _LIST,
        values.cycles_devices,
    ),
    _of("vllm.__version__", r"\bvllm\.__version__", _VERSION, values.package("vllm")),
    _of("xformers.__version__", r"\bxformers\.__version__", _VERSION, values.package("xformers")),
    _of(
        "transformers.__version__",
        r"\btransformers\.__version__",
        _VERSION,
        values.package("transformers"),
    ),
    _of(
        "cuda_visible_devices",
        rf"{_ASKED_VARIABLE}(?:,\s?None)?[\])](?!\s?=[^=>])",
        _DEVICES,
        values.variable("CUDA_VISIBLE_DEVICES"),
    ),
    # Another default may be all that is printed, unless it is no number and a number came.
    _of(
        "cuda_visible_devices",
        rf"{_ASKED_VARIABLE},\s?['\"](?:[^'\"\d-][^'\"]{{0,40}})?['\"]\)",
        _NUMBERS,
        values.variable("CUDA_VISIBLE_DEVICES"),
    ),
    _of("sys.version", r"\bsys\.version\b(?!_)", r"\b[23]\.\d{1,2}\.\d{1,2}\b", values.python),
    _of(
        "python_version",
        r"platform\.python_version\(\)",
        r"\b[23]\.\d{1,2}\.\d{1,2}\b",
        values.python,
    ),
)
