"""CUDA in this very process: started or not, and with which devices. It is never started here.

CUDA reads CUDA_VISIBLE_DEVICES once, when a process starts it. Whoever sets the variable later
changes what its children see, and nothing in the process itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import names
from .model import Absent, Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .._core import CudaState
    from .machine import Machine

_VARIABLE = "CUDA_VISIBLE_DEVICES"
#: The environment that a process was given; later changes do not show there.
_ENVIRON = "/proc/self/environ"
_MOST_BYTES = 8 << 20
#: Opened by CUDA when it starts, by NVML never: a fork inherits it, open.
_UVM = "/dev/nvidia-uvm"
_NO_CORE = "gpuprobe was installed without its C core"

#: In which process CUDA was last seen to be started; a fork inherits the number.
_started_in: int | None = None


def collect(machine: Machine) -> Iterator[Entry]:
    """State and devices now, and the variable as it was when the program began."""
    found = look()
    yield entry(names.PROCESS_STATE, state(machine, found))
    yield entry(names.PROCESS_DEVICES, devices(found))
    yield entry(names.VISIBLE_AT_START, at_start(machine))


def look() -> CudaState | None:
    """What the C core says of CUDA in this process; None where gpuprobe has no core."""
    try:
        from gpuprobe import _core
    except ImportError:
        return None
    return _core.cuda_state()


def state(machine: Machine, found: CudaState | None) -> Fact[str]:
    """One of: not loaded, not started, started, refuses, lost in a fork."""
    global _started_in  # noqa: PLW0603  (what a fork has to inherit)
    if found is None:
        return Unknown(_NO_CORE)
    if found.state == "started":
        _started_in = os.getpid()
    elif found.state == "not started" and _is_lost(machine):
        return Known("lost in a fork", "a parent process had started CUDA")
    return Known(found.state, "cuDeviceGetCount in this process")


def _is_lost(machine: Machine) -> bool:
    """Whether a parent process had started CUDA, which no fork of it can use or start again."""
    if _started_in is not None:
        return _started_in != os.getpid()
    descriptors = machine.list_dir("/proc/self/fd")
    if not isinstance(descriptors, Known):
        return False
    targets = (machine.link_target(f"/proc/self/fd/{each}") for each in descriptors.value)
    return any(isinstance(target, Known) and target.value == _UVM for target in targets)


def devices(found: CudaState | None) -> Fact[tuple[str, ...]]:
    """The UUIDs of the devices that CUDA has in this process, its number 0 first."""
    if found is None:
        return Unknown(_NO_CORE)
    if found.state != "started":
        return Absent(f"CUDA is {found.state} in this process")
    return Known(tuple(uuid or "unknown" for uuid in found.uuids), "cuDeviceGetUuid_v2")


def at_start(machine: Machine) -> Fact[str]:
    """The variable as the process was given it when its program began."""
    block = machine.read_bytes(_ENVIRON, _MOST_BYTES)
    if not isinstance(block, Known):
        return block if isinstance(block, Unknown) else Unknown(f"there is no {_ENVIRON}")
    lines = [line for line in block.value.split(b"\0") if line]
    if block.value and not (lines and all(b"=" in line for line in lines)):
        return Unknown(f"{_ENVIRON} was overwritten, as by a program that sets its own title")
    for line in lines:
        name, _, value = line.partition(b"=")
        if name == _VARIABLE.encode():
            return Known(os.fsdecode(value), _ENVIRON)
    return Absent(_ENVIRON)


def in_force() -> str | None:
    """The variable as C libraries read it, CUDA among them; without our C core, as Python does.

    os.environ does not see what C code has set.
    """
    try:
        from gpuprobe import _core
    except ImportError:
        return os.environ.get(_VARIABLE)
    return _core.getenv(_VARIABLE)
