"""Copies of a GPU's arrays, without gaps: on the same GPU, on another one, on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arrays import dtype_of
from .device_array import SIZES, compact, empty, start, stream_handle
from .layout import reach_of, rows_of

if TYPE_CHECKING:
    from .arrays import Array
    from .device_array import DeviceArray

#: Bytes. Narrower gaps are copied, too: a row of its own costs a GPU something. Not measured.
_WIDE_GAP = 256


def copied(array: DeviceArray, stream: int | None = None) -> DeviceArray:
    """A copy on the same GPU for work on a stream; None: on the array's own.

    Rows that lie apart are put together by the GPU, anything else on the host.
    """
    from ..memory.copies import copy_in, copy_within

    handle = array.stream if stream is None else stream_handle(stream)
    made = empty(array.shape, array.dtype, array.device, handle)
    if array.size == 0:
        return made
    rows = rows_of(array.shape, array.strides, SIZES[array.dtype])
    if rows is None:
        copy_in(made.device, made.address, array.numpy(), handle)
    else:
        to, source = (made.address, handle), (array.address, array.stream)
        copy_within(made.device, to, source, rows)
    return made


def copied_to(array: DeviceArray, device: int, stream: int | None = None) -> DeviceArray:
    """A copy on a GPU, for work on a stream of that GPU.

    Raises:
        OutOfMemory, ValueError: As `to_device`.
    """
    from ..memory.copies import copy_across

    if device == array.device:
        return copied(array, stream)
    handle = stream_handle(stream)
    ordinal = start(device, "to_device")
    whole = array if array.strides == compact(array.shape, array.dtype) else copied(array)
    made = empty(array.shape, array.dtype, ordinal, handle)
    if array.size:
        here = (whole.device, whole.address, whole.stream)
        copy_across((ordinal, made.address, handle), here, array.nbytes)
    return made


def brought_back(array: DeviceArray) -> Array:
    """`DeviceArray.numpy`."""
    import numpy as np

    from ..memory.copies import copy_out, copy_rows_out

    whole: Array = np.empty(array.shape, dtype_of(array.dtype))
    if array.size == 0:
        return whole
    rows = rows_of(array.shape, array.strides, SIZES[array.dtype])
    if rows is None or 0 < rows.pitch - rows.width < _WIDE_GAP:
        return _span_brought_back(array, whole)
    if rows.are_one:
        copy_out(array.device, array.address, whole, array.stream)
    else:
        copy_rows_out(array.device, array.address, whole, rows, array.stream)
    return whole


def _span_brought_back(array: DeviceArray, whole: Array) -> Array:
    """Fills `whole` from all that lies between the first and the last byte, gaps too."""
    import numpy as np

    from ..memory.copies import copy_out

    before, behind = reach_of(array.shape, array.strides, SIZES[array.dtype])
    span = np.empty(before + behind, np.uint8)
    copy_out(array.device, array.address - before, span, array.stream)
    whole[...] = np.ndarray(array.shape, whole.dtype, span.data, before, array.strides)
    return whole
