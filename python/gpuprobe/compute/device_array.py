"""Arrays in the memory of a GPU, and their way from and to NumPy."""

from __future__ import annotations

import sys
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

from .arrays import check_array, require
from .core import DeviceTensor
from .place import gpu_of, unavailable, way_out

if TYPE_CHECKING:
    from typing import TypedDict

    from .arrays import Array
    from .views import Part

    class CudaArrayInterface(TypedDict):
        """Version 3 of https://nvidia.github.io/numba-cuda/user/cuda_array_interface.html."""

        version: int
        shape: tuple[int, ...]
        strides: tuple[int, ...]
        typestr: str
        data: tuple[int, bool]
        stream: int


#: Bytes of an element, and how NumPy writes the type; the others have no letter of their own.
SIZES = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2,
    "float8_e4m3fn": 1, "float8_e5m2": 1, "int32": 4, "int8": 1,
}  # fmt: skip
LETTERS = {"float64": "<f8", "float32": "<f4", "float16": "<f2", "int32": "<i4", "int8": "|i1"}
#: CUDA's name for the default stream of a context; its handle is 0.
_LEGACY, _PER_THREAD = 1, 2


class DeviceArray(DeviceTensor):
    """An array in the memory of a GPU. `to_device` and `from_dlpack` make one.

    It holds its memory: what takes its address without a copy has to keep this object alive, and
    to be done with it before it goes. In a fork, and while the process ends, it can no longer be
    copied.

    Attributes:
        shape: Elements along each axis.
        strides: Bytes from one element to the next along each axis, as NumPy counts them.
        dtype: float64, float32, float16, bfloat16, float8_e4m3fn, float8_e5m2, int32 or int8.
        device: CUDA's ordinal.
        stream: The handle of the stream in whose order the memory is written, and used again; 0 is
            the default stream.
        address: Of the first element; 0 where there is no element.
        owner: What keeps the memory.
        is_read_only: The library that it was borrowed from forbids to write.
    """

    __slots__ = ()

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements alone."""
        return self.size * SIZES[self.dtype]

    @property
    def T(self) -> DeviceArray:  # noqa: N802  (as NumPy calls it)
        """The same memory with its axes reversed."""
        from .views import transposed

        return transposed(self)

    def reshape(self, *shape: int | tuple[int, ...]) -> DeviceArray:
        """The same memory in another shape, given as in NumPy; one extent may be -1.

        Raises:
            ValueError: It has another number of elements, or the array has gaps.
        """
        from .views import reshaped

        return reshaped(self, shape)

    def __getitem__(self, key: Part | tuple[Part, ...]) -> DeviceArray:
        """A part of the same memory: whole numbers, slices, an ellipsis, None.

        Raises:
            IndexError: There is no such element, or there are fewer axes.
            TypeError: A mask or a list of numbers, which would make a copy.
        """
        from .views import part_of

        return part_of(self, key)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return self.shape[0]

    def __bool__(self) -> bool:
        raise TypeError("whether an array of a GPU is true is not asked in silence: use numpy()")

    def __matmul__(self, other: DeviceArray) -> DeviceArray:
        """`gpuprobe.matmul` with another array of this GPU."""
        if not isinstance(other, DeviceArray):
            return NotImplemented
        from .product import matmul

        return matmul(self, other)

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device})"

    def copy(self) -> DeviceArray:
        """A copy without gaps on the same GPU, after what the array's stream was given so far.

        Nobody waits for it: its own stream is the same. Where the elements are not in rows (some
        axes swapped or reversed) they are put in order on the host.

        Raises:
            DriverError: The driver refuses; also where an earlier piece of work had failed.
            OutOfMemory: There is not so much memory left.
            RuntimeError: The process ends, or is a fork of the one that has the array.
        """
        from .copying import copied

        return copied(self)

    def numpy(self) -> Array:
        """A copy in a new NumPy array, after what the array's stream was given so far.

        Wide gaps between rows are left out by the GPU, any others on the host. The driver waits:
        Ctrl-C is heard after it.

        Raises:
            DriverError: The driver refuses; also where an earlier piece of work had failed.
            ImportError: The type comes with ml_dtypes, which is not installed.
            RuntimeError: The process ends, or is a fork of the one that has the array.
        """
        from .copying import brought_back

        return brought_back(self)

    def __array__(self, *_: object, **__: object) -> Array:
        """Refuses what NumPy would do in silence: `numpy()` says that it copies."""
        raise TypeError("an array of a GPU is not copied in silence: use numpy()")

    @property
    def __cuda_array_interface__(self) -> CudaArrayInterface:
        """The array for CuPy, Numba, torch and others, without a copy.

        They have to order their work after the stream that it names.

        Raises:
            AttributeError: bfloat16 and float8 have no name there.
        """
        letters = LETTERS.get(self.dtype)
        if letters is None:
            raise AttributeError(f"__cuda_array_interface__ has no name for {self.dtype}")
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": letters,
            "data": (self.address, self.is_read_only),
            "stream": self.stream or _LEGACY,
        }

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """A capsule of DLPack for torch, CuPy, JAX and others; no copy but where one is asked for.

        Args:
            stream: The handle of the consumer's stream, which waits for what the array's stream
                was given so far; None and 1: the default stream; -1: nobody waits. Memory that
                comes back serves others only when this stream has done with it, so it has to live
                until then.
            max_version: The newest version that the consumer knows; None: one before 1.0.
            dl_device: Where the consumer wants it: where it is, or (1, 0), a copy on the host.
            copy: Whether it has to be a copy, or must not be one; None: where it is needed.

        Raises:
            BufferError: Another device is asked for, the stream of each thread (2), a read-only
                array by a consumer from before DLPack 1.0, or the host without a copy.
            DriverError: The driver refuses.
            OutOfMemory: There is not so much memory left for a copy.
            RuntimeError: The process ends, or is a fork of the one that has the array.
            ValueError: The stream is 0, which DLPack forbids, or one is named for the host.
        """
        from .dlpack import lend

        place = None if dl_device is None else (int(dl_device[0]), int(dl_device[1]))
        return lend(self, stream, max_version, place, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's kind of device, 2 for CUDA, and CUDA's ordinal."""
        return (2, self.device)


