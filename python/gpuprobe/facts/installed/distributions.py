"""Installed Python packages, read off the names of their metadata folders.

`importlib.metadata` does the same and more; importing it costs two starts of an interpreter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..model import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine


_METADATA_LIMIT = 2 << 20


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
    On Fedora a venv has two names of one folder there, as its lib64 is a link to lib.
    """
    folders: dict[str, tuple[str, ...]] = {}
    seen = set()
    for path in machine.search_path:
        names = machine.list_dir(path) if path else None  # "" is the folder we happen to be in
        real = machine.real_path(path) if isinstance(names, Known) else None
        if isinstance(names, Known) and isinstance(real, Known) and real.value not in seen:
            seen.add(real.value)
            folders[names.source] = names.value
    found = (each for folder, names in folders.items() for each in _parsed(machine, folder, names))
    return tuple(folders), tuple(found)


def installed_in(machine: Machine, folder: str) -> tuple[Distribution, ...]:
    """What is installed in one folder of packages, which may be another Python's."""
    names = machine.list_dir(folder)
    return tuple(_parsed(machine, folder, names.value)) if isinstance(names, Known) else ()


def _parsed(machine: Machine, folder: str, names: tuple[str, ...]) -> Iterator[Distribution]:
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            found = _parse(machine, folder, name)
            if found is not None:
                yield found


def _parse(machine: Machine, folder: str, file: str) -> Distribution | None:
    """``torch-2.4.1+cu121.dist-info``, ``cupy-12.1.0-py3.9-linux-x86_64.egg-info``."""
    stem = file.rpartition(".")[0]
    if file.endswith(".egg-info"):
        stem = stem.partition("-py")[0]  # in such a name every other "-" is written "_"
        if "-" not in stem:
            stem = f"{stem}-{_version(machine, f'{folder}/{file}')}"
    name, _, version = stem.rpartition("-")
    # "~orch": what pip left behind of a package that it could not remove.
    if not name or name.startswith("~") or not version[:1].isdigit():
        return None
    return Distribution(normalise(name), version, folder, f"{folder}/{file}")


def _version(machine: Machine, info: str) -> str:
    """What `setup.py develop` left among the sources: there the version is not in the name."""
    text = machine.read_text(f"{info}/PKG-INFO", limit=_METADATA_LIMIT)
    head = text.value.partition("\n\n")[0] if isinstance(text, Known) else ""
    found = (line for line in head.splitlines() if line.startswith("Version:"))
    return next(found, "").partition(":")[2].strip()
