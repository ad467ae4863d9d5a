"""Work on a GPU: the arrays are brought there, the back ends are tried, the result comes back."""

from __future__ import annotations

import time
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from .. import _core
from ..memory.arenas import arena_of, follow
from ..memory.errors import translated
from .device_array import SIZES, DeviceArray, compact, start, to_device
from .failures import Unsupported, failed, reason_to_pass
from .operands import OnDevice, OnHost
from .place import way_out
from .run import Ran

if TYPE_CHECKING:
    from .._core import Arena
    from .arrays import Array
    from .job import Job

_MATRIX = 2  # axes


def run(job: Job) -> tuple[Array | DeviceArray, Ran]:
    """See `Job.run`. What stays on the GPU is not waited for."""
    named = job.place.device if isinstance(job.place.device, int) else None
    if isinstance(job.operands, OnHost):
        return _from_host(job, job.operands, start(named, job.call, way_out(job.call)))
    if named not in (None, job.operands.device):
        where = f"the arrays are on GPU {job.operands.device}"
        raise ValueError(f"{job.call}: device is {named}, and {where}")
    return _compute(job, job.operands)


def _from_host(job: Job, operands: OnHost, device: int) -> tuple[Array, Ran]:
    begun = time.perf_counter()
    arrays = tuple(_sent(each, device) for each in operands.arrays)
    sent = time.perf_counter() - begun
    there, ran = _compute(job, OnDevice(arrays, device))
    returning = time.perf_counter()
    found = there.numpy()
    if operands.out is not None:
        operands.out[...] = found
        found = operands.out
    return found, ran._replace(transfer=sent + time.perf_counter() - returning)


def _sent(array: Array, device: int) -> DeviceArray:
    """The array there. Matrices that lie by columns stay so: cuBLAS asks it of narrow types."""
    if array.ndim < _MATRIX or array.flags.c_contiguous:
        return to_device(array, device)
    turned = array.swapaxes(-1, -2)
    if not turned.flags.c_contiguous:
        return to_device(array, device)
    there = to_device(turned, device)
    *stack, rows, columns = there.strides
    return replace(there, shape=array.shape, strides=(*stack, columns, rows))


def _compute(job: Job, operands: OnDevice) -> tuple[DeviceArray, Ran]:
    """Queued on the stream of `out`, else on that of the first input."""
    arena = arena_of(operands.device)
    there = _empty(job, operands, arena) if operands.out is None else operands.out
    others = [each for each in operands.arrays if each.stream != there.stream]
    for each in others:  # we wait for what their streams were given …
        follow(there.device, each.owner, there.stream, each.stream)
    ran = _first_that_can(job, operands, arena, there)
    for each in others:  # … and what these are given from now on waits for us
        follow(there.device, None, each.stream, there.stream)
    return there, ran


def _empty(job: Job, operands: OnDevice, arena: Arena) -> DeviceArray:
    """Memory for the result."""
    dtype, size, stream = job.choice.dtype_name, prod(job.shape), operands.arrays[0].stream
    try:
        block = arena.alloc(size * SIZES[dtype], stream)
    except _core.ArenaError as error:
        raise translated(error, operands.device) from None
    return DeviceArray(
        shape=job.shape,
        strides=compact(job.shape, dtype),
        dtype=dtype,
        device=operands.device,
        stream=stream,
        address=block.address if size else 0,
        owner=block,
    )


def _first_that_can(job: Job, operands: OnDevice, arena: Arena, there: DeviceArray) -> Ran:
    passed_over: list[str] = []
    for backend in job.place.backends:
        try:
            times = job.queue(arena, backend, operands.arrays, there)
        except _core.ArenaError as error:  # noqa: PERF203  two turns at most
            reason = reason_to_pass(error, backend)
            if reason is None:
                raise failed(error, job.call, backend, there.device) from None
            passed_over.append(reason)
        else:
            return Ran(backend, there.device, times, None, tuple(passed_over))
    raise Unsupported(job.call, passed_over)
