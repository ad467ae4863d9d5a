"""The GPUs that CUDA gives to this process, by its own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import process
from ..facts.model import Missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .groups import MigInstance
    from .model import Device


def count() -> int:
    """How many CUDA gives to this process; 0 where it does not start.

    Where somebody has started CUDA in this process, CUDA says it: it keeps what it has found, even
    if CUDA_VISIBLE_DEVICES is changed. Else a child process is asked, and nothing is started here.

    Raises:
        Missing: Nobody could look.
    """
    from ..examine import device_count

    uuids = _uuids()
    return device_count() if uuids is None else len(uuids)


def numbered(ordinal: int) -> tuple[Device, MigInstance | None]:
    """The GPU with this number of CUDA, and its part where CUDA takes that for a GPU.

    Raises:
        Missing: It could not be told from the others.
    """
    from . import devices

    uuids = _uuids()
    for gpu, part in _all(devices()):
        one = gpu if part is None else part
        is_it = one.ordinal == ordinal if uuids is None else one.uuid == uuids[ordinal]
        if is_it:
            return gpu, part
    raise Missing(f"device {ordinal}", "no GPU is known to have this number", "gpuprobe devices")


def _all(gpus: tuple[Device, ...]) -> Iterator[tuple[Device, MigInstance | None]]:
    for gpu in gpus:
        yield gpu, None
        yield from ((gpu, part) for part in gpu.mig.instances)


def _uuids() -> tuple[str | None, ...] | None:
    """What CUDA has in this process; None: it was not started."""
    found = process.look()
    return found.uuids if found is not None and found.state == "started" else None
