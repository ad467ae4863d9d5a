"""Small reports of programs about themselves: a line with a label, and what its value states.

``cupy.show_config()``, deviceQuery, ``numba -s``, ``python -m bitsandbytes``, ``python -m
xformers.info``, Paddle's notice, ``tf.sysconfig.get_build_info()``, ``torch.__config__.show()``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....knowledge import cudnn
from ... import names, said
from ...regex import regex
from ...version import Version
from ..installed.package_names import built_for, installed
from ..statement import Statements, say
from ..values import capability, cuda_digits, cuda_number, release, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..text import Line, Text

    Told = Callable[[re.Match[str], Line], Statements]


def _driver_and_runtime(match: re.Match[str], line: Line) -> Statements:
    yield say(names.DRIVER_CUDA, Version(match[1]), line)
    yield say(names.TOOLKIT_VERSION, Version(match[2]), line)


def _count(match: re.Match[str], line: Line) -> Statements:
    yield say(names.CUDA_COUNT, int(match[1]), line)


def _paddle(match: re.Match[str], line: Line) -> Statements:
    yield say(names.DRIVER_CUDA, Version(match[1]), line)
    yield say(names.PACKAGE_CUDA("paddlepaddle-gpu"), Version(match[2]), line)
    yield say(names.PACKAGE_BUILD("paddlepaddle-gpu"), "cuda", line)


def _driver_cuda(match: re.Match[str], line: Line) -> Statements:
    if found := cuda_number(match[1]) or release(match[1]):
        yield say(names.DRIVER_CUDA, found, line)


def _cupy_runtime(match: re.Match[str], line: Line) -> Statements:
    """What CuPy works with: 12090 of "12090 (linked to CuPy) / 12000 (locally installed)"."""
    if found := cuda_number(match[1]):
        yield say(names.PACKAGE_CUDA("cupy"), found, line)
        yield say(names.PACKAGE_BUILD("cupy"), "cuda", line)


def _cudnn(match: re.Match[str], line: Line) -> Statements:
    yield say(said.CUDNN_VERSION, cudnn.from_number(int(match[1])), line)


def _cudnn_built(match: re.Match[str], line: Line) -> Statements:
    yield say(said.CUDNN_BUILT_WITH, cudnn.from_number(int(match[1])), line)


def _gpu_name(match: re.Match[str], line: Line) -> Statements:
    yield say(
        names.GPU_NAME(match[1] if (match.lastindex or 0) > 1 else "0"),
        match[match.lastindex or 0],
        line,
    )


def _gpu_capability(match: re.Match[str], line: Line) -> Statements:
    found = capability(match[match.lastindex or 0])
    if found is not None:
        yield say(
            names.GPU_CAPABILITY(match[1] if (match.lastindex or 0) > 1 else "0"), found, line
        )


def _bitsandbytes(match: re.Match[str], line: Line) -> Statements:
    """It asks torch for the CUDA that it was built with."""
    if found := cuda_digits(match[1]):
        yield say(names.PACKAGE_CUDA("torch"), found, line)
        yield say(names.PACKAGE_BUILD("torch"), "cuda", line)


def _package(name: str) -> Told:
    def told(match: re.Match[str], line: Line) -> Statements:
        yield from installed(name, match[1], line)

    return told


def _sees(framework: str) -> Told:
    def told(match: re.Match[str], line: Line) -> Statements:
        answer = truth(match[1])
        if answer is not None:
            yield say(said.FRAMEWORK_SEES_GPU(framework), answer, line)

    return told


def _seen_by_torch(_: re.Match[str], line: Line) -> Statements:
    yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)


def _toolkit(match: re.Match[str], line: Line) -> Statements:
    yield say(names.TOOLKIT_VERSION, Version(match[1]), line)


def _numba_found(match: re.Match[str], line: Line) -> Statements:
    yield say(said.FRAMEWORK_COUNT("numba"), int(match[1]), line)
    yield say(said.FRAMEWORK_SEES_GPU("numba"), int(match[1]) > 0, line)


def _tensorflow_cuda(match: re.Match[str], line: Line) -> Statements:
    """A release, or "64_112" after the name of a DLL."""
    found = cuda_digits(match[1][3:]) if match[1].startswith("64_") else release(match[1])
    if found is not None:
        yield say(names.PACKAGE_CUDA("tensorflow"), found, line)
        yield say(names.PACKAGE_BUILD("tensorflow"), "cuda", line)


def _torch_cuda(match: re.Match[str], line: Line) -> Statements:
    yield say(names.PACKAGE_CUDA("torch"), Version(match[1]), line)
    yield say(names.PACKAGE_BUILD("torch"), "cuda", line)


def _miners_gpu(match: re.Match[str], line: Line) -> Statements:
    yield say(names.GPU_NAME(match[1]), match[2], line)
    yield say(names.GPU_CAPABILITY(match[1]), Version(f"{match[3]}.{match[4]}"), line)


def _torch_for_cpu(_: re.Match[str], line: Line) -> Statements:
    yield from built_for("torch", "cpu", "", line)


#: A line that breaks off, or goes on below, leaves out architectures that the build has.
_WHOLE_FLAGS = regex(r"code=(?:sm|compute)_\d{2,3}\w?\s*\Z")


def _torch_architectures(match: re.Match[str], line: Line) -> Statements:
    found = tuple(dict.fromkeys(re.findall(r"code=((?:sm|compute)_\w+)", match[0])))
    if found and _WHOLE_FLAGS.search(match[0]):
        yield say(said.FRAMEWORK_ARCHITECTURES("torch"), found, line)


def _tensorflow_without_cuda(_: re.Match[str], line: Line) -> Statements:
    yield from built_for("tensorflow", "cpu", "", line)


def _torch_supports(match: re.Match[str], line: Line) -> Statements:
    yield say(said.FRAMEWORK_ARCHITECTURES("torch"), tuple(match[1].split()), line)


def _built_architectures(match: re.Match[str], line: Line) -> Statements:
    found = tuple(
        f"{kind}_{major}{minor}"
        for major, minor, ptx in re.findall(r"(?a)(\d{1,2})\.(\d)(\+PTX)?", match[1])
        for kind in (("sm", "compute") if ptx else ("sm",))
    )
    if found:
        yield say(said.FRAMEWORK_ARCHITECTURES("xformers"), found, line)


def _spconv_architectures(match: re.Match[str], line: Line) -> Statements:
    """What spconv, or the cumm in it, was compiled for: a set of pairs, in no order."""
    pairs = sorted((int(major), int(minor)) for major, minor in _PAIR.findall(match[2]))
    found = tuple(f"sm_{major}{minor}" for major, minor in pairs)
    yield say(said.FRAMEWORK_ARCHITECTURES("spconv"), found, line)
    if own := capability(match[1]):
        yield say(names.GPU_CAPABILITY(0), own, line)


_PAIR = regex(r"(?a)\((\d{1,2}), ?(\d)\)")
_PAIRS = r"(?:\(\d{1,2}, ?\d\)(?:, )?)+"


def _tf_git_version(match: re.Match[str], line: Line) -> Statements:
    yield from installed("tensorflow", match[1], line)


_NVIDIA = r"(?:NVIDIA|GeForce|Quadro|Tesla|TITAN|NVS|GRID)"
_TABLE: tuple[tuple[str, str, Told], ...] = (
    # deviceQuery
    (
        "runtime version",
        r"CUDA Driver Version / Runtime Version\s+(\d+\.\d+) / (\d+\.\d+)",
        _driver_and_runtime,
    ),
    (
        "runtime version",
        r"CUDA Driver Version = (\d+\.\d+), CUDA Runtime Version = (\d+\.\d+)",
        _driver_and_runtime,
    ),
    ("numdevs = ", r"CUDA Runtime Version = \d+\.\d+, NumDevs = (\d{1,3})\b", _count),
    # PaddlePaddle
    (
        "runtime api version",
        r"Driver API Version: (\d+\.\d+), Runtime API Version: (\d+\.\d+)",
        _paddle,
    ),
    # CuPy
    ("cupy version", r"\A\s*CuPy Version\s+: (\d[\w.]+)", _package("cupy")),
    ("cuda driver version", r"\A\s*CUDA Driver Version\s+: (\d{4,5})\s*\Z", _driver_cuda),
    ("cuda driver version", r"\A\s*CUDA Driver Version\s+: (\d{1,2}\.\d)\s*\Z", _driver_cuda),
    ("cuda runtime version", r"\A\s*CUDA Runtime Version\s+: (\d{4,5})\b", _cupy_runtime),
    ("cuda build version", r"\A\s*CUDA Build Version\s+: (\d{4,5})\b", _cupy_runtime),
    ("cudnn version", r"\A\s*cuDNN Version\s+: (\d{4,5})\s*\Z", _cudnn),
    ("cudnn build version", r"\A\s*cuDNN Build Version\s+: (\d{4,5})\s*\Z", _cudnn_built),
    ("device ", r"\A\s*Device (\d{1,3}) Name\s+: (.{2,80}?)\s*\Z", _gpu_name),
    (
        "compute capability",
        r"\A\s*Device (\d{1,3}) Compute Capability\s+: (\d{2,3})\s*\Z",
        _gpu_capability,
    ),
    # Numba
    ("cuda devices", r"\A\s*Found (\d{1,3}) CUDA devices", _numba_found),
    ("cuda device initialized", r"\A\s*CUDA Device Initialized\s+: (True|False)", _sees("numba")),
    ("numba version", r"\A\s*(?:__)?Numba Version\s*:\s+(\d[\w.+]+)", _package("numba")),
    # bitsandbytes
    (
        "highest compute",
        r"Highest [Cc]ompute [Cc]apability(?: among GPUs detected)?: (\d{1,2}\.\d)",
        _gpu_capability,
    ),
    ("highest_compute", r"highest_compute_capability=\((\d{1,2}, ?\d)\)", _gpu_capability),
    ("detected cuda version", r"CUDA SETUP: Detected CUDA version (\d{2,3})\b", _bitsandbytes),
    ("settings found", r"PyTorch settings found: CUDA_VERSION=(\d{2,3})\b", _bitsandbytes),
    ("settings found", r"PyTorch settings found: CUDA_VERSION=\d{2,3}\b", _seen_by_torch),
    ("settings found", r"Highest Compute Capability: \((\d{1,2}, ?\d)\)", _gpu_capability),
    ("cuda_version_string", r"cuda_version_string='(\d{2,3})'", _bitsandbytes),
    # transformers, accelerate and diffusers
    ("(gpu?)", r"\A\W*PyTorch version \(GPU\?\): \S+ \((True|False)\)", _sees("torch")),
    ("(gpu?)", r"\A\W*Tensorflow version \(GPU\?\): \d\S+ \((True|False)\)", _sees("tensorflow")),
    # PyCUDA's deviceQuery, samples of NVIDIA's, and what is built on those for lidars
    ("cuda capable device", r"\ADetected (\d{1,3}) CUDA Capable device\(s\)\s*\Z", _count),
    ("cuda-capable device count", r"\ACUDA-capable device count: (\d{1,3})\s*\Z", _count),
    ("gpu has cuda devices", r"\AGPU has cuda devices: (\d{1,3})\s*\Z", _count),
    # DeepSpeed
    ("torch version .", r"\A\s*torch version \.{3,}\s+(\d[\w.+]+)", _package("torch")),
    ("torch cuda version", r"\A\s*torch cuda version \.{3,}\s+(\d+\.\d+)", _torch_cuda),
    ("nvcc version .", r"\A\s*nvcc version \.{3,}\s+(\d+\.\d+)", _toolkit),
    # InvokeAI
    ('"torch"', r"\A\s*\"torch\"\s{0,16}: \"(\d[\w.+]*)\"", _package("torch")),
    # T-Rex, a miner
    ("cuda devices available", r"\bCUDA devices available: (\d{1,2})\s*\Z", _count),
    # fastai
    ("torch cuda ver", r"\A\s*torch cuda ver\s{1,8}: (\d+\.\d+)", _torch_cuda),
    ("torch cuda ", r"\A\s*torch cuda\s{1,8}: (\d+\.\d+) / is ", _torch_cuda),
    ("torch cuda ", r"\A\s*torch cuda\s{1,8}: \S{1,12} / is ((?:not )?available)", _sees("torch")),
    ("torch cuda is", r"\A\s*torch cuda is\s{1,8}: \**(available|not available)", _sees("torch")),
    ("torch cudnn ver", r"\A\s*torch cudnn ver\s{1,8}: (\d{4,5})\s*\Z", _cudnn),
    # Unsloth
    ("num gpus = ", r"\bNum GPUs = [1-9]\d?\. Max memory: \d", _seen_by_torch),
    ("max memory: ", r"/\|\s{1,8}GPU: \S[^\n]{2,60}\. Max memory: [1-9]", _seen_by_torch),
    ("| num gpus ", r"\bUnsloth - \dx faster [^|]{0,40}\| Num GPUs used = [1-9]", _seen_by_torch),
    ("cuda toolkit", r"\bCUDA(?: =|:) (\d{1,2}\.\d)\. CUDA Toolkit", _gpu_capability),
    ("cuda toolkit", r"\b(?:Py)?Torch: (\d[\w.+]*\w)\. CUDA", _package("torch")),
    # Ultralytics, whose banner is YOLOv8.1.3 Python-3.10.11 torch-2.1.0+cpu CPU
    ("python-", r"\bPython-\d[\d.]+ torch-(\d+\.\d+[\w.]*(?:\+\w+)?)", _package("torch")),
    # xFormers
    ("xformers ", r"\A\s*xFormers (\d[\w.+]+)\s*\Z", _package("xformers")),
    (
        "(you have",
        r"(?:\A|\s)PyTorch \d\S*(?: with CUDA \d+)? \(you have (\d[\w.+]+)\)",
        _package("torch"),
    ),
    ("pytorch.version", r"\A\s*pytorch\.version:\s+(\d[\w.+]+)", _package("torch")),
    ("pytorch.cuda", r"\A\s*pytorch\.cuda:\s+(available|not available)", _sees("torch")),
    ("gpu.compute", r"\A\s*gpu\.compute_capability:\s+(\d{1,2}\.\d)", _gpu_capability),
    ("gpu.name", r"\A\s*gpu\.name:\s+(\S.{1,80}?)\s*\Z", _gpu_name),
    ("build.env", r"\A\s*build\.env\.TORCH_CUDA_ARCH_LIST:\s+(\S.{1,120})", _built_architectures),
    # TensorFlow
    ("is_cuda_build", r"['\"]is_cuda_build['\"]\s?[,:]\s?False", _tensorflow_without_cuda),
    ("cuda_version", r"['\"]cuda_version['\"]\s?[,:]\s?['\"]([\w.]+)['\"]", _tensorflow_cuda),
    (
        "v",
        r"\A\s*[('b\"]*v\d+\.\d+\.\d+(?:-rc\d+)?(?:-\d+-g[0-9a-f]+|-\w+)?['\",)\s]+b?['\"]?(\d+\.\d+\.\d+(?:-?rc\d+)?)['\")]*\s*\Z",
        _tf_git_version,
    ),
    # torch, where a device is none of these
    (
        "supports cuda capabilities",
        r"supports CUDA capabilities ((?:(?:sm|compute)_\w+\s?)+)",
        _torch_supports,
    ),
    ("gpu with pytorch", r"\bIf you want to use the (\S.{1,60}?) GPU with PyTorch", _gpu_name),
    # spconv
    (
        "compiled in prebuilt",
        rf"\bgpu arch ({_PAIRS}) isn't compiled in prebuilt,.{{1,60}} available: {{({_PAIRS})}}",
        _spconv_architectures,
    ),
    # XMRig
    (
        "gpu #",
        r"\A\W*GPU #(\d{1,2}):\s+(\S[^@\n]{1,40}?) @ .{1,60}\barch:(\d{1,2})(\d)\b",
        _miners_gpu,
    ),
    (
        "mhz smx:",
        r"\bGPU\s+#(\d{1,2}) \S+ (\S[^@\n]{1,40}?) \d+/\d+ MHz .{1,24}\barch:(\d{1,2})(\d)\b",
        _miners_gpu,
    ),
    # k2, whose build refuses a toolkit of another CUDA than torch's
    ("pytorch is built with", r"PyTorch is built with CUDA version: (\d+\.\d+)", _torch_cuda),
    (
        "is compiled with cuda",
        r"\A\s*PyTorch \d[\w.+]{0,24} is compiled with CUDA (\d+\.\d+)",
        _torch_cuda,
    ),
    ("current running cuda", r"\A\s*The current running CUDA version is: (\d+\.\d+)", _toolkit),
    ("but you are using cuda", r"\A\s*But you are using CUDA (\d+\.\d+) to compile", _toolkit),
    # DXVK, of a GPU that it does not take
    (
        "skipping vulkan ",
        rf"\bSkipping Vulkan \d\.\d adapter: ({_NVIDIA}\b[^\n(]{{1,50}}?)\s*\Z",
        _gpu_name,
    ),
    # torch shows its configuration
    ("cuda runtime ", r"\A\s*- CUDA Runtime (\d+\.\d+)\s*\Z", _torch_cuda),
    ("use_cuda=", r"\A\s*- Build settings: .*\bUSE_CUDA=(?:0|OFF)\b", _torch_for_cpu),
    ("nvcc architecture flags", r"\A\s*- NVCC architecture flags: .*", _torch_architectures),
)
_PATTERNS = tuple((cue, regex(f"(?a){pattern}"), told) for cue, pattern, told in _TABLE)


def read(text: Text) -> Statements:
    """Every row of the table, in its order."""
    for cue, pattern, told in _PATTERNS:
        for line in text.having(cue):
            match = pattern.search(line.text)
            if match is not None:
                yield from told(match, line)
