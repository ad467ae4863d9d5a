"""NumPy's arrays on their way to a GPU, and the result on its way back."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from .device_array import start, to_device
from .views import seen_as

if TYPE_CHECKING:
    from .arrays import Array
    from .device_array import DeviceArray
    from .job import Job
    from .run import RunInfo

_MATRIX = 2  # axes


def there_and_back(job: Job, arrays: tuple[Array, ...], info: bool) -> tuple[Array, RunInfo | None]:
    """The result, and what there is to tell of it where that is asked for.

    Raises:
        GpuUnavailable: There is no usable GPU.
    """
    begun = time.perf_counter()
    named = job.place.device if isinstance(job.place.device, int) else None
    device = start(named, job.call)
    sending = time.perf_counter()
    sent = tuple(_sent(each, device) for each in arrays)
    queuing = time.perf_counter()
    told = None
    if info:
        queued, told = job.queued(sent, None, True)
    else:
        queued = job.queued(sent, None, False)
    returning = time.perf_counter()
    result = queued.numpy()
    if told is not None:
        done = time.perf_counter()
        transfer = queuing - sending + done - returning
        told = replace(told, seconds=done - begun, transfer_seconds=transfer)
    return result, told


def _sent(array: Array, device: int) -> DeviceArray:
    """The array there. Matrices that lie by columns stay so: cuBLAS asks it of narrow types."""
    if array.ndim < _MATRIX or array.flags.c_contiguous:
        return to_device(array, device)
    turned = array.swapaxes(-1, -2)
    if not turned.flags.c_contiguous:
        return to_device(array, device)
    there = to_device(turned, device)
    *stack, rows, columns = there.strides
    return seen_as(there, array.shape, (*stack, columns, rows))
