"""Installed Python packages, read off the names of their metadata folders.

`importlib.metadata` does the same and more; importing it costs two starts of an interpreter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..model import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine


class Distribution(NamedTuple):
    """One installed copy. `name` is normalised, `info` is its metadata folder or file."""

    name: str
    version: str
    folder: str
    info: str

    @property
    def metadata(self) -> str:
        """The file that says what it needs."""
        if self.info.endswith(".dist-info"):
            return f"{self.info}/METADATA"
        return f"{self.info}/PKG-INFO"


#: The folders that could be listed, and what is installed in them.
Found = tuple[tuple[str, ...], tuple[Distribution, ...]]


def normalise(name: str) -> str:
    """The one spelling of a package's name: ``nvidia_cublas.cu12`` is ``nvidia-cublas-cu12``."""
    parts = name.lower().replace("_", "-").replace(".", "-").split("-")
    return "-".join(part for part in parts if part)


def search(machine: Machine) -> Found:
    """The folders that Python searches and that could be listed, and what is installed in them.

    In the order in which Python looks: the first copy of a package is the one that is imported.
    """
    folders: dict[str, tuple[str, ...]] = {}
    for path in machine.search_path:
        names = machine.list_dir(path) if path else None  # "" is the folder we happen to be in
        if isinstance(names, Known):
            folders.setdefault(names.source, names.value)
    found = (each for folder, names in folders.items() for each in _parsed(folder, names))
    return tuple(folders), tuple(found)


def installed_in(machine: Machine, folder: str) -> tuple[Distribution, ...]:
    """What is installed in one folder of packages, which may be another Python's."""
    names = machine.list_dir(folder)
    return tuple(_parsed(folder, names.value)) if isinstance(names, Known) else ()


def _parsed(folder: str, names: tuple[str, ...]) -> Iterator[Distribution]:
    for name in names:
        found = _parse(folder, name) if name.endswith((".dist-info", ".egg-info")) else None
        if found is not None:
            yield found


def _parse(folder: str, file: str) -> Distribution | None:
    """``torch-2.4.1+cu121.dist-info``, ``cupy-12.1.0-py3.9-linux-x86_64.egg-info``."""
    stem = file.rpartition(".")[0]
    if file.endswith(".egg-info"):
        stem = stem.partition("-py")[0]  # in such a name every other "-" is written "_"
    name, _, version = stem.rpartition("-")
    # "~orch": what pip left behind of a package that it could not remove.
    if not name or name.startswith("~") or not version[:1].isdigit():
        return None
    return Distribution(normalise(name), version, folder, f"{folder}/{file}")
