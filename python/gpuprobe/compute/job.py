"""One call of matmul or conv2d, checked, and who carries it out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .operands import OnDevice
from .place import CPU
from .run import Ran, RunInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from .._core import Arena
    from .arithmetic import Choice
    from .arrays import Array
    from .device_array import DeviceArray
    from .operands import OnHost
    from .place import Place

    #: Submit and kernel, in seconds, and the algorithm; None: not measured.
    Times: TypeAlias = tuple[float, float, str | None] | None
    #: Queues the work of one back end on the result's stream: arena, its name, inputs, result.
    Queue: TypeAlias = Callable[[Arena, str, Sequence[DeviceArray], DeviceArray], Times]
    Reference: TypeAlias = Callable[[Sequence[Array]], Array]


@dataclass(frozen=True, slots=True)
class Job:
    """What is computed, on what, where; and the two ways to do it."""

    call: str
    operands: OnHost | OnDevice
    shape: tuple[int, ...]
    choice: Choice
    place: Place
    queue: Queue
    reference: Reference

    def run(self) -> tuple[Array | DeviceArray, Ran]:
        """The result, and what computed it.

        Raises:
            DriverError: The driver refuses, or a launch failed.
            GpuUnavailable: There is no usable GPU.
            OutOfMemory: It has not so much memory left.
            TypeError: The CPU is asked for, and the arrays are in the memory of a GPU.
            ValueError: The back end that was named cannot do it, or there is no such GPU.
        """
        if not self.place.is_cpu:
            from . import gpu_run

            return gpu_run.run(self)
        if isinstance(self.operands, OnDevice):
            where = f"the arrays are in the memory of GPU {self.operands.device}"
            raise TypeError(f"{self.call}: device is {CPU!r}, and {where}; use their numpy()")
        found, out = self.reference(self.operands.arrays), self.operands.out
        if out is None:
            return found, Ran(CPU, CPU)
        out[...] = found
        return out, Ran(CPU, CPU)

    def run_timed(self) -> tuple[Array | DeviceArray, RunInfo]:
        """The same with all that there is to tell of it."""
        begun = time.perf_counter()
        found, ran = self.run()
        submit, kernel, algorithm = (None, None, None) if ran.times is None else ran.times
        return found, RunInfo(
            backend=ran.backend,
            device=ran.device,
            compute=self.choice.compute,
            dtype=self.choice.dtype_name,
            seconds=time.perf_counter() - begun,
            submit_seconds=submit,
            kernel_seconds=kernel,
            transfer_seconds=ran.transfer,
            passed_over=ran.passed_over,
            algorithm=algorithm,
        )
