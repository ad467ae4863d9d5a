"""Who gets which copy: the installed frameworks, each loaded on paper by the loader's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .library_copies import asked_for
from .library_names import PART
from .library_places import own_prefix
from .loader import Process
from .model import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .distributions import Distribution
    from .loader import Opened
    from .machine import Machine

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
_PJRT = "-pjrt"


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
    process = Process(machine, program, tuple(file.rpartition("/")[0] for file in files))
    nodes = [node for file in files if (node := process.load(file)) is not None]
    if nodes:
        for name in _opened_by_name(package):
            process.ask(name, nodes[0])
    _load_parts_of_cudnn(machine, process)
    told = f"{package.name} {package.version}"
    yield User(told, package.folder, tuple(process.opened), tuple(process.unread))


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


def _opened_by_name(package: Distribution) -> tuple[str, ...]:
    """The names that a framework opens by itself, beside what its files need."""
    if package.name not in ("tensorflow", "tensorflow-gpu"):
        return ()
    from ..knowledge import tensorflow

    found = tensorflow.libraries(package.version)
    names = found.names if isinstance(found, tensorflow.Libraries) else ()
    return tuple(name for name in names if name != "libcuda.so.1")
