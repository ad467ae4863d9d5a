"""What conda recorded in the environment of this Python: pip may have laid another over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .. import names
from ..model import Entry, Known, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.PACKAGE_CONDA,)

#: The name of conda's package -> the distribution that it brings.
_PACKAGES = {
    "pytorch": "torch",
    "torchvision": "torchvision",
    "tensorflow-base": "tensorflow",
    "jaxlib": "jaxlib",
    "cupy-core": "cupy",
    "cupy": "cupy",
    "onnxruntime": "onnxruntime",
    "numba": "numba",
    "numpy": "numpy",
}
_PARTS = 3


class CondaRecord(NamedTuple):
    """A file of conda-meta: ``pytorch-2.1.0-py3.11_cuda12.1_cudnn8.9.2_0.json``."""

    distribution: str
    version: str
    build: str
    path: str


def collect(machine: Machine) -> Iterator[Entry]:
    """Version and build of each package of ours, by the name of its record."""
    for folder in dict.fromkeys(machine.search_path):
        for each in records(machine, folder):
            key = names.PACKAGE_CONDA(each.distribution)
            yield entry(key, Known(f"{each.version} {each.build}", each.path))


def records(machine: Machine, folder: str) -> Iterator[CondaRecord]:
    """What conda recorded of our packages in the environment of a folder of packages."""
    prefix = machine.shown(folder).replace("\\", "/").rpartition("/lib/python")[0]
    if not prefix or not folder.endswith("site-packages"):
        return
    listed = machine.list_dir(f"{prefix}/conda-meta")
    for file in listed.value if isinstance(listed, Known) else ():
        parts = file.removesuffix(".json").rsplit("-", 2)
        if len(parts) == _PARTS and file.endswith(".json") and parts[0] in _PACKAGES:
            path = f"{prefix}/conda-meta/{file}"
            yield CondaRecord(_PACKAGES[parts[0]], parts[1], parts[2], path)