@lru_cache
def compact(shape: tuple[int, ...], dtype: str) -> tuple[int, ...]:
    """The strides of an array without gaps, the last axis fastest."""
    steps = [max(extent, 1) for extent in shape]  # as NumPy counts
    return tuple(prod(steps[axis + 1 :]) * SIZES[dtype] for axis in range(len(shape)))


def empty(shape: tuple[int, ...], dtype: str, device: int, stream: int) -> DeviceArray:
    """An array without gaps on a GPU that was started; its elements are not yet written.

    Raises:
        DriverError: The driver refuses.
        OutOfMemory: There is not so much memory left.
        RuntimeError: gpuprobe's memory is gone: the process ends, or is a fork.
    """
    from ..memory.arenas import asked_of

    return asked_of(device, lambda arena: arena.empty(DeviceArray, shape, dtype, stream))


def stream_handle(stream: int | None) -> int:
    """The handle of a stream that somebody names: None, 0 and 1 are the default stream.

    Raises:
        ValueError: No handle; or 2, the stream of each thread: another thread would free memory on
            another one.
    """
    if stream is not None and (not 0 <= stream <= sys.maxsize or stream == _PER_THREAD):
        raise ValueError(f"stream is {stream}; use None, or the handle of a stream (cudaStream_t)")
    return 0 if stream in (None, _LEGACY) else stream


def start(device: int | None, call: str) -> int:
    """Start CUDA on a GPU, the current one where none is named, and return its number.

    Raises:
        GpuUnavailable: There is no usable GPU.
        OutOfMemory: It has not what is to be taken at once.
        ValueError: CUDA does not show so many GPUs to this process.
    """
    from .. import _core
    from ..memory.arenas import begin
    from ..memory.chosen import current
    from ..memory.errors import DriverError

    ordinal = current() if device is None else device
    if ordinal < 0:
        raise ValueError(f"device is {ordinal}; CUDA counts from 0")
    try:
        begin(ordinal)
    except DriverError as error:
        count = len(_core.cuda_state().uuids)
        if 0 < count <= ordinal:
            shown = f"CUDA shows {count} to this process, counted from 0"
            raise ValueError(f"device is {ordinal}; {shown}") from error
        healthy = f"No fault was found, yet {error}"
        raise unavailable(healthy, way_out(call)) from error
    return ordinal


def to_device(
    array: Array | DeviceArray, device: object = None, stream: int | None = None
) -> DeviceArray:
    """Copy an array into the memory of a GPU, as an array without gaps.

    Args:
        array: A NumPy array of float64, float32, float16, int32, int8, or bfloat16, float8_e4m3fn,
            float8_e5m2 of ml_dtypes, or a `DeviceArray`, also of another GPU; any shape, strides.
        device: CUDA's ordinal, after CUDA_VISIBLE_DEVICES, a UUID or a `gpuprobe.Device`; None:
            where the array is, or the current one, which is 0 unless `gpuprobe.cuda` or
            `gpuprobe.config` say otherwise. The first use starts CUDA.
        stream: The handle of the stream (cudaStream_t) in whose order the memory will be used;
            None: the default stream, or, on the same GPU, the array's own. It has to live until
            the array is gone.

    Raises:
        GpuUnavailable: There is no usable GPU; the text is the doctor's finding.
        ImportError: NumPy or the C core is missing.
        OutOfMemory: There is not so much memory left.
        TypeError: It is no plain array, or none of these types in this machine's byte order, or
            `device` names no GPU.
        ValueError: There is no such GPU or stream, or the array has more than 32 axes.
    """
    require("to_device")
    named = None if device is None else gpu_of("to_device", device)
    if isinstance(array, DeviceArray):
        from .copying import copied_to

        return copied_to(array, array.device if named is None else named, stream)
    check_array(array, "array")
    if array.dtype.name not in SIZES or not array.dtype.isnative:
        known = ", ".join(SIZES)
        raise TypeError(f"array: {array.dtype!r} is not supported; use {known}, in native order")
    from ..memory.copies import copy_in

    handle = stream_handle(stream)
    there = empty(array.shape, array.dtype.name, start(named, "to_device"), handle)
    if array.size:
        whole = array if array.flags.c_contiguous else array.copy(order="C")
        copy_in(there.device, there.address, whole, handle)
    return there
