"""The few calls of CUDA's driver that the benchmarks make beside gpuprobe: events, streams, memory.

They work in the primary context of the GPU, which gpuprobe and torch share. gpuprobe itself knows
nothing of them.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref, c_float, c_int, c_size_t, c_ubyte, c_uint, c_uint64, c_void_p
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

_NAME = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
_NOT_READY = 600
_NON_BLOCKING = 1

#: What the calls take. Names as the driver exports them.
_ARGUMENTS: dict[str, tuple[object, ...]] = {
    "cuInit": (c_uint,),
    "cuDeviceGet": (ctypes.POINTER(c_int), c_int),
    "cuDevicePrimaryCtxRetain": (ctypes.POINTER(c_void_p), c_int),
    "cuDevicePrimaryCtxRelease_v2": (c_int,),
    "cuCtxPushCurrent_v2": (c_void_p,),
    "cuCtxPopCurrent_v2": (ctypes.POINTER(c_void_p),),
    "cuCtxSynchronize": (),
    "cuEventCreate": (ctypes.POINTER(c_void_p), c_uint),
    "cuEventDestroy_v2": (c_void_p,),
    "cuEventRecord": (c_void_p, c_void_p),
    "cuEventQuery": (c_void_p,),
    "cuEventSynchronize": (c_void_p,),
    "cuEventElapsedTime": (ctypes.POINTER(c_float), c_void_p, c_void_p),
    "cuStreamCreate": (ctypes.POINTER(c_void_p), c_uint),
    "cuStreamDestroy_v2": (c_void_p,),
    "cuMemAlloc_v2": (ctypes.POINTER(c_uint64), c_size_t),
    "cuMemFree_v2": (c_uint64,),
    "cuMemGetInfo_v2": (ctypes.POINTER(c_size_t), ctypes.POINTER(c_size_t)),
    "cuMemsetD8Async": (c_uint64, c_ubyte, c_size_t, c_void_p),
}


class Driver:
    """CUDA on one GPU, current for this thread until it is left."""

    def __init__(self, device: int = 0) -> None:
        self._library = ctypes.CDLL(os.environ.get("GPUPROBE_LIBCUDA") or _NAME)
        for name, arguments in _ARGUMENTS.items():
            getattr(self._library, name).argtypes = arguments
        self._number = c_int()
        self._events: list[c_void_p] = []
        self._streams: list[c_void_p] = []
        context = c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", byref(self._number), device)
        self._call("cuDevicePrimaryCtxRetain", byref(context), self._number)
        self._call("cuCtxPushCurrent_v2", context)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            return  # what failed is told; the process ends, and the driver takes back the rest
        self.synchronize()
        for event in self._events:
            self._call("cuEventDestroy_v2", event)
        for stream in self._streams:
            self._call("cuStreamDestroy_v2", stream)
        self._call("cuCtxPopCurrent_v2", byref(c_void_p()))
        self._call("cuDevicePrimaryCtxRelease_v2", self._number)

    def event(self) -> c_void_p:
        """A new event that keeps the time."""
        made = c_void_p()
        self._call("cuEventCreate", byref(made), 0)
        self._events.append(made)
        return made

    def stream(self) -> int:
        """The handle of a new stream that does not wait for the default one."""
        made = c_void_p()
        self._call("cuStreamCreate", byref(made), _NON_BLOCKING)
        self._streams.append(made)
        return made.value or 0

    def record(self, event: c_void_p) -> None:
        """Behind what the default stream was given so far."""
        self._call("cuEventRecord", event, None)

    def is_reached(self, event: c_void_p) -> bool:
        """Whether the GPU has come so far."""
        code = self._library.cuEventQuery(event)
        return code != _NOT_READY and self._check("cuEventQuery", code)

    def wait(self, event: c_void_p) -> None:
        """Until the GPU has come so far."""
        self._call("cuEventSynchronize", event)

    def seconds(self, begin: c_void_p, end: c_void_p) -> float:
        """Between two events that were reached."""
        milliseconds = c_float()
        self._call("cuEventElapsedTime", byref(milliseconds), begin, end)
        return milliseconds.value / 1e3

    def synchronize(self) -> None:
        """Wait for all work of this process on the GPU."""
        self._call("cuCtxSynchronize")

    def fill(self, address: int, size_bytes: int) -> None:
        """Queue on the default stream that this memory is overwritten with zeros."""
        self._call("cuMemsetD8Async", address, 0, size_bytes, None)

    def allocate(self, size_bytes: int) -> int:
        """The address of new memory: cuMemAlloc."""
        address = c_uint64()
        self._call("cuMemAlloc_v2", byref(address), size_bytes)
        return address.value

    def free(self, address: int) -> None:
        """Give memory back: cuMemFree."""
        self._call("cuMemFree_v2", address)

    def free_bytes(self) -> int:
        """What is free on the GPU, by its driver."""
        free, total = c_size_t(), c_size_t()
        self._call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value

    def _call(self, name: str, *arguments: object) -> None:
        self._check(name, getattr(self._library, name)(*arguments))

    @staticmethod
    def _check(name: str, code: int) -> bool:
        if code != 0:
            raise RuntimeError(f"{name} failed with {code}")
        return True
