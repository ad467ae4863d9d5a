"""Work on a GPU: the arrays are brought there, the back ends are tried, the result comes back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..memory.arenas import arena_of
from ..memory.errors import translated
from .core import core
from .device_array import start, to_device
from .failures import Unsupported, failed, is_for_good, reason_to_pass
from .place import CPU, way_out
from .run import Ran
from .views import seen_as

if TYPE_CHECKING:
    from typing import TypeAlias

    from .arrays import Array
    from .device_array import DeviceArray
    from .job import Job, Queued

    #: What was queued, by which back end, and why by none of the better ones.
    Done: TypeAlias = tuple[Queued, str, tuple[str, ...]]

_MATRIX = 2  # axes

#: Why back ends could not be opened on a GPU. The core does not try again either.
_CLOSED: dict[tuple[str, int], str] = {}


def run(job: Job, arrays: tuple[DeviceArray, ...], out: object, is_timed: bool) -> Done:
    """Queued on the stream of `out`, else on that of the first input, and not waited for."""
    device, named = arrays[0].device, job.place.device
    if named not in (None, device):
        raise _elsewhere(job, device)
    arena = arena_of(device)
    passed_over: tuple[str, ...] = ()
    for backend in job.place.backends:
        if (backend, device) in _CLOSED:
            passed_over += (_CLOSED[backend, device],)
            continue
        try:
            return job.work.queue(arena, backend, arrays, out, is_timed), backend, passed_over
        except core.ArenaFull as error:
            raise translated(error, device) from None
        except core.ArenaError as error:
            reason = reason_to_pass(error, backend)
            if reason is None:
                raise failed(error, job.call, backend, device) from None
            if is_for_good(error):
                _CLOSED[backend, device] = reason
            passed_over += (reason,)
    raise Unsupported(job.call, passed_over)


def _elsewhere(job: Job, device: int) -> Exception:
    """What to raise where another place is named than the GPU that has the arrays."""
    if job.place.is_cpu:
        where = f"the arrays are in the memory of GPU {device}"
        return TypeError(f"{job.call}: device is {CPU!r}, and {where}; use their numpy()")
    where = f"the arrays are on GPU {device}"
    return ValueError(f"{job.call}: device is {job.place.device}, and {where}")


def run_from_host(job: Job, arrays: tuple[Array, ...], is_timed: bool) -> tuple[Array, Ran]:
    """NumPy's arrays, there and back."""
    named = job.place.device if isinstance(job.place.device, int) else None
    device = start(named, job.call, way_out(job.call))
    begun = time.perf_counter()
    there = tuple(_sent(each, device) for each in arrays)
    sent = time.perf_counter() - begun
    (result, times), backend, passed_over = run(job, there, None, is_timed)
    returning = time.perf_counter()
    found = result.numpy()
    transfer = sent + time.perf_counter() - returning
    return found, Ran(backend, device, times, transfer, passed_over)


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
