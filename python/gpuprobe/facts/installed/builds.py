"""What a framework's installed build is made for: CPU, CUDA (which), ROCm … without importing it.

Each step looks at one piece of evidence; the first that tells anything decides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..machine import Machine
from ..model import Fact, Known
from ..version import Version
from .distributions import Distribution

if TYPE_CHECKING:
    from .conda import CondaRecord

_METADATA_LIMIT = 2 << 20
_RECORD_LIMIT = 16 << 20  # conda's names every file of the package


class Build(NamedTuple):
    """`kind` is cpu, cuda, rocm …; `cuda` None: a CUDA build that does not say of which."""

    kind: str
    cuda: Version | None
    source: str


Step = Callable[[Machine, Distribution], Build | None]

#: Packages whose name alone tells. (The CUDA version in a name: see `_by_name`.)
_KINDS = {
    "onnxruntime": "cpu",
    "onnxruntime-directml": "directml",
    "onnxruntime-gpu": "cuda",
    "onnxruntime-openvino": "openvino",
    "onnxruntime-rocm": "rocm",
    "onnxruntime-silicon": "cpu",
    "tensorflow-cpu": "cpu",
    "tensorflow-intel": "cpu",
    "tensorflow-macos": "cpu",
    "tensorflow-rocm": "rocm",
    "tf-nightly-cpu": "cpu",
}
# Texts, not compiled patterns: most machines need none of them, and compiling takes its time.
_CUDA_NAME = r"(?:cupy|jax)-cuda(\d+)x?(?:-plugin|-pjrt)?$"
#: Below it, the digits are a major version; "75" was CUDA 7.5.
_LEAST_WITH_MINOR = 70
_TAG = r"(cpu|xpu|rocm|cu(?:da)?)(\d*)"


def framework_build(
    machine: Machine, package: Distribution, installed: tuple[Distribution, ...]
) -> Build | None:
    """What `package` was built for; None where nothing tells it."""
    for step in (*_STEPS.get(package.name, ()), _by_name, _by_tag):
        found = step(machine, package)
        if found is not None:
            return found
    return _jaxlib(installed) if package.name == "jaxlib" else None


def _cuda_digits(digits: str) -> Version | None:
    """As wheels write it: 12 is 12, 121 is 12.1, 92 is 9.2, 130 is 13.0."""
    if not (digits.isascii() and digits.isdigit()):
        return None
    if int(digits) < _LEAST_WITH_MINOR:
        return Version.of(int(digits))
    return Version.of(int(digits[:-1]), int(digits[-1]))


def _by_name(_machine: Machine, package: Distribution) -> Build | None:
    source = f"the package's name, {package.name}"
    match = re.match(_CUDA_NAME, package.name)
    if match:
        return Build("cuda", _cuda_digits(match[1]), source)
    if package.name.startswith("cupy-rocm"):
        return Build("rocm", None, source)
    kind = _KINDS.get(package.name)
    return Build(kind, None, source) if kind else None


def _by_tag(_machine: Machine, package: Distribution) -> Build | None:
    """The local part of a version: 2.4.1+cu121, 0.4.13+cuda12.cudnn89, 2.4.1+cpu."""
    match = re.match(_TAG, package.version.partition("+")[2])
    if match is None:
        return None
    kind = "cuda" if match[1].startswith("cu") else match[1]
    cuda = _cuda_digits(match[2]) if kind == "cuda" else None
    return Build(kind, cuda, f"the version, {package.version}")


def _version_file(machine: Machine, package: Distribution) -> Fact[str]:
    """Of an editable install it lies in the sources, of which direct_url.json tells (PEP 610)."""
    file = machine.read_text(f"{package.folder}/torch/version.py")
    if isinstance(file, Known):
        return file
    told = machine.read_text(f"{package.info}/direct_url.json")
    url = re.search(r'"url": *"file://([^"]+)"', told.value) if isinstance(told, Known) else None
    if url is None:
        return file
    escaped = re.sub(rb"%([0-9A-Fa-f]{2})", lambda byte: bytes.fromhex(byte[1].decode()),
                     url[1].encode())  # fmt: skip
    sources = os.fsdecode(escaped)
    if machine.system == "Windows":
        sources = sources.lstrip("/")  # file:///C:/Users/alice/pytorch
    return machine.read_text(f"{sources}/torch/version.py")


def _torch_version_file(machine: Machine, package: Distribution) -> Build | None:
    """torch/version.py: ``cuda: Optional[str] = '12.1'``, ``hip = None``, ``xpu = None``."""
    file = _version_file(machine, package)
    if not isinstance(file, Known):
        return None
    values = dict(_assignments(file.value))
    cuda = Version.parse(values.get("cuda") or "")
    if cuda is not None:
        return Build("cuda", cuda, file.source)
    kind = "rocm" if values.get("hip") else "xpu" if values.get("xpu") else "cpu"
    return Build(kind, None, file.source) if "cuda" in values else None


def torch_own_version(machine: Machine, package: Distribution) -> Known[str] | None:
    """What torch calls itself: PyTorch's own wheels name their CUDA there, even those of PyPI."""
    file = _version_file(machine, package)
    own = dict(_assignments(file.value)).get("__version__") if isinstance(file, Known) else None
    return Known(own, file.source) if own and isinstance(file, Known) else None


def _assignments(text: str) -> Iterator[tuple[str, str | None]]:
    """Names and the texts that they get; None for anything but a text."""
    for line in text.splitlines():
        left, _, right = line.partition("=")
        value = right.strip()
        quoted = len(value) > 1 and value[0] in "'\"" and value[0] == value[-1]
        yield left.partition(":")[0].strip(), value[1:-1] if quoted else None


