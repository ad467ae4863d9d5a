"""Who gives memory: gpuprobe's arena, torch's cache, the driver itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import gpuprobe
from gpuprobe.compute.device_array import empty

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from .cuda_driver import Driver


class Allocator(Protocol):
    """Takes memory; what it gave goes back when the object goes, or by `give`."""

    def take(self, size_bytes: int, stream: int) -> object:
        """Memory for one of the streams, by its number."""

    def give(self, taken: object) -> None:
        """It goes back."""

    def clear(self) -> None:
        """Reserve nothing, and let the peak begin anew."""

    def reserved_peak(self) -> int | None:
        """The most bytes that were reserved since; None: nobody counts."""


class Ours:
    """gpuprobe's arrays."""

    def __init__(self, streams: Sequence[int]) -> None:
        self._streams = streams

    def take(self, size_bytes: int, stream: int) -> object:
        """See `Allocator`."""
        return empty((size_bytes,), "int8", 0, self._streams[stream])

    def give(self, taken: object) -> None:
        """It goes with its last name."""

    def clear(self) -> None:
        """See `Allocator`."""
        gpuprobe.memory.trim()
        gpuprobe.memory.reset_peak()

    def reserved_peak(self) -> int:
        """See `Allocator`."""
        return gpuprobe.memory.stats().reserved_peak_bytes


class Torchs:
    """The tensors of torch."""

    def __init__(self, torch: ModuleType, streams: Sequence[int]) -> None:
        self._torch = torch
        self._streams = [
            torch.cuda.ExternalStream(each) if each else torch.cuda.default_stream()
            for each in streams
        ]
        self._now = 0
        self._device = torch.device("cuda", 0)

    def take(self, size_bytes: int, stream: int) -> object:
        """See `Allocator`. The current stream is changed only where it is another one."""
        torch = self._torch
        if stream != self._now:
            torch.cuda.set_stream(self._streams[stream])
            self._now = stream
        return torch.empty(size_bytes, dtype=torch.int8, device=self._device)

    def give(self, taken: object) -> None:
        """It goes with its last name."""

    def clear(self) -> None:
        """See `Allocator`."""
        self._torch.cuda.set_stream(self._streams[0])
        self._now = 0
        self._torch.cuda.synchronize()
        self._torch.cuda.empty_cache()
        self._torch.cuda.reset_peak_memory_stats()

    def reserved_peak(self) -> int:
        """See `Allocator`."""
        return int(self._torch.cuda.max_memory_reserved())


class Drivers:
    """cuMemAlloc and cuMemFree, which know no streams."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def take(self, size_bytes: int, stream: int) -> object:  # noqa: ARG002  (it knows none)
        """See `Allocator`."""
        return self._driver.allocate(size_bytes)

    def give(self, taken: object) -> None:
        """See `Allocator`."""
        if isinstance(taken, int):
            self._driver.free(taken)

    def clear(self) -> None:
        """It never keeps any."""

    def reserved_peak(self) -> None:
        """It keeps no count."""
