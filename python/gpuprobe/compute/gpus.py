"""The GPUs that CUDA shows to this process, and which of them are meant. Starts no CUDA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..device import Device, devices_in
from ..facts import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..facts.model import Facts


@dataclass(frozen=True, slots=True)
class Gpu:
    """One of them, or a MIG instance in its place. None: not known.

    Attributes:
        device: CUDA's number in this process.
        name: As the driver prints it.
        pci: ``0000:41:00.0``.
        uuid: ``GPU-…``, ``MIG-…``.
    """

    device: int
    name: str | None = None
    pci: str | None = None
    uuid: str | None = None

    def __str__(self) -> str:
        known = [part for part in (self.name, self.pci) if part]
        return f"CUDA device {self.device}" + (f": {', '.join(known)}" if known else "")

    def is_meant_by(self, wanted: object) -> bool:
        """Whether its number, its UUID or a `gpuprobe.Device` names it."""
        if isinstance(wanted, Device):  # whose number may be one of before
            if wanted.uuid is not None and self.uuid is not None:
                return wanted.uuid == self.uuid
            return wanted.ordinal == self.device
        if isinstance(wanted, str):
            return wanted == self.uuid
        return not isinstance(wanted, bool) and wanted == self.device


def shown(facts: Facts) -> tuple[Gpu, ...]:
    """All of them, in CUDA's order; none where CUDA does not start."""
    if facts.known(names.CUDA_OUTCOME) != "ok":
        return ()
    known = {each.device: each for each in _numbered(devices_in(facts))}
    count = facts.known(names.CUDA_COUNT) or 0
    return tuple(known.get(number, Gpu(number)) for number in range(count))


def _numbered(gpus: Iterable[Device]) -> Iterator[Gpu]:
    for gpu in gpus:
        if gpu.ordinal is not None:
            yield Gpu(gpu.ordinal, gpu.name, gpu.pci, gpu.uuid)
        for part in gpu.mig.instances:
            if part.ordinal is not None:
                yield Gpu(part.ordinal, part.name, gpu.pci, part.uuid)


def chosen(facts: Facts, device: object) -> tuple[Gpu, ...]:
    """Those that `device` names, which is one or several in a list or tuple; all for None.

    Raises:
        ValueError: CUDA shows others, or it names no GPU.
    """
    gpus = shown(facts)
    if device is None or not gpus:
        return gpus
    wanted = device if isinstance(device, list | tuple) else (device,)
    if not wanted:
        raise ValueError(f"device is {device!r}; None means every GPU")
    return tuple(dict.fromkeys(_named(gpus, each) for each in wanted))


def _named(gpus: tuple[Gpu, ...], wanted: object) -> Gpu:
    for gpu in gpus:
        if gpu.is_meant_by(wanted):
            return gpu
    there = "; ".join(map(str, gpus))
    raise ValueError(
        f"device is {wanted!r}, and CUDA shows to this process {there}. Name one by its number or "
        "its UUID"
    )