def _torch_requirements(machine: Machine, package: Distribution) -> Build | None:
    """Wheels for CUDA need the CUDA run time's wheel, and name its version."""
    file = machine.read_text(package.metadata, limit=_METADATA_LIMIT)
    for line in file.value.splitlines() if isinstance(file, Known) else ():
        match = re.match(r"Requires-Dist: nvidia-cuda-runtime(?:-cu\d+)? *\(?==([\d.]+)", line)
        version = Version.parse(match[1].strip(".")) if match else None
        if version is not None and "extra ==" not in line:
            return Build("cuda", Version.of(version.major, version.minor), package.metadata)
    return None


def _torch_libraries(machine: Machine, package: Distribution) -> Build | None:
    for name in ("libtorch_cuda.so", "torch_cuda.dll"):
        path = f"{package.folder}/torch/lib/{name}"
        if machine.is_there(path):
            return Build("cuda", None, path)
    return None


_BUILD_INFO = "tensorflow/python/platform/build_info.py"


def _build_info(text: str) -> dict[str, str]:
    return dict(re.findall(r"""["'](\w+)["'] *[,:] *["']?([\w.]+)""", text))


def tensorflow_cudnn(machine: Machine, package: Distribution) -> int | None:
    """The major release of cuDNN with which TensorFlow was built; on Windows ``64_8``."""
    file = machine.read_text(f"{package.folder}/{_BUILD_INFO}")
    told = _build_info(file.value).get("cudnn_version", "") if isinstance(file, Known) else ""
    version = Version.parse(told.removeprefix("64_"))
    return None if version is None else version.major


def _tensorflow_build_info(machine: Machine, package: Distribution) -> Build | None:
    """build_info.py: ``("cuda_version", "12.5.1"), …, ("is_cuda_build", True)``."""
    file = machine.read_text(f"{package.folder}/{_BUILD_INFO}")
    if not isinstance(file, Known):
        return None
    values = _build_info(file.value)
    if values.get("is_cuda_build") == "True":
        # On Windows the text was "64_112", after the DLL's name.
        text = values.get("cuda_version", "")
        cuda = _cuda_digits(text[3:]) if text.startswith("64_") else Version.parse(text)
        return Build("cuda", cuda, file.source)
    if values.get("is_rocm_build") == "True":
        return Build("rocm", None, file.source)
    return Build("cpu", None, file.source) if values.get("is_cuda_build") == "False" else None


def _onnxruntime_build_info(machine: Machine, package: Distribution) -> Build | None:
    """capi/build_and_package_info.py: ``cuda_version = '12.4'``; only GPU packages have it."""
    file = machine.read_text(f"{package.folder}/onnxruntime/capi/build_and_package_info.py")
    cuda = dict(_assignments(file.value)).get("cuda_version") if isinstance(file, Known) else None
    version = Version.parse(cuda or "")
    return Build("cuda", version, file.source) if version and isinstance(file, Known) else None


def _conda_record(machine: Machine, package: Distribution) -> Build | None:
    """conda-forge's builds say it in their record alone: ``jaxlib-0.4.23-cuda120py311h…_201``."""
    for each in _records(machine, package):
        match = re.search(r"cuda(\d*)", each.build)
        if match and match[1]:
            return Build("cuda", _cuda_digits(match[1]), each.path)
        if match:  # onnxruntime-1.20.1-py311h…_5_cuda
            return _conda_requirements(machine, package) or Build("cuda", None, each.path)
    return None


def _conda_requirements(machine: Machine, package: Distribution) -> Build | None:
    """CuPy's record names its CUDA among what it needs: ``"cuda-version >=12,<13.0a0"``."""
    for each in _records(machine, package):
        file = machine.read_text(each.path, limit=_RECORD_LIMIT)
        match = re.search(r'"cuda-version >=(\d+)', file.value) if isinstance(file, Known) else None
        if match:
            return Build("cuda", Version(match[1]), each.path)
    return None


def _records(machine: Machine, package: Distribution) -> Iterator[CondaRecord]:
    from .conda import records

    for each in records(machine, package.folder):
        if each.distribution == package.name and _is_release(package, each.version):
            yield each


def _is_release(package: Distribution, recorded: str) -> bool:
    """Whether pip laid no other over it; conda-forge's own version may be 0.4.23.dev20240214."""
    from ...knowledge.tables import release_number

    return release_number(package.version) == release_number(recorded)


def _jaxlib(installed: tuple[Distribution, ...]) -> Build:
    """Alone, jaxlib is a CPU build; a plugin package beside it brings CUDA."""
    for package in installed:
        match = re.match(_CUDA_NAME, package.name)
        if match and package.name.startswith("jax-") and package.name.endswith("-plugin"):
            return Build("cuda", _cuda_digits(match[1]), package.info)
    return Build("cpu", None, "no jax-cuda plugin is installed")


_STEPS: dict[str, tuple[Step, ...]] = {
    "cupy": (_conda_requirements,),
    "jaxlib": (_conda_record,),
    "onnxruntime": (_conda_record,),
    "onnxruntime-gpu": (_onnxruntime_build_info,),
    "tensorflow": (_tensorflow_build_info,),
    "tensorflow-gpu": (_tensorflow_build_info,),
    "tf-nightly": (_tensorflow_build_info,),
    "torch": (_torch_version_file, _by_tag, _torch_requirements, _torch_libraries),
}
