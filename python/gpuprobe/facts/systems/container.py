"""Containers: of which kind, and what in them speaks of an NVIDIA GPU outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..pci import find_gpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.CONTAINER_KIND, names.CONTAINER_NVIDIA)

MOUNTS, MOUNTS_LIMIT = "/proc/self/mountinfo", 4 << 20
_CGROUP, _MODULE = "/proc/1/cgroup", "/proc/driver/nvidia"

#: WSL's own folder. A distribution that was imported from an image has Docker's mark for good.
_WSL_INTEROP = "/run/WSL"
#: Files and variables of one run time each.
_FILES = (
    ("/run/.containerenv", "podman"),
    ("/.dockerenv", "docker"),
    ("/.singularity.d", "singularity"),
)
_VARIABLES = (
    ("KUBERNETES_SERVICE_HOST", "kubernetes"),
    ("APPTAINER_CONTAINER", "apptainer"),
    ("SINGULARITY_CONTAINER", "singularity"),
)
#: Where systemd, or the run time for it, writes the kind as a word; so does the variable.
_TOLD_IN = ("/run/systemd/container", "/run/host/container-manager")
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
    yield entry(names.CONTAINER_KIND, kind(machine))
    yield entry(names.CONTAINER_NVIDIA, _traces(machine))


def kind(machine: Machine) -> Fact[str]:
    """The run time, by what it leaves in the container. `Absent`: there is none."""
    if machine.system != "Linux":
        return Unknown(f"containers are recognised on Linux only, not on {machine.system}")
    for variable, found in _VARIABLES:
        if machine.environ.get(variable):
            return Known(found, f"environment variable {variable}")
    for path, found in _FILES:
        if machine.is_there(path) and not (found == "docker" and machine.is_there(_WSL_INTEROP)):
            return Known(found, path)
    told = machine.environ.get("container", "")
    if told in _TOLD:
        return Known(told, "environment variable container")
    for path in _TOLD_IN:
        word = machine.read_text(path, limit=4096)
        if isinstance(word, Known) and word.value.strip() in _TOLD:
            return Known(word.value.strip(), word.source)
    return _by_cgroup(machine)


def _by_cgroup(machine: Machine) -> Fact[str]:
    cgroup = machine.read_text(_CGROUP)
    if not isinstance(cgroup, Known):
        return Unknown(cgroup.reason if isinstance(cgroup, Unknown) else f"no {_CGROUP}")
    for word, found in _CGROUP_WORDS:
        if word in cgroup.value:
            return Known(found, cgroup.source)
    if _is_enroot(machine):
        return Known("enroot", MOUNTS)
    return Absent(f"/run/.containerenv, /.dockerenv, {_CGROUP}")


def _is_enroot(machine: Machine) -> bool:
    """Enroot leaves no mark inside; its root is a folder of that name on the host."""
    mounts = machine.read_text(MOUNTS, limit=MOUNTS_LIMIT)
    lines = mounts.value.splitlines() if isinstance(mounts, Known) else ()
    rows = (line.split(" ") for line in lines)
    return any(row[4:5] == ["/"] and "/enroot/" in row[3] for row in rows)


def _traces(machine: Machine) -> Fact[tuple[str, ...]]:
    """What was seen; an empty tuple where somebody looked and saw nothing."""
    if machine.system != "Linux":
        return Unknown(f"looked for on Linux only, not on {machine.system}")
    module, mounts = machine.size(_MODULE), machine.read_text(MOUNTS, limit=MOUNTS_LIMIT)
    traces = (
        *((_MODULE,) if isinstance(module, Known) else ()),
        *_set_variables(machine),
        *_devices(machine),
        *_mounted(mounts.value if isinstance(mounts, Known) else ""),
    )
    unread = [look for look in (module, mounts) if isinstance(look, Unknown)]
    if unread and not traces:
        return unread[0]
    return Known(traces, f"environment, sysfs, {_MODULE}, {MOUNTS}")


def _set_variables(machine: Machine) -> Iterator[str]:
    for name in ("NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "NVIDIA_REQUIRE_CUDA"):
        if name in machine.environ:
            yield f"{name}={machine.environ[name]}"


def _devices(machine: Machine) -> Iterator[str]:
    gpus = find_gpus(machine)
    for gpu in gpus.value if isinstance(gpus, Known) else ():
        if gpu.vendor == "nvidia":
            yield f"PCI device {gpu.address}"


def _mounted(mounts: str) -> Iterator[str]:
    """Driver libraries that a container run time mounted one by one."""
    for line in mounts.splitlines():
        # proc(5): ids, device and root come before the mount point.
        target = "".join(line.split(" ")[4:5])
        if target.rpartition("/")[2].startswith(("libcuda.so", "libnvidia-ml.so")):
            yield f"mounted {target}"
