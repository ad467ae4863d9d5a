"""Inside WSL: what Windows provides of its driver, and what hides it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..host import machine_name
from ..libraries import ldcache
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from . import container, wsl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.WSL_LIBRARIES, names.WSL_LINUX_DRIVER)

_FOLDER, _WINDOWS = "/usr/lib/wsl/lib", "/usr/lib/wsl/"
_LIBCUDA = "libcuda.so.1"
_MAX_FOLDERS = 200


def collect(machine: Machine) -> Iterator[Entry]:
    """The files that Windows put there, and a Linux driver's libcuda that is found before them."""
    version = wsl.version(machine)
    inside = container.kind(machine)
    if isinstance(version, Known) and isinstance(inside, Known):
        version = Absent(f"{inside.source}: the run time of the container places the libraries")
    if not isinstance(version, Known):
        yield entry(names.WSL_LIBRARIES, version)
        yield entry(names.WSL_LINUX_DRIVER, version)
        return
    yield entry(names.WSL_LIBRARIES, _provided(machine))
    yield entry(names.WSL_LINUX_DRIVER, _before_windows(machine))


def _provided(machine: Machine) -> Fact[tuple[str, ...]]:
    listed = machine.list_dir(_FOLDER)
    return Known((), listed.source) if isinstance(listed, Absent) else listed


def _before_windows(machine: Machine) -> Fact[str]:
    """The libcuda that a program gets, where it is not the one of Windows.

    The probe takes Windows's by its path; other programs ask the loader.
    """
    paths = _paths(machine)
    if isinstance(paths, Unknown):
        return paths
    for path in paths:
        real = machine.real_path(path)
        if isinstance(real, Unknown):
            return real
        if isinstance(real, Known) and "/stubs/" not in path:
            windows = path.startswith(_WINDOWS) or real.value.startswith(_WINDOWS)
            return Absent(path) if windows else Known(path, real.source)
    return Absent("LD_LIBRARY_PATH, ld.so.cache")


def _paths(machine: Machine) -> tuple[str, ...] | Unknown:
    """Where the loader looks, in its order."""
    folders = machine.environ.get("LD_LIBRARY_PATH", "").replace(";", ":").split(":")
    named = tuple(f"{folder}/{_LIBCUDA}" for folder in folders[:_MAX_FOLDERS] if folder)
    cache = machine.read_bytes(ldcache.PATH, limit=ldcache.LIMIT)
    if isinstance(cache, Absent):
        return named
    if isinstance(cache, Unknown):
        return cache
    try:
        return (*named, *ldcache.lookup(cache.value, _LIBCUDA, machine_name(machine)))
    except ldcache.CacheError as error:
        return Unknown(f"{cache.source}: {error}")
