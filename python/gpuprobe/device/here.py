"""The GPUs that CUDA gives to this process, by its own numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..facts import process
from ..facts.model import Missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .groups import MigInstance
    from .model import Device

#: What an instance has of its own, and what is known of the whole GPU alone.
_ITS_OWN = ("ordinal", "name", "uuid", "memory_bytes")
_OF_THE_GPU = ("sms", "memory_free_bytes", "published")


def count() -> int:
    """How many CUDA gives to this process; 0 where it does not start.

    Where somebody has started CUDA in this process, CUDA says it: it keeps what it has found, even
    if CUDA_VISIBLE_DEVICES is changed. Else a child process is asked, and nothing is started here.

    Raises:
        Missing: Nobody could look.
    """
    from ..examine import device_count

    uuids = uuids_here()
    return device_count() if uuids is None else len(uuids)


def numbered(ordinal: int) -> tuple[Device, MigInstance | None]:
    """The GPU with this number of CUDA, and its part where CUDA takes that for a GPU.

    Raises:
        Missing: It could not be told from the others.
    """
    from . import devices

    uuids = uuids_here()
    uuid = None if uuids is None else uuids[ordinal]
    for gpu, part in _all(devices()):
        one = gpu if part is None else part
        if one.ordinal == ordinal if uuid is None else one.uuid == uuid:
            return gpu, part
    raise Missing(f"device {ordinal}", "no GPU is known to have this number", "gpuprobe devices")


def ordinal_here(uuid: str | None, told: int | None) -> int | None:
    """CUDA's number of a GPU in this process; None: CUDA does not show it.

    `told` is the number that it had when somebody looked; CUDA_VISIBLE_DEVICES may have been
    changed since, before CUDA was started here, or after.
    """
    if uuid is None:
        return told
    uuids = uuids_here()
    if uuids is None:
        from . import devices

        every = (gpu if part is None else part for gpu, part in _all(devices()))
        return next((each.ordinal for each in every if each.uuid == uuid), told)
    if uuid in uuids:
        return uuids.index(uuid)
    return told if None in uuids else None


def as_cuda_lists(gpus: Iterable[Device]) -> tuple[Device, ...]:
    """Those that CUDA shows, its number 0 first; a MIG instance in the place of its GPU."""
    every = (gpu if part is None else _alone(gpu, part) for gpu, part in _all(gpus))
    shown = [each for each in every if each.ordinal is not None]
    return tuple(sorted(shown, key=lambda device: device.ordinal or 0))


def _alone(gpu: Device, part: MigInstance) -> Device:
    """The instance as a device: whatever is not its own is its GPU's, or not known."""
    unknown = {name: why for name, why in gpu.unknown.items() if name not in _ITS_OWN}
    unknown |= {name: part.unknown[name] for name in _ITS_OWN if name in part.unknown}
    unknown |= dict.fromkeys(_OF_THE_GPU, "it is told of the whole GPU alone")
    return replace(
        gpu,
        ordinal=part.ordinal,
        name=part.name,
        uuid=part.uuid,
        sms=None,
        memory_bytes=part.memory_bytes,
        memory_free_bytes=None,
        published=None,
        unknown=unknown,
    )


def _all(gpus: Iterable[Device]) -> Iterator[tuple[Device, MigInstance | None]]:
    for gpu in gpus:
        yield gpu, None
        yield from ((gpu, part) for part in gpu.mig.instances)


def uuids_here() -> tuple[str | None, ...] | None:
    """The UUIDs of what CUDA has in this process, its number 0 first; None: it was not started.

    Where a driver does not tell a UUID, it is None.
    """
    found = process.look()
    return found.uuids if found is not None and found.state == "started" else None
