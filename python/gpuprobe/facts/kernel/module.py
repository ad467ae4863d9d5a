"""The kernel modules: NVIDIA's, and nouveau in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.MODULE_VERSION, names.MODULE_LOADED, names.MODULE_KIND, names.MODULE_NOUVEAU)

VERSION = "/proc/driver/nvidia/version"
_SYSFS_VERSION = "/sys/module/nvidia/version"
_MODULES = "/proc/modules"
_MODULES_LIMIT = 1 << 20


def collect(machine: Machine) -> Iterator[Entry]:
    """Version and kind of NVIDIA's module, and which of the two is loaded."""
    yield entry(names.MODULE_VERSION, version(machine))
    yield entry(names.MODULE_LOADED, is_loaded(machine))
    yield entry(names.MODULE_KIND, _kind(machine))
    yield entry(names.MODULE_NOUVEAU, _nouveau(machine))


def version(machine: Machine) -> Fact[Version]:
    """The version of the module that is loaded. `Absent`: /proc shows that none is."""
    if machine.system != "Linux":
        return Unknown(f"kernel modules are read on Linux only, not on {machine.system}")
    stated = machine.read_text(VERSION)
    if isinstance(stated, Known):
        return _parse(stated)
    short = machine.read_text(_SYSFS_VERSION)
    if isinstance(short, Known):
        found = Version.parse(short.value)
        return Known(found, short.source) if found else Unknown(f"{short.source}: no version")
    if isinstance(stated, Unknown):
        return stated
    loaded = _loaded(machine, "nvidia")
    if isinstance(loaded, Unknown):
        return loaded
    if isinstance(loaded, Known) and loaded.value:
        return Unknown(f"{_MODULES} lists nvidia, but {VERSION} is not there")
    return stated


def _parse(stated: Known[str]) -> Fact[Version]:
    """Take the version out of either form of the first line.

    NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023
    NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build  (…)
    """
    for line in stated.value.splitlines():
        if not line.startswith("NVRM version:"):
            continue
        for word in line.split():
            found = Version.parse(word)
            if found is not None and len(found.parts) > 1:
                return Known(found, stated.source)
    return Unknown(f"{stated.source}: no version in its text")


def is_loaded(machine: Machine) -> Fact[bool]:
    """Whether NVIDIA's module is loaded, whatever it tells of itself."""
    if machine.system != "Linux":
        return Unknown(f"kernel modules are read on Linux only, not on {machine.system}")
    if machine.is_there(VERSION):
        return Known(value=True, source=VERSION)
    return _loaded(machine, "nvidia")


def _kind(machine: Machine) -> Fact[str]:
    """The module that is open or the proprietary one, by its own words."""
    if machine.system != "Linux":
        return Unknown(f"kernel modules are read on Linux only, not on {machine.system}")
    stated = machine.read_text(VERSION)
    if not isinstance(stated, Known):
        return stated
    if "Kernel Module" not in stated.value:
        return Unknown(f"{stated.source}: no kernel module in its text")
    return Known("open" if "Open Kernel Module" in stated.value else "proprietary", stated.source)


def _nouveau(machine: Machine) -> Fact[bool]:
    if machine.system != "Linux":
        return Absent(f"{machine.system} has no nouveau")
    return _loaded(machine, "nouveau")


def _loaded(machine: Machine, name: str) -> Fact[bool]:
    """Whether a module is loaded. Without /proc nobody can say."""
    if machine.is_there(f"/sys/module/{name}"):
        return Known(value=True, source=f"/sys/module/{name}")
    modules = machine.read_text(_MODULES, limit=_MODULES_LIMIT)
    if isinstance(modules, Absent):
        # A kernel without loadable modules has no such file; without /proc it tells nothing.
        if machine.is_there("/proc/version"):
            return Known(value=False, source="/proc (no modules)")
        return Unknown(f"{modules.source} is not there")
    if isinstance(modules, Unknown):
        return modules
    names_loaded = {line.partition(" ")[0] for line in modules.value.splitlines()}
    return Known(name in names_loaded, modules.source)
