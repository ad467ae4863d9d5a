"""The GPU packages of this Python: version, build, CUDA, place; none of them is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Known, Unknown, entry
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..machine import Machine
    from .distributions import Distribution, Found

WRITES = (
    *(names.PACKAGE_FOLDERS, names.PACKAGE_VERSION, names.PACKAGE_CUDA, names.PACKAGE_BUILD),
    *(names.PACKAGE_PATH, names.PACKAGE_COPIES, names.PACKAGE_OWN_VERSION),
)

#: What these were built for is a fact of its own.
_FRAMEWORKS = {
    *("torch", "torchaudio", "torchvision"),
    *("tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-intel", "tensorflow-macos"),
    *("tensorflow-rocm", "tf-nightly", "tf-nightly-cpu", "jaxlib", "cupy", "onnxruntime"),
}
#: Likewise; the rest of the name says for what.
_FRAMEWORK_FAMILIES = ("jax-cuda", "cupy-", "onnxruntime-")
_NO_FRAMEWORKS = ("onnxruntime-extensions", "onnxruntime-genai", "onnxruntime-tools")
_COMPANIONS = {"jax", "keras", "numba", "numba-cuda", "numpy", "tensorrt", "triton"}
_LIBRARIES = ("nvidia-", "cuda-")


def collect(machine: Machine, search: Callable[[], Found]) -> Iterator[Entry]:
    """Each package of ours with its facts, then the folders that were searched.

    Those come last, so that they are known only where every package in them could be read.
    """
    folders, installed = search()
    if not folders:
        yield entry(names.PACKAGE_FOLDERS, Unknown("no folder of sys.path can be listed"))
        return
    copies: dict[str, list[Distribution]] = {}
    for package in installed:
        if _is_framework(package.name) or _is_companion(package.name):
            copies.setdefault(package.name, []).append(package)
    first = tuple(found[0] for found in copies.values())
    for package in first:
        yield from _facts(machine, package, first)
        if len(copies[package.name]) > 1:
            told = tuple(f"{each.version} in {each.folder}" for each in copies[package.name])
            yield entry(names.PACKAGE_COPIES(package.name), Known(told, "sys.path"))
    yield entry(names.PACKAGE_FOLDERS, Known(folders, "sys.path"))


def _is_framework(name: str) -> bool:
    if name.startswith(_NO_FRAMEWORKS):
        return False
    return name in _FRAMEWORKS or name.startswith(_FRAMEWORK_FAMILIES)


def _is_companion(name: str) -> bool:
    return name in _COMPANIONS or name.startswith(_LIBRARIES)


def _facts(
    machine: Machine, package: Distribution, installed: tuple[Distribution, ...]
) -> Iterator[Entry]:
    name = package.name
    yield entry(names.PACKAGE_VERSION(name), Known(package.version, package.info))
    yield entry(names.PACKAGE_PATH(name), Known(package.folder, package.info))
    if _is_framework(name):
        yield from _build(machine, package, installed)
        return
    cuda = _library_cuda(name) if name.startswith(_LIBRARIES) else None
    if cuda is not None:
        yield entry(names.PACKAGE_CUDA(name), Known(cuda, f"the package's name, {name}"))


def _library_cuda(name: str) -> Version | None:
    """The CUDA major version that a library's wheel has in its name: nvidia-cublas-cu12."""
    head, _, digits = name.rpartition("-cu")
    return Version(digits) if head and digits.isascii() and digits.isdigit() else None


def _build(
    machine: Machine, package: Distribution, installed: tuple[Distribution, ...]
) -> Iterator[Entry]:
    from .builds import framework_build, torch_own_version

    own = torch_own_version(machine, package) if package.name == "torch" else None
    if own is not None:
        yield entry(names.PACKAGE_OWN_VERSION(package.name), own)
    build = framework_build(machine, package, installed)
    kind, cuda = names.PACKAGE_BUILD(package.name), names.PACKAGE_CUDA(package.name)
    if build is None:
        unknown = Unknown(f"neither the name, the version nor a file in {package.folder} tells")
        yield entry(kind, unknown)
        yield entry(cuda, unknown)
        return
    yield entry(kind, Known(build.kind, build.source))
    if build.cuda is not None:
        yield entry(cuda, Known(build.cuda, build.source))
    elif build.kind == "cuda":
        yield entry(cuda, Unknown(f"{build.source}: a CUDA build that does not say of which CUDA"))
    else:
        yield entry(cuda, Absent(build.source))
