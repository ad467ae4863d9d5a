"""Which GPU somebody names with CUDA's number or a `Device`."""

from __future__ import annotations

from operator import index

from .model import Device


def ordinal_of(call: str, device: object, wanted: str) -> int:
    """CUDA's number of the GPU that is named. Starts no CUDA.

    Args:
        call: What was called, for the message.
        device: The number, or a `Device`.
        wanted: What could have been named, for the message.

    Raises:
        TypeError: It is neither.
        ValueError: The number is negative, or CUDA has none for this `Device`.
    """
    if isinstance(device, Device):
        return ordinal_in_cuda(call, device)
    if isinstance(device, bool) or not hasattr(device, "__index__"):
        raise TypeError(f"{call}: device is {device!r}: {wanted}")
    number = index(device)
    if number < 0:
        raise ValueError(f"{call}: device is {number}; CUDA counts from 0")
    return number


def ordinal_in_cuda(call: str, device: Device) -> int:
    """CUDA's number of a `Device`. Raises ValueError, with the reason, where CUDA has none."""
    from .here import ordinal_here

    ordinal = ordinal_here(device.uuid, device.ordinal)
    if ordinal is None:
        why = device.unknown.get("ordinal", "it does not show it to this process")
        raise ValueError(f"{call}: CUDA has no number for {device.name or 'this GPU'}: {why}")
    return ordinal
