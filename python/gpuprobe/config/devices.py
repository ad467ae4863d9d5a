"""Devices as TensorFlow names them."""

from __future__ import annotations

from typing import NamedTuple

CPU, GPU = "CPU", "GPU"


class PhysicalDevice(NamedTuple):
    """A device of this machine.

    Attributes:
        name: ``/physical_device:GPU:0``; the number is CUDA's, after CUDA_VISIBLE_DEVICES.
        device_type: ``CPU`` or ``GPU``.
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device that may be used.

    Attributes:
        name: ``/device:GPU:0``, with the number of the physical one.
        device_type: ``CPU`` or ``GPU``.
    """

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How a device is to be used.

    Attributes:
        memory_limit: In MB, as TensorFlow counts them: 2**20 bytes. A GPU needs it.
        experimental_priority: TensorFlow's; gpuprobe refuses it.
        experimental_device_ordinal: TensorFlow's; gpuprobe refuses it.
    """

    memory_limit: float | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


def physical(device_type: str, number: int) -> PhysicalDevice:
    """The device with this number."""
    return PhysicalDevice(f"/physical_device:{device_type}:{number}", device_type)


def logical(device: PhysicalDevice) -> LogicalDevice:
    """The one that may be used of a physical one."""
    return LogicalDevice(f"/device:{device.device_type}:{number_of(device)}", device.device_type)


def number_of(device: PhysicalDevice) -> int:
    """Its number among those of its type: of a GPU CUDA's."""
    return int(device.name.rpartition(":")[2])


def of_type(devices: list[PhysicalDevice], device_type: str | None) -> list[PhysicalDevice]:
    """Those of one type; None: all."""
    return [each for each in devices if device_type in (None, each.device_type)]
