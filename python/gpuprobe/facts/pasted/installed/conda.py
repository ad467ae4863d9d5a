"""``conda list`` rows, ``conda install`` plans: name, version, build string, channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..statement import Statements, say
from ..values import release
from .package_names import built_for, copies, installed, recorded

if TYPE_CHECKING:
    from ..text import Line, Text

_ROW = regex(
    r"(?a)\A\s*(?:[-+]\s+)?(?P<name>[\w.\-]{2,60})\s+(?P<version>\d[\w.+!]*)"
    r"\s+(?P<build>(?=[A-Za-z_.]*\d)[A-Za-z0-9_.]+|cpu|cuda|pypi_0|0)"
    r"(?:\s+\[\w+\])?(?:\s+(?P<channel>\S+))?(?:\s+(?:[\d.]+ ?[kMG]B|Cached))?\s*\Z"
)
_SPEC = regex(
    r"(?a)(?P<name>[\w.\-]{2,60})-(?P<version>\d[\w.]*)-"
    r"(?P<build>\w*(?:cuda|cpu)\w*)(?:\Z|\s|\.)"
)
#: A row of its list in somebody's sentence.
_CITED = regex(
    r"(?a)(?<![\w./-])(?P<name>pytorch|torchvision|tensorflow)\s{1,8}(?P<version>\d[\w.]*)"
    r"\s{1,8}(?P<build>py\d\.\d{1,2}_(?:cpu|cuda)[\w.]*)"
)
#: A plan's row: "cudatoolkit  conda-forge/linux-64::cudatoolkit-11.1.1-h6406543_6".
_PLANNED = regex(
    r"(?a)\A\s*(?:\+\s*)?[\w.\-]{2,60}\s+(?:\S+/)?(?P<channel>)(?:linux|win|osx|noarch)[\w-]*::"
    r"(?P<name>[\w.\-]{2,60})-(?P<version>\d[\w.+!]*)-(?P<build>[\w.]+)"
)
#: A row of what it is to download: "pytorch-1.11.0 | cpu_py37h14e09b7_1  49.7 MB  conda-forge".
_DOWNLOADED = regex(
    r"(?a)\A\s*(?P<name>[\w.\-]{2,60})-(?P<version>\d[\w.+!]*)\s+\|\s*(?P<build>\w[\w.]*)"
    r"\s+[\d.]+ ?[kMG]?B(?:\s+(?P<channel>[\w./-]+))?\s*\Z"
)
#: What the solver knows of the driver: "virtual packages : __cuda=10.2=0".
_DRIVER = regex(
    r"(?a)\A[\s:]*(?:virtual packages\s*:\s*)?__cuda=(\d{1,2}\.\d)=0\s*\Z"
    r"|\A\s*Your installed (?:CUDA driver|version) is: (\d{1,2}\.\d)\s*\Z"
)
#: The packages by which Anaconda chooses between its builds, which are named after their kind.
_SELECTED = regex(
    r"(?a)\A\s*(?:[-+]\s+)?_(?P<of>pytorch|tflow)_select(?:\s+|-)\d[\d.]*(?:\s+|-)"
    r"(?P<kind>gpu|cpu|mkl|eigen)(?:_\d+)?\b"
)
_SELECTS = {"pytorch": "torch", "tflow": "tensorflow"}
#: pytorch: py3.8_cuda11.3_cudnn8.2.0_0; conda-forge: cuda112py310h51fe464_200, cuda_126_mkl_py…
_CUDA = regex(r"(?a)cuda_?(?!0\.0)(\d{1,2}\.\d{1,2}|\d{2,4})(?:\.\d+)*")
_CUDNN = regex(r"(?a)cudnn(\d+\.\d+(?:\.\d+)?)")
_SHORT = regex(r"(?a)(?:\A|_)cu(\d{2,3})(?:_|\Z)")
#: PyTorch up to 1.0 called its builds for the CPU cuda0.0.
_CPU = regex(r"(?:\A|_)cpu(?:_|\Z|py)|(?:\A|_)mkl_py|eigen_py|cuda0\.0")
#: Packages whose build string tells what they were built for; others only hint at it.
_BUILT = ("torch", "tensorflow", "jaxlib", "onnxruntime", "torchvision", "torchaudio", "xgboost")
_CUES = ("torch", "tensorflow", "jax", "cuda", "cudnn", "cpuonly", "cupy", "onnxruntime", "numba",
         "cudf", "cuml", "nccl", "numpy", "xgboost", "triton", "keras", "vllm")  # fmt: skip


def read(text: Text) -> Statements:
    """Each row of a package that has to do with GPUs; what the solver knows of the driver."""
    seen: dict[str, list[tuple[str, str]]] = {}
    for line in text.having(*_CUES):
        row = _ROW.match(line.text) or _PLANNED.match(line.text) or _SPEC.search(line.text)
        row = row or _DOWNLOADED.match(line.text) or _CITED.search(line.text)
        if row is None or (name := recorded(row["name"])) is None:
            continue
        channel = row.groupdict().get("channel") or ""
        yield from built_by_channel(row["name"], row["build"] or "", channel, line)
        if name in ("cudatoolkit", "cudnn", "cuda-version", "cuda-runtime"):
            yield from _library(name, row["version"], line)
        yield from installed(name, row["version"], line)
        if channel and not line.text.lstrip().startswith(("+", "-")):
            told = seen.setdefault(name, [])
            told.append((row["version"], _installer(row["name"], channel)))
            yield from copies(name, told, line)
    for line, match in text.matching(_SELECTED, "torch_select", "_tflow_select"):
        kind = "cuda" if match["kind"] == "gpu" else "cpu"
        yield from built_for(_SELECTS[match["of"]], kind, "", line)
    for line, match in text.matching(_DRIVER, "__cuda=", "your installed "):
        yield say(names.DRIVER_CUDA, Version(match[1] or match[2]), line)


def _installer(name: str, channel: str) -> str:
    """Who installed it; conda has PyTorch's nightly builds as a package beside the other."""
    if channel == "pypi":
        return "pip"
    return name if name == "pytorch-nightly" else "conda"


def built_by_channel(name: str, build: str, channel: str, line: Line) -> Statements:
    """What conda's build string and metapackages say; the name as conda has it."""
    plain = recorded(name) or name
    if name == "cpuonly":
        yield from built_for("torch", "cpu", "", line)
    elif name == "pytorch-mutex":
        yield from built_for("torch", build, "", line)
    elif channel == "pypi" or not plain.startswith(_BUILT):
        return
    elif match := _CUDA.search(build):
        yield from built_for(plain, "cuda", "", line)
        cuda = _version(match[1])
        if cuda is not None:
            yield say(names.PACKAGE_CUDA(plain), cuda, line)
        if plain == "torch" and (cudnn := _CUDNN.search(build)):
            yield say(said.CUDNN_BUILT_WITH, Version(cudnn[1]), line)
    elif match := _SHORT.search(build):
        yield from built_for(plain, "cuda", match[1], line)
    elif _CPU.search(build):
        yield from built_for(plain, "cpu", "", line)
    elif build.startswith("gpu_"):
        yield from built_for(plain, "cuda", "", line)


def _version(text: str) -> Version | None:
    """``11.3``, ``112``, ``126``, ``11``."""
    from ..values import cuda_digits

    return Version(text) if "." in text else cuda_digits(text)


def _library(name: str, version: str, line: Line) -> Statements:
    """Libraries that conda brings along count for the programs of that environment."""
    found = release(version)
    if found is not None and name == "cudnn":
        yield say(said.CUDNN_VERSION, found, line)
