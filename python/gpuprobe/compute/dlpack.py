"""DLPack 1.x: lending arrays of a GPU to other libraries, and borrowing theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .arrays import check_form, require
from .device_array import SIZES, DeviceArray, compact, start, stream_handle
from .views import seen_as

if TYPE_CHECKING:
    from typing import TypeAlias

    Version: TypeAlias = tuple[int, int]
    Place: TypeAlias = tuple[int, int]

CPU, CUDA = 1, 2
_KNOWN = (1, 1)
#: The consumer's stream: the default one, and none that it wants to wait.
_LEGACY, _PER_THREAD, _UNORDERED = 1, 2, -1
#: DLPack's code and bits of each type.
CODES = {
    "float64": (2, 64), "float32": (2, 32), "float16": (2, 16), "bfloat16": (4, 16),
    "float8_e4m3fn": (10, 8), "float8_e5m2": (12, 8), "int32": (0, 32), "int8": (0, 8),
}  # fmt: skip
_NAMES = {code: name for name, code in CODES.items()}


class Exporter(Protocol):
    """What torch, CuPy, JAX and others call an array that can be borrowed."""

    def __dlpack__(
        self, *, stream: int | None = None, max_version: Version | None = None
    ) -> object: ...
    def __dlpack_device__(self) -> Place: ...


def lend(
    array: DeviceArray,
    stream: int | None,
    max_version: Version | None,
    place: Place | None,
    copy: bool | None,
) -> object:
    """The capsule of `DeviceArray.__dlpack__`."""
    from ..memory.arenas import follow

    is_versioned = max_version is not None and max_version[0] >= 1
    here = array.__dlpack_device__()
    if place == (CPU, 0):
        return _lend_on_the_host(array, stream, is_versioned, copy)
    if place not in (None, here):
        raise BufferError(f"the array is on {here}, not on {place}")
    consumer = array.stream if stream == _UNORDERED else _consumer(stream)
    lent = array.copy() if copy else array
    if lent.is_read_only and not is_versioned:
        raise BufferError("the array is read-only, which DLPack before 1.0 cannot say")
    size = SIZES[lent.dtype]
    if any(step % size for step in lent.strides):
        raise BufferError(f"strides of {lent.strides} bytes are no multiples of {size}")
    follow(lent.device, lent.owner, consumer, lent.stream)
    return _capsule_of(lent, lent.address, here, lent, is_versioned, bool(copy))


def _lend_on_the_host(
    array: DeviceArray, stream: int | None, is_versioned: bool, copy: bool | None
) -> object:
    """A copy in the memory of the host, which is there when it is lent."""
    if copy is False:
        raise BufferError("the array is on a GPU: on the host it would be a copy")
    if stream is not None:
        raise ValueError(f"stream is {stream}; the host has none")
    whole = array.numpy()
    address = whole.__array_interface__["data"][0]
    form = seen_as(array, array.shape, compact(array.shape, array.dtype))
    return _capsule_of(whole, address, (CPU, 0), form, is_versioned, True)


def _capsule_of(
    owner: object,
    address: int,
    place: Place,
    form: DeviceArray,
    is_versioned: bool,
    is_copied: bool,
) -> object:
    from .. import _core

    size = SIZES[form.dtype]
    return _core.dlpack_lend(
        owner,
        address,
        place,
        CODES[form.dtype],
        form.shape,
        tuple(step // size for step in form.strides),
        is_versioned,
        form.is_read_only and not is_copied,
        is_copied,
    )


def _consumer(stream: int | None) -> int:
    """The handle of the stream that is to wait."""
    if stream == 0:
        raise ValueError("stream is 0, which DLPack forbids: 1 is the default stream")
    if stream == _PER_THREAD:
        raise BufferError("the stream of each thread (2) cannot be waited for; name another one")
    return stream_handle(stream)


def from_dlpack(array: Exporter, stream: int | None = None) -> DeviceArray:
    """Borrow an array of a GPU from torch, CuPy, JAX or another library, without a copy.

    The other library gets it back when the `DeviceArray` goes.

    Args:
        array: What has `__dlpack__` and `__dlpack_device__`.
        stream: The handle of the stream in whose order the memory will be used; None: the default
            stream. The other library lets it wait for its own work on the array.

    Raises:
        BufferError: It is not in the memory of a CUDA device, or not of the one that it named, its
            type is none of `DeviceArray`'s, or its DLPack has another major version.
        GpuUnavailable: There is no usable GPU.
        ImportError: NumPy or the C core is missing.
        TypeError: It has no such methods.
        ValueError: There is no such stream, or the array has more than 32 axes.
    """
    require("from_dlpack")
    from .. import _core

    if not hasattr(array, "__dlpack__") or not hasattr(array, "__dlpack_device__"):
        raise TypeError(f"array: expected one with __dlpack__, got {type(array)!r}")
    kind, ordinal = array.__dlpack_device__()
    _check_kind(kind)
    handle = stream_handle(stream)
    device = start(int(ordinal), "from_dlpack")
    owner, address, place, code, shape, strides, is_read_only = _core.dlpack_take(
        _asked_for(array, handle or _LEGACY)
    )
    _check_kind(place[0])
    if place[1] != device:
        raise BufferError(f"the array is said to be on GPU {device}, its capsule says {place[1]}")
    name = _NAMES.get(code[:2])
    if name is None or code[2] != 1:
        raise BufferError(f"DLPack's type {code} (code, bits, lanes) is none of {', '.join(SIZES)}")
    steps = compact(shape, name) if strides is None else tuple(n * SIZES[name] for n in strides)
    check_form(shape, steps)
    return DeviceArray(
        shape=shape,
        strides=steps,
        dtype=name,
        device=device,
        stream=handle,
        address=0 if 0 in shape else address,
        owner=owner,
        is_read_only=is_read_only,
    )


def _check_kind(kind: int) -> None:
    if kind != CUDA:
        hint = "gpuprobe.to_device() takes NumPy's arrays"
        raise BufferError(
            f"the array is on a device of DLPack's kind {int(kind)}, not CUDA; {hint}"
        )


def _asked_for(array: Exporter, stream: int) -> object:
    """Libraries from before DLPack 1.0 know no max_version."""
    try:
        return array.__dlpack__(stream=stream, max_version=_KNOWN)
    except TypeError:
        return array.__dlpack__(stream=stream)
