"""`__cuda_array_interface__`, versions 2 and 3: borrowing arrays of a GPU from other libraries."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from .arrays import check_form, require
from .device_array import LETTERS, DeviceArray, compact, start, stream_handle

_KNOWN = (2, 3)
#: Bytes have no order, so that some write one and some do not.
_NAMES = {letters: name for name, letters in LETTERS.items()} | {"<i1": "int8"}
#: How a producer calls the stream of the thread that asks.
_PER_THREAD = 2
_ADDRESSES = 1 << 64


class CudaExporter(Protocol):
    """What CuPy, Numba, torch and others call an array that can be borrowed."""

    @property
    def __cuda_array_interface__(self) -> Mapping[str, object]: ...


@dataclass(frozen=True, slots=True)
class _Told:
    """What an interface says; `stream` None: there is nothing to wait for."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    address: int
    is_read_only: bool
    stream: int | None


def from_cuda_array(array: CudaExporter, stream: int | None = None) -> DeviceArray:
    """Borrow an array of a GPU by its `__cuda_array_interface__`, without a copy.

    The `DeviceArray` keeps the other library's array alive.

    Args:
        array: What has `__cuda_array_interface__`, version 2 or 3.
        stream: The handle of the stream in whose order the memory will be used; None: the default
            stream. It waits for the stream that the interface names.

    Raises:
        BufferError: The interface is of another version or has a mask, its type is none of
            `DeviceArray`'s, or its address is none of CUDA's.
        DriverError: The driver refuses.
        GpuUnavailable: There is no usable GPU.
        ImportError: NumPy or the C core is missing.
        RuntimeError: The process is a fork of one that had used a GPU.
        TypeError: It has no such interface.
        ValueError: There is no such stream, or the array has more than 32 axes.
    """
    require("from_cuda_array")
    from ..memory.arenas import device_of, follow

    told = _told(array)
    handle = stream_handle(stream)
    is_empty = 0 in told.shape
    ordinal = None if is_empty else device_of(told.address)
    device = start(ordinal, "from_cuda_array")
    owner = array.owner if isinstance(array, DeviceArray) else array
    if told.stream is not None:
        of_thread = told.stream == _PER_THREAD
        follow(device, owner, handle, _PER_THREAD if of_thread else stream_handle(told.stream))
    return DeviceArray(
        shape=told.shape,
        strides=told.strides,
        dtype=told.dtype,
        device=device,
        stream=handle,
        address=0 if is_empty else told.address,
        owner=owner,
        is_read_only=told.is_read_only,
    )


def _told(array: object) -> _Told:
    interface = getattr(array, "__cuda_array_interface__", None)
    if not isinstance(interface, Mapping):
        raise TypeError(f"array: expected one with __cuda_array_interface__, got {type(array)!r}")
    version = interface.get("version")
    if version not in _KNOWN:
        raise BufferError(f"__cuda_array_interface__ {version} is not known; gpuprobe knows 2, 3")
    if interface.get("mask") is not None:
        raise BufferError("the array has a mask, which would be lost")
    shape = _numbers(interface, "shape")
    dtype = _dtype(interface.get("typestr"))
    is_compact = interface.get("strides") is None
    strides = compact(shape, dtype) if is_compact else _numbers(interface, "strides")
    if len(strides) != len(shape):
        raise BufferError(f"shape {shape} and strides {strides} do not fit")
    check_form(shape, strides)
    address, is_read_only = _pair(interface.get("data"))
    return _Told(shape, strides, dtype, address, is_read_only, _stream(interface.get("stream")))


def _numbers(interface: Mapping[str, object], name: str) -> tuple[int, ...]:
    told = interface.get(name)
    if isinstance(told, Sequence):
        numbers = tuple(each for each in told if isinstance(each, int))
        if len(numbers) == len(told):
            return numbers
    raise BufferError(f"its {name} are no whole numbers: {told!r}")


def _dtype(typestr: object) -> str:
    name = _NAMES.get(typestr) if isinstance(typestr, str) else None
    if name is None:
        raise BufferError(f"its type {typestr!r} is none of {', '.join(LETTERS)} in native order")
    return name


def _pair(data: object) -> tuple[int, bool]:
    if isinstance(data, tuple) and len(data) == 2:  # noqa: PLR2004
        address, is_read_only = data
        if isinstance(address, int) and 0 <= address < _ADDRESSES:
            return address, bool(is_read_only)
    raise BufferError(f"its data is no pair of an address and a flag: {data!r}")


def _stream(stream: object) -> int | None:
    if stream is None:
        return None
    if not isinstance(stream, int) or not 0 < stream <= sys.maxsize:
        raise BufferError(f"its stream is {stream!r}; 1 is the default stream, and 0 is forbidden")
    return stream
