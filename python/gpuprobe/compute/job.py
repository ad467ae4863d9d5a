"""What is asked of one call of matmul or conv2d, and who carries it out."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, overload

from ..memory.arenas import arena_of
from ..memory.errors import translated
from .core import core
from .failures import Unsupported, failed, is_for_good, reason_to_pass
from .place import CPU
from .round_trip import there_and_back
from .run import RunInfo
from .vendor_library import found

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from .._core import Arena, ArenaError
    from .arithmetic import Choice
    from .arrays import Array
    from .device_array import DeviceArray
    from .place import Place

    FindLibrary: TypeAlias = Callable[[str], str | None]
    #: Submit and kernel, in seconds, and the algorithm.
    Times: TypeAlias = tuple[float, float, str | None]


#: What back ends lack for good, by GPU.
_CLOSED: defaultdict[int, dict[str, str]] = defaultdict(dict)


class Queue(Protocol):
    """`Arena.matmul` or `Arena.conv2d`: lets one back end compute. It raises `ArenaError`.

    The result's elements may not yet be there. Where it is timed, they are.
    """

    @overload
    def __call__(
        self,
        arena: Arena,
        backend: str,
        find_library: FindLibrary,
        arrays: tuple[DeviceArray, ...],
        out: object,
        is_timed: Literal[False],
        settings: tuple[object, ...],
        /,
    ) -> DeviceArray: ...
    @overload
    def __call__(
        self,
        arena: Arena,
        backend: str,
        find_library: FindLibrary,
        arrays: tuple[DeviceArray, ...],
        out: object,
        is_timed: Literal[True],
        settings: tuple[object, ...],
        /,
    ) -> tuple[DeviceArray, Times]: ...


@dataclass(frozen=True, slots=True)
class Job:
    """What is computed, where and by what, whatever the arrays hold: it can be kept.

    Attributes:
        queue: How it is queued on a GPU.
        settings: The last argument of it.
        reference: How the plain reference computes it.
    """

    call: str
    choice: Choice
    place: Place
    queue: Queue
    settings: tuple[object, ...]
    reference: Callable[[Sequence[Array]], Array]

    @overload
    def queued(
        self, arrays: tuple[DeviceArray, ...], out: object, info: Literal[False]
    ) -> DeviceArray: ...
    @overload
    def queued(
        self, arrays: tuple[DeviceArray, ...], out: object, info: Literal[True]
    ) -> tuple[DeviceArray, RunInfo]: ...
    @overload
    def queued(
        self, arrays: tuple[DeviceArray, ...], out: object, info: bool
    ) -> DeviceArray | tuple[DeviceArray, RunInfo]: ...
    def queued(
        self, arrays: tuple[DeviceArray, ...], out: object, info: bool
    ) -> DeviceArray | tuple[DeviceArray, RunInfo]:
        """The result of arrays of a GPU, into `out` if it is not None; nobody waits for it.

        Where `info` is asked for the host waits, and what there is to tell comes with the result.

        Raises:
            DriverError: The driver refuses, or a launch failed.
            OutOfMemory: There is not so much memory left.
            TypeError: The CPU is asked for, or `out` is of another type or kind.
            ValueError: The arrays do not fit, or are on several GPUs, the result cannot be written
                into `out`, or the back end that was named cannot do it.
        """
        begun = time.perf_counter() if info else 0.0
        device, place = arrays[0].device, self.place
        if place.device is not None and place.device != device:
            raise self._elsewhere(device)
        arena = arena_of(device)
        passed_over = _CLOSED[device]
        for by in place.backends:
            if by in passed_over:
                continue
            try:
                if not info:
                    return self.queue(arena, by, found, arrays, out, False, self.settings)
                result, times = self.queue(arena, by, found, arrays, out, True, self.settings)
            except core.ArenaFull as error:
                raise translated(error, device) from None
            except core.ArenaError as error:
                passed_over = {**passed_over, by: self._passed(error, by, device)}
            else:
                seconds = time.perf_counter() - begun
                return result, self._told(by, device, seconds, times, passed_over)
        raise Unsupported(self.call, tuple(passed_over[by] for by in place.backends))

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
            told = self._told(CPU, CPU, time.perf_counter() - begun, None, {}) if info else None
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
            _CLOSED[device][by] = reason
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
        times: Times | None,
        passed_over: Mapping[str, str],
    ) -> RunInfo:
        better = self.place.backends[: self.place.backends.index(by)]
        submit, kernel, algorithm = (None, None, None) if times is None else times
        return RunInfo(
            backend=by,
            device=device,
            compute=self.choice.compute,
            dtype=self.choice.dtype_name,
            seconds=seconds,
            submit_seconds=submit,
            kernel_seconds=kernel,
            passed_over=tuple(passed_over[each] for each in better),
            algorithm=algorithm,
        )
