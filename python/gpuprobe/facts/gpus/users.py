"""Who holds the memory of each GPU, by NVML."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .. import names
from ..model import Known, Unknown, entry
from ..systems.container import kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine
    from ..model import Entry, Fact
    from ..nvml_details import Details, Process
    from .views import Gpu

_MIB = 1 << 20
#: Our child that computes on the GPU while NVML lists who does.
PROBES = ("gpuprobe-probe", "gpuprobe-probe.exe")


def collect(machine: Machine, number: int, gpu: Gpu, details: Details) -> Iterator[Entry]:
    """The processes, and the memory of all."""
    processes = _listed(machine, gpu, details)
    if not isinstance(processes, Known):
        yield entry(names.GPU_PROCESSES(number), processes)
        yield entry(names.GPU_PROCESS_BYTES(number), processes)
        return
    contained = isinstance(kind(machine), Known)
    told = tuple(_told(each, contained=contained) for each in processes.value)
    yield entry(names.GPU_PROCESSES(number), Known(told, processes.source))
    yield entry(names.GPU_PROCESS_BYTES(number), _sum(processes))


def _listed(machine: Machine, gpu: Gpu, details: Details) -> Fact[tuple[Process, ...]]:
    """An empty list says "nobody" only where NVML sees all processes of the machine."""
    processes = gpu.told("processes", details.processes)
    if not isinstance(processes, Known):
        return processes
    container = kind(machine)
    if not processes.value and isinstance(container, Known):
        return Unknown(f"NVML may hide other processes in a container ({container.value})")
    others = (each for each in processes.value if _program(each.name) not in PROBES)
    return Known(tuple(others), processes.source)


def _told(process: Process, *, contained: bool) -> str:
    """NVML gives the host's numbers, by which a container knows other processes, or none."""
    program = None if contained else _program(process.name)
    own = ", this one" if process.pid == os.getpid() else ""
    who = f"process {process.pid}" + (" of the host" if contained else own)
    if program:
        who = f"{program} ({who})"
    if process.used_bytes is None:
        return f"{who}: memory not told"
    return f"{who}: {process.used_bytes // _MIB} MiB"


def _program(told: str | None) -> str | None:
    """The program's name without its folder and arguments, which are nobody's business.

    Somebody else has chosen it: it must not steer the terminal of who prints it.
    """
    if not told:
        return None
    windows = "\\" in told
    name = told.rpartition("\\")[2] if windows else told.partition(" ")[0].rpartition("/")[2]
    return "".join(char if char.isprintable() else "?" for char in name)


def _sum(processes: Known[tuple[Process, ...]]) -> Fact[int]:
    held = [each.used_bytes for each in processes.value]
    known = [each for each in held if each is not None]
    if len(known) < len(held):
        return Unknown("NVML does not tell the memory of each process")
    return Known(sum(known), processes.source)
