"""What a program can be given: whole GPUs, and the instances of those in MIG mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..device import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..device import Device
    from ..device.groups import MigInstance

#: Why CUDA's number is unknown where CUDA was not asked, and nothing follows from it.
_NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One device of CUDA.

    Attributes:
        gpu: The number of the GPU in gpuprobe's facts.
        instance: The place of the MIG instance on it; None: the whole GPU.
        label: ``GPU 0``, ``GPU 0, MIG 1g.5gb``.
        uuid: By which it is given to a program; None where it is unusable.
        free_bytes: Free memory; None: not known, `free_unknown` says why.
        used_bytes: Memory in use of the whole GPU.
        busy: Who holds memory on it; empty: nobody, or `busy_unknown` says why nobody can tell.
        unusable: Why no program can use it; empty: nothing speaks against it.
    """

    gpu: int
    instance: int | None
    label: str
    uuid: str | None = None
    free_bytes: int | None = None
    used_bytes: int | None = None
    free_unknown: str = ""
    busy: str = ""
    busy_unknown: str = ""
    unusable: str = ""


def candidates(devices: Sequence[Device]) -> tuple[Candidate, ...]:
    """All of them in NVML's order."""
    return tuple(found for device in devices for found in _of(device))


def _of(device: Device) -> Iterator[Candidate]:
    if device.failure is None and device.mig.enabled and device.mig.instances:
        for place, instance in enumerate(device.mig.instances):
            yield _part(device, place, instance)
        return
    yield Candidate(
        device.index,
        None,
        f"GPU {device.index}",
        uuid=device.uuid,
        free_bytes=device.memory_free_bytes,
        used_bytes=device.memory_used_bytes,
        free_unknown=device.unknown.get("memory_free_bytes", ""),
        busy="; ".join(device.use.processes or ()),
        busy_unknown=device.unknown.get("use.processes", ""),
        unusable=_unusable(device),
    )


def _part(device: Device, place: int, instance: MigInstance) -> Candidate:
    """An instance. NVML tells memory and processes of the whole GPU only.

    So it is known to be empty where nobody holds memory on the GPU, and unknown otherwise.
    """
    profile = (instance.name or "").rpartition("MIG ")[2] or str(place)
    unknown = device.unknown.get("use.processes", "")
    if device.use.processes:
        holders = "; ".join(device.use.processes)
        unknown = f"its GPU is in use, and NVML does not tell which instance: {holders}"
    return Candidate(
        device.index,
        place,
        f"GPU {device.index}, MIG {profile}",
        uuid=instance.uuid,
        free_bytes=None if unknown else instance.memory_bytes,
        used_bytes=device.memory_used_bytes,
        free_unknown=unknown or instance.unknown.get("memory_bytes", ""),
        busy_unknown=unknown,
        unusable=_unlisted(instance.uuid, instance.ordinal, instance.unknown.get("ordinal", "")),
    )


def _unusable(device: Device) -> str:
    if device.failure is not None:
        return f"it cannot be used: {device.failure}"
    if device.compute_mode == "prohibited":
        return "its compute mode is prohibited"
    if device.mig.enabled:
        return "it is in MIG mode and has no instance"
    return _unlisted(device.uuid, device.ordinal, device.unknown.get("ordinal", ""))


def _unlisted(uuid: str | None, ordinal: int | None, why: str) -> str:
    if uuid is None:
        return "its UUID is not known"
    if ordinal is not None or why.startswith(_NOT_ASKED):
        return ""
    return (
        "CUDA does not list it" if why == NONE else f"CUDA does not say whether it lists it: {why}"
    )
