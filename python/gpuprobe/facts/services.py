"""The daemons beside the driver: Fabric Manager, persistence, Multi-Process Service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import names
from .model import Absent, Entry, Fact, Known, Unknown, entry
from .systems.container import kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

WRITES = (names.FABRIC_STATE, names.PERSISTENCED_STATE, names.MPS_STATE)

#: The file in which a daemon writes its number, and how the kernel cuts its name.
_FABRIC = ("/run/nvidia-fabricmanager/nv-fabricmanager.pid", "nv-fabricmanager")
_PERSISTENCED = ("/run/nvidia-persistenced/nvidia-persistenced.pid", "nvidia-persistenced")
_MPS_FOLDER, _MPS_PROGRAM = "/tmp/nvidia-mps", "nvidia-cuda-mps-control"  # noqa: S108
_MPS_FILE = f"{_MPS_PROGRAM}.pid"
_COMM_LENGTH = 15


def collect(machine: Machine) -> Iterator[Entry]:
    """Whether each runs, by the file that it leaves under /run, and by the process itself."""
    yield entry(names.FABRIC_STATE, _of_host(machine, *_FABRIC))
    yield entry(names.PERSISTENCED_STATE, _of_host(machine, *_PERSISTENCED))
    folder = machine.environ.get("CUDA_MPS_PIPE_DIRECTORY") or _MPS_FOLDER
    yield entry(names.MPS_STATE, _state(machine, f"{folder}/{_MPS_FILE}", _MPS_PROGRAM))


def _of_host(machine: Machine, path: str, program: str) -> Fact[str]:
    """A service of systemd; a container does not see its host's."""
    if not machine.is_there("/run/systemd/system"):
        return Unknown("services of systemd are looked for, and systemd does not run here")
    return _state(machine, path, program)


def _state(machine: Machine, path: str, program: str) -> Fact[str]:
    """`running`, or `not running`: no number was left, or the process is gone."""
    number = machine.read_text(path, limit=64)
    if isinstance(number, Absent):
        return Known("not running", f"no {number.source}")
    if isinstance(number, Unknown):
        return number
    process = number.value.strip()
    if not (process.isascii() and process.isdigit()):
        return Unknown(f"{number.source}: no number of a process")
    if not machine.is_there("/proc/1"):  # mounted with hidepid=2 it shows our processes alone
        return Unknown("/proc is not there, or hides the processes of others")
    name = machine.read_text(f"/proc/{process}/comm", limit=4096)
    if isinstance(name, Unknown):
        return name
    runs = isinstance(name, Known) and name.value.strip() == program[:_COMM_LENGTH]
    if not runs and isinstance(kind(machine), Known):
        return Unknown(f"{number.source}: its number may be the host's, which a container hides")
    return Known("running" if runs else "not running", number.source)
