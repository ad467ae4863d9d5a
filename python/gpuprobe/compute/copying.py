"""Copies of a GPU's arrays: without gaps, on the same GPU or on another one."""

from __future__ import annotations

from .device_array import SIZES, DeviceArray, compact, start, stream_handle
from .layout import rows_of


def copied(array: DeviceArray, stream: int | None = None) -> DeviceArray:
    """A copy on the same GPU for work on a stream; None: on the array's own.

    Rows that lie apart are put together by the GPU, anything else on the host.
    """
    from ..memory.arenas import allocate, copy_in, follow
    from ..memory.copies import copy_within

    handle = array.stream if stream is None else stream_handle(stream)
    follow(array.device, array.owner, handle, array.stream)
    block = allocate(array.nbytes, device=array.device, stream=handle)
    made = _compact(array, array.device, handle, block, block.address)
    if array.size == 0:
        return made
    rows = rows_of(array.shape, array.strides, SIZES[array.dtype])
    if rows is None:
        copy_in(made.device, made.address, array.numpy(), handle)
    else:
        size, width, pitch = array.nbytes, rows.width, rows.pitch
        copy_within(made.device, made.address, array.address, size, width, pitch, handle)
    return made


def copied_to(array: DeviceArray, device: int, stream: int | None = None) -> DeviceArray:
    """A copy on a GPU, for work on a stream of that GPU.

    Raises:
        OutOfMemory, ValueError: As `to_device`.
    """
    from ..memory.arenas import allocate
    from ..memory.copies import copy_across

    if device == array.device:
        return copied(array, stream)
    handle = stream_handle(stream)
    ordinal = start(device, "to_device")
    whole = array if array.strides == compact(array.shape, array.dtype) else copied(array)
    block = allocate(array.nbytes, device=ordinal, stream=handle)
    made = _compact(array, ordinal, handle, block, block.address)
    if array.size:
        here = (whole.device, whole.address, whole.stream)
        copy_across((ordinal, made.address, handle), here, array.nbytes)
    return made


def _compact(
    array: DeviceArray, device: int, stream: int, owner: object, address: int
) -> DeviceArray:
    """An array like this one, elsewhere and without gaps; its elements are not yet written."""
    return DeviceArray(
        shape=array.shape,
        strides=compact(array.shape, array.dtype),
        dtype=array.dtype,
        device=device,
        stream=stream,
        address=address if array.size else 0,
        owner=owner,
    )
