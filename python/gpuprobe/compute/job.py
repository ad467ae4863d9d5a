"""What is asked of one call of matmul or conv2d, and who carries it out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from . import gpu_run
from .place import CPU
from .run import Ran, RunInfo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._core import Arena
    from .arithmetic import Choice
    from .arrays import Array
    from .device_array import DeviceArray
    from .place import Place

    #: Submit and kernel, in seconds, and the algorithm; None: not measured.
    Times: TypeAlias = tuple[float, float, str | None] | None
    #: What is computed with.
    Given: TypeAlias = Sequence[DeviceArray]
    #: The result, whose elements may not yet be there.
    Queued: TypeAlias = tuple[DeviceArray, Times]


class Work(Protocol):
    """What is computed, of arrays that fit."""

    def queue(self, arena: Arena, by: str, given: Given, out: object, timed: bool) -> Queued:
        """Let a back end queue it on the stream of `out`; None: a new array, on that of the first.

        It raises the core's `ArenaError`, and TypeError and ValueError for what does not fit.
        """

    def reference(self, arrays: Sequence[Array]) -> Array:
        """Compute it by the plain reference."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is computed, where and by what, whatever the arrays hold: it can be kept."""

    call: str
    choice: Choice
    place: Place
    work: Work

    def on_gpu(
        self, arrays: tuple[DeviceArray, ...], out: object, info: bool
    ) -> DeviceArray | tuple[DeviceArray, RunInfo]:
        """The result of arrays of a GPU, into `out` if it is not None; with all there is to tell.

        Raises:
            DriverError: The driver refuses, or a launch failed.
            OutOfMemory: There is not so much memory left.
            TypeError: The CPU is asked for, or `out` is of another type or kind.
            ValueError: The arrays do not fit, or are on several GPUs, the result cannot be written
                into `out`, or the back end that was named cannot do it.
        """
        if not info:
            return gpu_run.run(self, arrays, out, False)[0][0]
        begun = time.perf_counter()
        (result, times), by, passed_over = gpu_run.run(self, arrays, out, True)
        ran = Ran(by, result.device, times, None, passed_over)
        return result, self._told(ran, time.perf_counter() - begun)

    def on_host(
        self, arrays: tuple[Array, ...], out: Array | None, info: bool
    ) -> Array | tuple[Array, RunInfo]:
        """The same of NumPy's arrays, which fit.

        Raises:
            DriverError: As `on_gpu`.
            GpuUnavailable: There is no usable GPU.
            OutOfMemory: As `on_gpu`.
            ValueError: The back end that was named cannot do it, or there is no such GPU.
        """
        begun = time.perf_counter()
        if self.place.is_cpu:
            result, ran = self.work.reference(arrays), Ran(CPU, CPU)
        else:
            result, ran = gpu_run.run_from_host(self, arrays, info)
        seconds = time.perf_counter() - begun
        if out is not None:
            out[...] = result
            result = out
        return (result, self._told(ran, seconds)) if info else result

    def _told(self, ran: Ran, seconds: float) -> RunInfo:
        submit, kernel, algorithm = (None, None, None) if ran.times is None else ran.times
        return RunInfo(
            backend=ran.backend,
            device=ran.device,
            compute=self.choice.compute,
            dtype=self.choice.dtype_name,
            seconds=seconds,
            submit_seconds=submit,
            kernel_seconds=kernel,
            transfer_seconds=ran.transfer,
            passed_over=ran.passed_over,
            algorithm=algorithm,
        )
