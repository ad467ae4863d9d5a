"""The memory that gpuprobe's arrays have on a GPU, in bytes, under torch's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import memory
from ..facts.model import Missing
from ..memory.arenas import device_memory, used
from .named import number_of
from .properties import properties_for

if TYPE_CHECKING:
    from .named import Named


def memory_allocated(device: Named = None) -> int:
    """Bytes in arrays now, rounded up for each to 512. 0 before the first use. Starts no CUDA.

    Raises:
        RuntimeError: The process is a fork of one that had used a GPU.
        ValueError: `device` names no GPU of CUDA.
    """
    return _stats(device).in_use_bytes


def memory_reserved(device: Named = None) -> int:
    """Bytes taken from the GPU, for arrays of now and of later. Starts no CUDA.

    Raises:
        RuntimeError, ValueError: As `memory_allocated`.
    """
    return _stats(device).reserved_bytes


def max_memory_allocated(device: Named = None) -> int:
    """The peak of `memory_allocated`, since the beginning or `reset_peak_memory_stats`.

    Raises:
        RuntimeError, ValueError: As `memory_allocated`.
    """
    return _stats(device).in_use_peak_bytes


def max_memory_reserved(device: Named = None) -> int:
    """The peak of `memory_reserved`, since the beginning or `reset_peak_memory_stats`.

    Raises:
        RuntimeError, ValueError: As `memory_allocated`.
    """
    return _stats(device).reserved_peak_bytes


def reset_peak_memory_stats(device: Named = None) -> None:
    """Let both peaks begin anew at what there is now. Before the first use there is nothing to do.

    Raises:
        RuntimeError, ValueError: As `memory_allocated`.
    """
    memory.reset_peak(_stats(device).device)


def empty_cache() -> None:
    """Give free memory back, of every GPU that gpuprobe has used. Waits for what runs on it.

    Raises:
        DriverError: The driver refuses.
    """
    for device in used():
        memory.trim(device=device)


def mem_get_info(device: Named = None) -> tuple[int, int]:
    """Free and total bytes of a GPU, whoever holds the rest.

    Where gpuprobe has used the GPU, CUDA says it, as for torch. Else NVML is asked in a child
    process: no CUDA is started here, and it takes far longer.

    Raises:
        AssertionError, GpuUnavailable, ValueError: As `gpuprobe.cuda.get_device_properties`.
        DriverError: CUDA refuses.
        gpuprobe.facts.model.Missing: NVML does not say it, as of a MIG instance.
    """
    ordinal = number_of(device)
    if ordinal in used():
        return device_memory(ordinal)
    properties_for("mem_get_info", ordinal)
    found = memory.holders(ordinal)
    if found.free_bytes is None or found.total_bytes is None:
        reason = found.unknown.get("free_bytes") or found.unknown.get("total_bytes", "")
        raise Missing(f"free memory of device {ordinal}", reason, "nvidia-smi")
    return found.free_bytes, found.total_bytes


def set_per_process_memory_fraction(fraction: float, device: Named = None) -> None:
    """Never hold more than this part of a GPU's *whole* memory: `gpuprobe.memory.set_limit`.

    Args:
        fraction: A float above 0, at most 1.
        device: As elsewhere; None: the current one.

    Raises:
        TooLateError: gpuprobe has used this GPU already, with another limit.
        TypeError: `fraction` is no float.
        ValueError: It is out of range, or `device` names no GPU of CUDA.
        AssertionError, GpuUnavailable: As `gpuprobe.cuda.get_device_properties`.
    """
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if not 0 < fraction <= 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: above 0, at most 1")
    ordinal = number_of(device)
    total = properties_for("set_per_process_memory_fraction", ordinal).total_memory
    memory.set_limit(int(total * fraction), device=ordinal)


def _stats(device: Named) -> memory.MemoryStats:
    ordinal = number_of(device)
    if ordinal < 0:
        raise ValueError(f"device is {ordinal}; CUDA counts from 0")
    return memory.stats(ordinal)
