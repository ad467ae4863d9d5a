"""What there is to choose from: the devices, CUDA's order, the caller's own list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..device import Device, devices_in
from ..facts import names
from ..facts.collect import Level, collect
from ..facts.machine import Machine
from ..knowledge.visible_devices import order
from ..knowledge.visible_devices.model import Gpu, Instance
from .candidates import Candidate, candidates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..facts.model import Facts
    from ..facts.version import Version
    from ..knowledge.visible_devices.model import Target

MASK, ORDER = "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"


@dataclass(frozen=True, slots=True)
class Sight:
    """One look at the machine, as CUDA would show it without CUDA_VISIBLE_DEVICES.

    Attributes:
        ordered: The GPUs in the order in which numbers count, or in NVML's where `counts` is
            False.
        counts: Whether that order is known to be CUDA's.
        mask: The caller's CUDA_VISIBLE_DEVICES; None: not set.
        driver: The driver's release; None: not known.
        candidates: What a program could be given, in NVML's order.
    """

    ordered: tuple[Device, ...]
    counts: bool
    mask: str | None
    driver: Version | None
    candidates: tuple[Candidate, ...]

    @property
    def gpus(self) -> tuple[Gpu, ...]:
        """The GPUs as the predictor of CUDA_VISIBLE_DEVICES takes them."""
        return tuple(_gpu(device) for device in self.ordered)

    def candidate(self, target: Target) -> Candidate:
        """The candidate that the predictor names."""
        index = self.ordered[target.gpu].index
        return next(
            each
            for each in self.candidates
            if each.gpu == index and each.instance in (target.instance, None)
        )


def look(environ: Mapping[str, str], level: Level) -> Sight:
    """Look at the machine without the caller's mask, which would hide what it is made of."""
    here = Machine.here()
    rest = {name: value for name, value in environ.items() if name != MASK}
    unmasked = Machine(here.root, rest, system=here.system)
    return sight_of(collect(unmasked, level), environ)


def sight_of(facts: Facts, environ: Mapping[str, str]) -> Sight:
    """What these facts of an unmasked machine show."""
    devices = devices_in(facts)
    ordered = _in_order(devices, environ.get(ORDER))
    return Sight(
        devices if ordered is None else ordered,
        ordered is not None,
        environ.get(MASK),
        facts.known(names.DRIVER_VERSION),
        candidates(devices),
    )


def _in_order(devices: Sequence[Device], value: str | None) -> tuple[Device, ...] | None:
    """As CUDA counts, `value` being CUDA_DEVICE_ORDER; None: not known. A lost GPU is left out."""
    living = [device for device in devices if device.failure is None]
    ordinals = {device.index: _ordinal(device) for device in living if not _is_empty(device)}
    known = [ordinal for ordinal in ordinals.values() if ordinal is not None]
    if len(living) <= 1:
        return tuple(living)
    if len(known) == len(ordinals):
        return tuple(sorted(living, key=lambda it: (ordinals.get(it.index) is None,
                                                    ordinals.get(it.index) or 0)))  # fmt: skip
    # That GPUs of one model stay in the order of the bus is a guess, which no program is given.
    places = order.foreseen([device.pci for device in living], [None] * len(living), value)
    return None if places is None else tuple(living[place] for place in places)


def _ordinal(device: Device) -> int | None:
    """CUDA's number of the GPU, or of its first instance."""
    numbers = [device.ordinal, *(instance.ordinal for instance in device.mig.instances)]
    return min((number for number in numbers if number is not None), default=None)


def _is_empty(device: Device) -> bool:
    """In MIG mode without an instance: CUDA passes it over."""
    return bool(device.mig.enabled) and not device.mig.instances


def _gpu(device: Device) -> Gpu:
    instances = (
        Instance(each.uuid, each.gpu_instance, each.compute_instance)
        for each in device.mig.instances
    )
    return Gpu(device.uuid, bool(device.mig.enabled), tuple(instances))
