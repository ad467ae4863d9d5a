"""What is asked of one call of matmul or conv2d, and who carries it out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..memory.arenas import arena_of
from ..memory.errors import translated
from .core import core
from .failures import Unsupported, failed, is_for_good, reason_to_pass
from .place import CPU
from .round_trip import there_and_back
from .run import RunInfo
from .vendor_library import found

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from .._core import Arena, ArenaError
    from .arithmetic import Choice
    from .arrays import Array
    from .device_array import DeviceArray
    from .place import Place

    #: Submit and kernel, in seconds, and the algorithm; None: not measured.
    Times: TypeAlias = tuple[float, float, str | None] | None


#: Why back ends could not be opened on a GPU. The core does not try again either.
_CLOSED: dict[tuple[str, int], str] = {}


class Queue(Protocol):
    """`Arena.matmul` or `Arena.conv2d`: lets one back end compute. It raises `ArenaError`."""

    def __call__(
        self,
        arena: Arena,
        backend: str,
        find_library: Callable[[str], str | None],
        arrays: tuple[DeviceArray, ...],
        out: object,
        is_timed: bool,
        /,
        *settings: object,
    ) -> tuple[DeviceArray, Times]:
        """The result, whose elements may not yet be there, and what was measured."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is computed, where and by what, whatever the arrays hold: it can be kept.

    Attributes:
        queue: How it is queued on a GPU.
        settings: The last arguments of it.
        reference: How the plain reference computes it.
    """

    call: str
    choice: Choice
    place: Place
    queue: Queue
    settings: tuple[object, ...]
    reference: Callable[[Sequence[Array]], Array]

    def queued(
        self, arrays: tuple[DeviceArray, ...], out: object, info: bool
    ) -> tuple[DeviceArray, RunInfo | None]:
        """The result of arrays of a GPU, into `out` if it is not None; nobody waits for it.

        Where `info` is asked for the host waits, and all that there is to tell is told.

        Raises:
            DriverError: The driver refuses, or a launch failed.
            OutOfMemory: There is not so much memory left.
            TypeError: The CPU is asked for, or `out` is of another type or kind.
            ValueError: The arrays do not fit, or are on several GPUs, the result cannot be written
                into `out`, or the back end that was named cannot do it.
        """
        begun = time.perf_counter() if info else 0.0
        device, named = arrays[0].device, self.place.device
        if named not in (None, device):
            raise self._elsewhere(device)
        arena = arena_of(device)
        settings = self.settings
        passed_over: tuple[str, ...] = ()
        for by in self.place.backends:
            if _CLOSED and (by, device) in _CLOSED:
                passed_over += (_CLOSED[by, device],)
                continue
            try:
                result, times = self.queue(arena, by, found, arrays, out, info, *settings)
            except core.ArenaFull as error:
                raise translated(error, device) from None
            except core.ArenaError as error:
                passed_over += (self._passed(error, by, device),)
            else:
                if times is None:
                    return result, None
                seconds = time.perf_counter() - begun
                return result, self._told(by, device, seconds, times, passed_over)
        raise Unsupported(self.call, passed_over)

    def computed(
        self, arrays: tuple[Array, ...], out: Array | None, info: bool
    ) -> tuple[Array, RunInfo | None]:
        """The same of NumPy's arrays, which fit; the result is there.

        Raises:
            DriverError: As `queued`.
            GpuUnavailable: There is no usable GPU.
            OutOfMemory: As `queued`.
            ValueError: The back end that was named cannot do it, or there is no such GPU.
        """
        if self.place.is_cpu:
            begun = time.perf_counter()
            result = self.reference(arrays)
            told = self._told(CPU, CPU, time.perf_counter() - begun) if info else None
        else:
            result, told = there_and_back(self, arrays, info)
        if out is not None:
            out[...] = result
            result = out
        return result, told

    def _passed(self, error: ArenaError, by: str, device: int) -> str:
        """Why this back end is passed over; raises where that is no reason to try another."""
        reason = reason_to_pass(error, by)
        if reason is None:
            raise failed(error, self.call, by, device) from None
        if is_for_good(error):
            _CLOSED[by, device] = reason
        return reason

    def _elsewhere(self, device: int) -> Exception:
        """What to raise where another place is named than the GPU that has the arrays."""
        if self.place.is_cpu:
            where = f"the arrays are in the memory of GPU {device}"
            return TypeError(f"{self.call}: device is {CPU!r}, and {where}; use their numpy()")
        where = f"the arrays are on GPU {device}"
        return ValueError(f"{self.call}: device is {self.place.device}, and {where}")

    def _told(
        self,
        by: str,
        device: int | str,
        seconds: float,
        times: Times = None,
        passed_over: tuple[str, ...] = (),
    ) -> RunInfo:
        submit, kernel, algorithm = (None, None, None) if times is None else times
        return RunInfo(
            backend=by,
            device=device,
            compute=self.choice.compute,
            dtype=self.choice.dtype_name,
            seconds=seconds,
            submit_seconds=submit,
            kernel_seconds=kernel,
            passed_over=passed_over,
            algorithm=algorithm,
        )
