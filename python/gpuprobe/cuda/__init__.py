"""What torch users know as `torch.cuda`, over gpuprobe's own arrays and memory.

    >>> gpuprobe.cuda.is_available(), gpuprobe.cuda.device_count()
    (True, 2)
    >>> with gpuprobe.cuda.device(1):
    ...     there = gpuprobe.to_device(array)
    >>> gpuprobe.cuda.memory_allocated(1)
    4194304

The numbers are gpuprobe's, not torch's: what torch holds, and which device is current for it, is
neither seen nor changed. Only `synchronize` starts CUDA in this process. Where no GPU is usable,
what needs one raises `gpuprobe.GpuUnavailable`, a `RuntimeError`. docs/names.md has every
difference.
"""

from __future__ import annotations

from . import cudnn, version
from .current import (
    current_device,
    device,
    device_count,
    is_available,
    is_initialized,
    set_device,
    synchronize,
)
from .memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_reserved,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
)
from .properties import (
    DeviceProperties,
    get_device_capability,
    get_device_name,
    get_device_properties,
)

__all__ = [
    "DeviceProperties",
    "cudnn",
    "current_device",
    "device",
    "device_count",
    "empty_cache",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "reset_peak_memory_stats",
    "set_device",
    "set_per_process_memory_fraction",
    "synchronize",
    "version",
]
