"""Who gets which copy: the installed frameworks, each loaded on paper by the loader's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..model import Known
from ..version import Version
from .copies import asked_for
from .file_names import PART
from .loader import Process
from .needs import is_as_tested
from .places import own_prefix, wheel_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..installed.distributions import Distribution
    from ..machine import Machine
    from .loader import Opened

#: The files by which a framework's libraries come in, in the order of their loading; a name that
#: ends with "/" stands for every library in that folder.
_TENSORFLOW = ("tensorflow/libtensorflow_framework.so.2", "tensorflow/libtensorflow_cc.so.2")
_FILES: dict[str, tuple[str, ...]] = {
    "torch": (
        "torch/lib/libtorch_global_deps.so",
        "torch/lib/libtorch_cuda.so",
        "torch/lib/libtorch_cuda_linalg.so",
    ),
    "tensorflow": _TENSORFLOW,
    "tensorflow-gpu": _TENSORFLOW,
    "onnxruntime-gpu": ("onnxruntime/capi/libonnxruntime_providers_cuda.so",),
    "ctranslate2": ("ctranslate2.libs/",),
    "paddlepaddle-gpu": ("paddle/base/libpaddle.so",),
}
_CUPY = ("cupy_backends/cuda/libs/",)
_CUPY_BY_ITSELF = 14
_OPTIONAL_FOR_CUPY = ("libnccl.", "libcutensor.", "libcusparseLt.", "libcudnn.")
_PJRT = "-pjrt"
_OPENED_BY_XLA = ("cudart", "cublas", "cublaslt", "cufft", "cusolver", "cusparse")


class User(NamedTuple):
    """A framework, what it gets, and why a part of that is not known."""

    package: str
    site: str
    opened: tuple[Opened, ...]
    unread: tuple[str, ...]

    def gets(self, file: str) -> Opened | None:
        """The answer to the first request for a name."""
        return next((each for each in self.opened if each.file == file), None)


def users(machine: Machine, installed: tuple[Distribution, ...]) -> Iterator[User]:
    """Each installed framework that has libraries to load."""
    first = {package.name: package for package in reversed(installed)}  # Python imports the first
    for package in installed:
        if first[package.name] is package:
            yield from _user(machine, package)


def _user(machine: Machine, package: Distribution) -> Iterator[User]:
    files = tuple(_present(machine, package))
    if not files:
        return
    prefix = own_prefix(machine)
    program = None if prefix is None else f"{prefix}/bin/python"
    own = tuple(dict.fromkeys(file.rpartition("/")[0] for file in files))
    process = Process(machine, program, own, tuple(_searched_first(machine, package)))
    nodes = [node for file in files if (node := process.load(file)) is not None]
    if nodes:
        for name in _opened_by_name(machine, package):
            process.ask(name, nodes[0])
    _load_parts_of_cudnn(machine, process)
    told = f"{package.name} {package.version}"
    opened = tuple(each for each in process.opened if each.path or _is_needed(package, each))
    yield User(told, package.folder, opened, tuple(process.unread))


def _searched_first(machine: Machine, package: Distribution) -> Iterator[str]:
    """Since its release 14 CuPy looks for pip's libraries by itself (cuda-pathfinder)."""
    if package.name.startswith("cupy-cuda") and _major(package) >= _CUPY_BY_ITSELF:
        for place in wheel_folders(machine, package.folder):
            yield place.folder


def _is_needed(package: Distribution, miss: Opened) -> bool:
    """Whether it matters that a name is nowhere: JAX and CuPy go without some of theirs."""
    if package.name.startswith("cupy"):
        return not miss.file.startswith(_OPTIONAL_FOR_CUPY)
    return not package.name.startswith("jax-cuda")


def _major(package: Distribution) -> int:
    number = package.version.partition(".")[0]
    return int(number) if number.isdecimal() else 0


def _load_parts_of_cudnn(machine: Machine, process: Process) -> None:
    """The library cudnn opens those that lie beside it by their names when they are needed.

    By their names alone: what LD_LIBRARY_PATH has of them comes first.
    """
    main = process.found("cudnn")
    if main is None:
        return
    names = machine.list_dir(main.path.rpartition("/")[0])
    for file in sorted(asked_for(names.value)) if isinstance(names, Known) else ():
        if file.startswith(f"lib{PART}"):
            process.ask(file, main)


def _present(machine: Machine, package: Distribution) -> Iterator[str]:
    for file in _files_of(package.name):
        path = f"{package.folder}/{file}"
        if path.endswith("/"):
            names = machine.list_dir(path)
            libraries = names.value if isinstance(names, Known) else ()
            yield from (path + name for name in libraries if ".so" in name)
        elif machine.is_there(path):
            yield path


def _files_of(package: str) -> tuple[str, ...]:
    if package.startswith("cupy-cuda"):
        return _CUPY
    if package.startswith("jax-cuda") and package.endswith(_PJRT):
        plugin = package[len("jax-") : -len(_PJRT)]  # cuda12 of jax-cuda12-pjrt
        return (f"jax_plugins/xla_{plugin}/xla_cuda_plugin.so",)
    return _FILES.get(package, ())


def _opened_by_name(machine: Machine, package: Distribution) -> tuple[str, ...]:
    """The names that a framework opens by itself, beside what its files need."""
    if package.name in ("tensorflow", "tensorflow-gpu"):
        from ...knowledge import tensorflow

        found = tensorflow.libraries(package.version)
        if not isinstance(found, tensorflow.Libraries) or not is_as_tested(machine, package):
            return ()
        return tuple(name for name in found.names if name != "libcuda.so.1")
    if package.name.startswith("jax-cuda"):
        return tuple(_opened_by_xla(package))
    return ()


def _opened_by_xla(package: Distribution) -> Iterator[str]:
    from ...knowledge import cuda_libraries, jax

    major = package.name[len("jax-cuda") : -len(_PJRT)]
    for origin in cuda_libraries.origins():
        if origin.stem in _OPENED_BY_XLA and origin.holds(Version(major)):
            yield origin.soname
    # A release that is newer than the table is taken for the newest in it.
    wheels = jax.wheels(package.version) or jax.wheels(str(jax.releases()[0].last))
    built = [each.cudnn_min for each in wheels if str(each.cuda_major) == major]
    yield from dict.fromkeys(f"libcudnn.so.{each.major}" for each in built if each is not None)
    yield "libnccl.so.2"
