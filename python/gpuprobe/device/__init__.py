"""The GPUs of this machine, as objects."""

from __future__ import annotations

from .model import NONE, Device
from .read import devices_in

__all__ = ["NONE", "Device", "devices", "devices_in"]


def devices(*, refresh: bool = False) -> tuple[Device, ...]:
    """All GPUs that the driver lists, also those that CUDA_VISIBLE_DEVICES hides.

    They are asked for in a child process; the answer is kept until a variable changes or
    `refresh` is given. Empty where there is no GPU or no working driver: `gpuprobe.doctor()`
    says which.
    """
    from ..examine import machine_facts

    return devices_in(machine_facts(refresh=refresh))
