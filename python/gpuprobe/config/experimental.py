"""Memory growth and statistics, which TensorFlow has under `tf.config.experimental`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from .. import memory
from ..memory.arenas import grows
from .devices import CPU, GPU, number_of, physical
from .logical import is_configured
from .visible import get_visible_devices, require_in_time, require_there

if TYPE_CHECKING:
    from .devices import PhysicalDevice

#: ``GPU:0``, ``/device:GPU:0``, ``/gpu:0``, ``/job:localhost/replica:0/task:0/device:GPU:0``.
_NAME = re.compile(
    r"(?:/job:\w+/replica:\d+/task:\d+)?/?(?:device:)?(GPU|gpu|CPU|cpu):(\d+)", re.ASCII
)


class MemoryInfo(TypedDict):
    """Bytes in gpuprobe's arrays.

    Attributes:
        current: In use now.
        peak: Most that was in use since the beginning, or since `reset_memory_stats`.
    """

    current: int
    peak: int


def get_memory_growth(device: PhysicalDevice) -> bool:
    """Whether memory is taken as it is needed: the default, where TensorFlow has None.

    Raises:
        ValueError: There is no such device, or it is the CPU.
        gpuprobe.facts.model.Missing: As `gpuprobe.config.list_physical_devices`.
    """
    require_there(device)
    _require_gpu(device)
    return grows(number_of(device))


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Take a GPU's memory as it is needed, or all that is free at the first use.

    `gpuprobe.memory.set_growth` can also take a part.

    Raises:
        ValueError: There is no such device, it is the CPU, or it has a logical configuration.
        TooLateError: gpuprobe has used a GPU in this process. It is a `RuntimeError`.
        gpuprobe.facts.model.Missing: As `gpuprobe.config.list_physical_devices`.
    """
    require_there(device)
    if is_configured(device):
        raise ValueError("Cannot set memory growth on device when virtual devices configured")
    _require_gpu(device)
    if grows(number_of(device)) == enable:
        return
    require_in_time("Physical devices")
    memory.set_growth(enable, device=number_of(device))


def get_memory_info(device: str) -> MemoryInfo:
    """What gpuprobe's arrays hold of a GPU. Starts no CUDA.

    Args:
        device: ``GPU:0``, or the name of a logical device.

    Raises:
        ValueError: It is no such name, there is no such device, or it is the CPU.
        gpuprobe.facts.model.Missing: As `gpuprobe.config.list_physical_devices`.
    """
    found = memory.stats(_gpu_named(device))
    return {"current": found.in_use_bytes, "peak": found.in_use_peak_bytes}


def reset_memory_stats(device: str) -> None:
    """Let the peak begin anew at what is in use now.

    Raises:
        ValueError: As `get_memory_info`.
        gpuprobe.facts.model.Missing: As `gpuprobe.config.list_physical_devices`.
    """
    memory.reset_peak(_gpu_named(device))


def _gpu_named(name: str) -> int:
    """CUDA's number of the GPU with this name."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise ValueError(
            f"Failed parsing device name: '{name}'. Note a valid device string should at least"
            ' contain a device type and a device index, like "GPU:0".'
        )
    device = physical(found[1].upper(), int(found[2]))
    if device not in get_visible_devices():
        raise ValueError(f"No matching devices found for '{name}'")
    if device.device_type == CPU:
        raise ValueError(f"gpuprobe keeps no statistics of the memory of '{name}'")
    return number_of(device)


def _require_gpu(device: PhysicalDevice) -> None:
    if device.device_type != GPU:
        raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")
