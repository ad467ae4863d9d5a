"""The devices that may be used, and how much memory of a GPU is ever held.

The order of the checks, the classes of the errors and their words are TensorFlow's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import memory
from ..memory.arenas import grows
from .devices import CPU, GPU, logical, number_of, of_type
from .visible import get_visible_devices, require_in_time, require_there

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .devices import LogicalDevice, LogicalDeviceConfiguration, PhysicalDevice

_MB = 1 << 20
_configured: dict[PhysicalDevice, list[LogicalDeviceConfiguration]] = {}


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that may be used, by the names that other functions take. Starts nothing.

    Args:
        device_type: ``CPU`` or ``GPU``; None: both.

    Raises:
        ValueError: GPUs that may be used differ in memory growth.
        gpuprobe.facts.model.Missing: As `list_physical_devices`.
    """
    visible = get_visible_devices()
    growths = {grows(number_of(each)) for each in of_type(visible, GPU)}
    if len(growths) > 1 and not _configured:
        raise ValueError("Memory growth cannot differ between GPU devices")
    return [logical(each) for each in of_type(visible, device_type)]


def get_logical_device_configuration(
    device: PhysicalDevice,
) -> list[LogicalDeviceConfiguration] | None:
    """What was set for a device; None: nothing was.

    Raises:
        ValueError: There is no such device.
        gpuprobe.facts.model.Missing: As `list_physical_devices`.
    """
    require_there(device)
    return _configured.get(device)


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration] | None
) -> None:
    """Never hold more of a GPU than `memory_limit`; what CUDA itself takes is not counted.

    Args:
        device: One of `list_physical_devices`.
        logical_devices: One configuration. Empty or None: no limit.

    Raises:
        ValueError: There is no such device, a GPU has no limit, the CPU has one, or it is asked for
            what gpuprobe has not: several logical devices on one, priorities, other numbers.
        TooLateError: gpuprobe has used a GPU in this process. It is a `RuntimeError`.
        gpuprobe.facts.model.Missing: As `list_physical_devices`.
    """
    require_there(device)
    wanted = list(logical_devices or ())
    _check_fields(device, wanted)
    if len(wanted) > 1:
        raise ValueError(
            f"gpuprobe has one logical device on {device.name}, which has all of its memory or a"
            f" limited part; {len(wanted)} are asked for"
        )
    if _configured.get(device) == wanted:
        return
    require_in_time("Virtual devices")
    if device.device_type == GPU:
        limit = wanted[0].memory_limit if wanted else None
        size = None if limit is None else int(limit * _MB)
        memory.set_limit(size, device=number_of(device))
    _configured[device] = wanted


def is_configured(device: PhysicalDevice) -> bool:
    """Whether a configuration was set, be it an empty one."""
    return device in _configured


def _check_fields(device: PhysicalDevice, wanted: list[LogicalDeviceConfiguration]) -> None:
    kind = device.device_type
    for each in wanted:
        if kind == CPU and each.memory_limit is not None:
            raise ValueError(
                "Setting memory limit on CPU virtual devices is currently not supported"
            )
        if kind == GPU and each.memory_limit is None:
            raise ValueError("Setting memory limit is required for GPU virtual devices")
        for name in ("experimental_priority", "experimental_device_ordinal"):
            if getattr(each, name) is not None:
                raise ValueError(
                    f"Setting {name} on {kind} virtual  devices is currently not supported"
                )
