"""What TensorFlow users know as `tf.config`, over gpuprobe's own memory.

    >>> gpus = gpuprobe.config.list_physical_devices("GPU")
    >>> for gpu in gpus:
    ...     gpuprobe.config.experimental.set_memory_growth(gpu, True)
    >>> limit = gpuprobe.config.LogicalDeviceConfiguration(memory_limit=1024)
    >>> gpuprobe.config.set_logical_device_configuration(gpus[0], [limit])

It holds for what gpuprobe itself computes; TensorFlow has its own. Nothing here starts CUDA. Once
gpuprobe has used a GPU in this process nothing can be changed any more, and the error is
TensorFlow's. docs/names.md has every difference.
"""

from __future__ import annotations

from . import experimental
from .devices import LogicalDevice, LogicalDeviceConfiguration, PhysicalDevice
from .local import LocalDevice, list_local_devices
from .logical import (
    get_logical_device_configuration,
    list_logical_devices,
    set_logical_device_configuration,
)
from .visible import get_visible_devices, list_physical_devices, set_visible_devices

__all__ = [
    "LocalDevice",
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "experimental",
    "get_logical_device_configuration",
    "get_visible_devices",
    "list_local_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_logical_device_configuration",
    "set_visible_devices",
]
