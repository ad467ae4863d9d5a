"""Containers: of which kind, and what in them speaks of an NVIDIA GPU outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import names
from .model import Absent, Entry, Fact, Known, Unknown, entry
from .pci import find_gpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

WRITES = (names.CONTAINER_KIND, names.CONTAINER_NVIDIA)

_CGROUP, _MOUNTS, _MODULE = "/proc/1/cgroup", "/proc/self/mountinfo", "/proc/driver/nvidia"
_MOUNTS_LIMIT = 4 << 20

#: What these run times write into the variable `container`.
_TOLD = ("docker", "podman", "lxc", "systemd-nspawn", "oci")
#: Words in the path of the first process's cgroup.
_CGROUP_WORDS = (
    ("kubepods", "kubernetes"),
    ("libpod", "podman"),
    ("docker", "docker"),
    ("containerd", "containerd"),
    ("lxc", "lxc"),
    ("machine.slice/machine-", "systemd-nspawn"),
)


def collect(machine: Machine) -> Iterator[Entry]:
    """The kind of container, and the traces of NVIDIA in it."""
    yield entry(names.CONTAINER_KIND, _kind(machine))
    yield entry(names.CONTAINER_NVIDIA, _traces(machine))


def _kind(machine: Machine) -> Fact[str]:
    if machine.system != "Linux":
        return Unknown(f"containers are recognised on Linux only, not on {machine.system}")
    if machine.environ.get("KUBERNETES_SERVICE_HOST"):
        return Known("kubernetes", "environment variable KUBERNETES_SERVICE_HOST")
    for path, kind in (("/run/.containerenv", "podman"), ("/.dockerenv", "docker")):
        if machine.is_there(path):
            return Known(kind, path)
    told = machine.environ.get("container")
    if told in _TOLD:
        return Known(told, "environment variable container")
    return _by_cgroup(machine)


def _by_cgroup(machine: Machine) -> Fact[str]:
    cgroup = machine.read_text(_CGROUP)
    if not isinstance(cgroup, Known):
        return Unknown(cgroup.reason if isinstance(cgroup, Unknown) else f"no {_CGROUP}")
    for word, kind in _CGROUP_WORDS:
        if word in cgroup.value:
            return Known(kind, cgroup.source)
    return Absent(f"/run/.containerenv, /.dockerenv, {_CGROUP}")


def _traces(machine: Machine) -> Fact[tuple[str, ...]]:
    """What was seen; an empty tuple where somebody looked and saw nothing."""
    if machine.system != "Linux":
        return Unknown(f"looked for on Linux only, not on {machine.system}")
    traces = (
        *((_MODULE,) if machine.is_there(_MODULE) else ()),
        *_variables(machine),
        *_devices(machine),
        *_mounts(machine),
    )
    return Known(traces, f"environment, sysfs, {_MODULE}, {_MOUNTS}")


def _variables(machine: Machine) -> Iterator[str]:
    for name in ("NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_REQUIRE_CUDA"):
        if name in machine.environ:
            yield f"{name}={machine.environ[name]}"


def _devices(machine: Machine) -> Iterator[str]:
    gpus = find_gpus(machine)
    for gpu in gpus.value if isinstance(gpus, Known) else ():
        if gpu.vendor == "nvidia":
            yield f"PCI device {gpu.address}"


def _mounts(machine: Machine) -> Iterator[str]:
    """Driver libraries that a container run time mounted one by one."""
    mounts = machine.read_text(_MOUNTS, limit=_MOUNTS_LIMIT)
    for line in mounts.value.splitlines() if isinstance(mounts, Known) else ():
        # proc(5): ids, device and root come before the mount point.
        target = "".join(line.split(" ")[4:5])
        if target.rpartition("/")[2].startswith(("libcuda.so", "libnvidia-ml.so")):
            yield f"mounted {target}"
