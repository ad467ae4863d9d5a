"""What installed frameworks ask for: names that are nowhere, and releases that are not installed.

The names come from the tables of TensorFlow and ONNX Runtime, the releases from torch's metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..model import Known
from ..version import Version
from .file_names import parse
from .places import (
    CONDA,
    LOADER,
    PIP,
    SYSTEM32,
    WINDOWS_PATH,
    default_folders,
    own_prefix,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..installed.distributions import Distribution
    from ..machine import Machine
    from .copies import Copy, Inventory

_METADATA_LIMIT = 2 << 20
_REQUIRES = "Requires-Dist: nvidia-"


class Need(NamedTuple):
    """The names that a framework opens, in its order, and whether it knows of pip's wheels."""

    package: str
    names: tuple[str, ...]
    from_wheels: bool
    source: str


class Miss(NamedTuple):
    """The first name of a framework's list that is nowhere."""

    stem: str
    file: str
    package: str
    source: str


def misses(
    machine: Machine, installed: tuple[Distribution, ...], inventory: Inventory
) -> Iterator[Miss]:
    """For each framework that opens libraries by name the first that it does not find.

    Nothing where a way of the loader could not be gone: there it may be.
    """
    if inventory.unread:
        return
    for need in _needs(machine, installed):
        for file in need.names:
            name = parse(file)
            if name is not None and not _is_found(machine, inventory, need, file):
                yield Miss(name.stem, file, need.package, need.source)
                break


def _needs(machine: Machine, installed: tuple[Distribution, ...]) -> Iterator[Need]:
    for package in installed:
        if package.name in ("tensorflow", "tensorflow-gpu", "onnxruntime-gpu"):
            from ..installed.builds import framework_build

            build = framework_build(machine, package, installed)
            if build is not None and build.kind == "cuda":
                need = _need(machine, package, build.cuda)
                if need is not None:
                    yield need


def _need(machine: Machine, package: Distribution, cuda: Version | None) -> Need | None:
    told = f"{package.name} {package.version}"
    windows = machine.system == "Windows"
    if package.name == "onnxruntime-gpu":
        from ...knowledge import onnxruntime

        known = None if cuda is None or windows else onnxruntime.libraries(cuda.major)
        if not isinstance(known, onnxruntime.Libraries):
            return None
        # It finds the wheels where the program calls preload_dlls() or imports torch before it.
        return Need(told, known.names, from_wheels=True, source=known.source)
    from ...knowledge import tensorflow

    platform: tensorflow.Platform = "windows" if windows else "linux_x86_64"
    release = tensorflow.release(package.version)
    found = tensorflow.libraries(package.version, platform)
    if release is None or not isinstance(found, tensorflow.Libraries):
        return None
    if not is_as_tested(machine, package):
        return None
    return Need(told, found.names, from_wheels=release.and_cuda, source=found.source)


#: Before it minor releases of CUDA renamed libraries.
_NAMED_BY_MAJOR = 12


def is_as_tested(machine: Machine, package: Distribution) -> bool:
    """Whether a TensorFlow opens the names in the table, which are those of Google's wheels.

    conda-forge, distributions and NVIDIA build the same release with a CUDA and cuDNN of theirs.
    """
    from ...knowledge import tensorflow
    from ..installed.builds import framework_build, tensorflow_cudnn

    release = tensorflow.release(package.version)
    build = framework_build(machine, package, ())
    if release is None:
        return False
    windows = machine.system == "Windows"
    cuda = release.windows_cuda if windows else release.cuda
    cudnn = release.windows_cudnn if windows else release.cudnn
    own_cudnn = tensorflow_cudnn(machine, package)
    if own_cudnn is not None and cudnn is not None and own_cudnn != cudnn.major:
        return False
    own_cuda = None if build is None else build.cuda
    return own_cuda is None or cuda is None or _named_alike(own_cuda, cuda)


def _named_alike(one: Version, other: Version) -> bool:
    by_minor = one.major < _NAMED_BY_MAJOR and len(one.parts) > 1
    return one.major == other.major and (one.minor == other.minor or not by_minor)


def _is_found(machine: Machine, inventory: Inventory, need: Need, file: str) -> bool:
    if any(copy.file == file and _reaches(machine, need, copy) for copy in inventory.copies):
        return True
    if machine.system == "Windows":
        folders = (*machine.environ.get(WINDOWS_PATH, "").split(";"), _system32(machine))
        return any(folder and machine.is_there(rf"{folder}\{file}") for folder in folders)
    return any(machine.is_there(f"{folder}/{file}") for folder in default_folders(machine))


def _reaches(machine: Machine, need: Need, copy: Copy) -> bool:
    """Whether a copy lies where the framework looks; of CUDA_HOME and /usr/local none does."""
    if copy.way == CONDA:  # conda's Python has the folder in its RPATH
        prefix = own_prefix(machine)
        return prefix is not None and copy.path.startswith(prefix)
    if copy.way == PIP or copy.way.startswith("bundled"):
        return need.from_wheels
    return copy.way in LOADER


def _system32(machine: Machine) -> str:
    return machine.environ.get("SYSTEMROOT", r"C:\Windows") + "\\" + SYSTEM32


def asked_by_torch(
    machine: Machine, installed: tuple[Distribution, ...]
) -> Iterator[tuple[str, Version, str]]:
    """Each package of a library of which torch asks pip for another release than is installed.

    Name, the release that is asked for, and the file that says so.
    """
    libraries = {each.name: each.version for each in reversed(installed) if "nvidia-" in each.name}
    torch = next((each for each in installed if each.name == "torch"), None)
    if torch is None or not libraries:
        return
    metadata = machine.read_text(torch.metadata, limit=_METADATA_LIMIT)
    if not isinstance(metadata, Known) or _REQUIRES not in metadata.value:
        return
    for name, wanted in _pins(metadata.value):
        if name in libraries and libraries[name] != wanted.text:
            yield name, wanted, metadata.source


def _pins(metadata: str) -> Iterator[tuple[str, Version]]:
    """``Requires-Dist: nvidia-cublas-cu12 (==12.1.3.1) ; platform_system == "Linux"``."""
    for line in metadata.splitlines():
        head, mark, rest = line.partition("==")
        if not mark or not head.startswith(_REQUIRES) or ";" in head or "extra ==" in rest:
            continue
        name = head.removeprefix("Requires-Dist: ").rstrip(" (")
        release = Version.parse(rest.partition(";")[0].strip(" )"))
        if release is not None:
            yield name.lower(), release
