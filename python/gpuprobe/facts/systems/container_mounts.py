"""What a run time gave this container: the driver's files, the right to open devices, memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from . import container

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.CONTAINER_MOUNTS, names.CONTAINER_DEVICES, names.CONTAINER_SHM)

_DRIVER_FILES = ("libcuda.so", "libnvidia-", "libnvcuvid.so", "nvidia-smi", "nvidia-persistenced")
_DEVICE_LIST, _DEVICES = "/sys/fs/cgroup/devices/devices.list", "/proc/devices"
#: The control file's numbers; nvidia-uvm gets its own when it is loaded.
_MAJOR, _CONTROL_MINOR, _UVM = "195", "255", "nvidia-uvm"
_KIB = 1024


def collect(machine: Machine) -> Iterator[Entry]:
    """Absent outside a container, for there is no run time that could have given anything."""
    kind = container.kind(machine)
    if not isinstance(kind, Known):
        for key in WRITES:
            yield entry(key, kind)
        return
    mounts = machine.read_text(container.MOUNTS, limit=container.MOUNTS_LIMIT)
    yield entry(names.CONTAINER_MOUNTS, _files(mounts))
    yield entry(names.CONTAINER_DEVICES, _devices_allowed(machine))
    yield entry(names.CONTAINER_SHM, _shared_memory(mounts))


def _files(mounts: Fact[str]) -> Fact[tuple[str, ...]]:
    """The driver's files and device files, by name; empty: none was mounted."""
    if not isinstance(mounts, Known):
        return Unknown(mounts.reason if isinstance(mounts, Unknown) else f"no {mounts.source}")
    found = []
    for line in mounts.value.splitlines():
        folder, _, file = "".join(line.split(" ")[4:5]).rpartition("/")
        if file.startswith(_DRIVER_FILES) or (folder == "/dev" and file.startswith("nvidia")):
            found.append(file)
    return Known(tuple(dict.fromkeys(found)), mounts.source)


def _devices_allowed(machine: Machine) -> Fact[bool]:
    """Whether the control group lets this container open NVIDIA's device files."""
    rules = machine.read_text(_DEVICE_LIST, limit=1 << 20)
    if isinstance(rules, Unknown):
        return rules
    if isinstance(rules, Absent):
        return Unknown("the rules of control groups of version 2 are a program, and not readable")
    wanted = [(_MAJOR, _CONTROL_MINOR), *((major, "*") for major in _uvm_major(machine))]
    lines = [line.split() for line in rules.value.splitlines()]
    allowed = all(any(_allows(line, *number) for line in lines) for number in wanted)
    return Known(allowed, rules.source)


def _uvm_major(machine: Machine) -> Iterator[str]:
    listed = machine.read_text(_DEVICES)
    for line in listed.value.splitlines() if isinstance(listed, Known) else ():
        number, _, name = line.strip().partition(" ")
        if name == _UVM:
            yield number


def _allows(rule: list[str], major: str, minor: str) -> bool:
    """``a *:* rwm``, ``c 195:* rw``, ``c 195:255 rw``."""
    match rule:
        case [kind, numbers, rights]:
            of, _, part = numbers.partition(":")
            fits = of in ("*", major) and (part in ("*", minor) or minor == "*")
            return kind in ("a", "c") and fits and "r" in rights and "w" in rights
    return False


def _shared_memory(mounts: Fact[str]) -> Fact[str]:
    """The size of /dev/shm: ``… /dev/shm rw,nosuid - tmpfs shm rw,size=65536k``."""
    if not isinstance(mounts, Known):
        return Unknown(mounts.reason if isinstance(mounts, Unknown) else f"no {mounts.source}")
    for line in mounts.value.splitlines():
        if "".join(line.split(" ")[4:5]) != "/dev/shm":  # noqa: S108
            continue
        size = line.rpartition("size=")[2].partition(",")[0].partition(" ")[0]
        if "size=" in line and size.endswith("k") and size[:-1].isdigit():
            kib = int(size[:-1])
            return Known(f"{kib // _KIB}M" if kib % _KIB == 0 else f"{kib}K", mounts.source)
        return Unknown(f"{mounts.source}: no size of /dev/shm")
    return Absent(mounts.source)
