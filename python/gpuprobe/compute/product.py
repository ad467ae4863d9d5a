"""Matrix products."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from .arithmetic import choose
from .arrays import dtype_name
from .core import core
from .device_array import DeviceArray
from .job import Job
from .operands import OnDevice, checked_out, taken
from .place import device_of, no_name, place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .arrays import Array, DtypeLike
    from .operands import Foreign, Operand
    from .run import RunInfo

    A = TypeVar("A", Array, DeviceArray)


@overload
def matmul(  # type: ignore[overload-overlap]  # NumPy's have __dlpack__, too
    a: A,
    b: A,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: A | None = None,
    info: Literal[False] = False,
) -> A: ...
@overload
def matmul(  # type: ignore[overload-overlap]  # NumPy's have __dlpack__, too
    a: A,
    b: A,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: A | None = None,
    info: Literal[True],
) -> tuple[A, RunInfo]: ...
@overload
def matmul(
    a: Foreign,
    b: Foreign,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: DeviceArray | None = None,
    info: Literal[False] = False,
) -> DeviceArray: ...
@overload
def matmul(
    a: Foreign,
    b: Foreign,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: DeviceArray | None = None,
    info: Literal[True],
) -> tuple[DeviceArray, RunInfo]: ...
def matmul(  # noqa: PLR0913  (each is one way to say what is computed)
    a: Operand,
    b: Operand,
    *,
    compute: object = None,
    out_dtype: DtypeLike | None = None,
    backend: object = "auto",
    device: object = None,
    out: Array | DeviceArray | None = None,
    info: bool = False,
) -> Array | DeviceArray | tuple[Array | DeviceArray, RunInfo]:
    """The product of two arrays, shaped as `numpy.matmul` shapes it.

    Vectors, stacks of matrices that are broadcast, any strides, and sizes of 0 are fine. NumPy's
    arrays are copied to the GPU, and the result comes back as one. Of arrays in the memory of a GPU
    the result is a `DeviceArray` there: the work is queued on the stream of `out`, else of `a`, and
    nothing waits for it. The first call on a GPU starts CUDA in this process.

    Args:
        a: float64, float32, float16, bfloat16, float8_e4m3fn, float8_e5m2, int8 or int32;
            (…, m, k) or (k,). NumPy's, a `DeviceArray`, or one of another
            library on a GPU (`from_dlpack`, `from_cuda_array`).
        b: Of the same type and kind, (…, k, n) or (k,).
        compute: The arithmetic. The default is that of the inputs' type: float16 and bfloat16 are
            summed in float32, int8 and int32 modulo 2**32. "tf32" for float32 has to be asked for.
        out_dtype: float16 and bfloat16 can also give float32; float8 gives float32 (the default),
            bfloat16 or float16; int8 gives int32. Else it is the type of the inputs.
        backend: "cublas": NVIDIA's cuBLAS (cuBLASLt); "native": our own kernels; "auto": the first
            of them that can do it; "cpu".
        device: CUDA's ordinal, a UUID or a `gpuprobe.Device`; None: that of the arrays, else the
            current one. "cpu" runs the plain reference: right, and slow.
        out: Where the result is written: of its type, shape and kind, without gaps where it is a
            `DeviceArray`, and apart from the inputs.
        info: Wait, measure, and return ``(result, RunInfo)``.

    Raises:
        GpuUnavailable: A GPU is meant, and there is no usable one.
        OutOfMemory: It has not so much memory left.
        DriverError: A launch or a copy failed; the text names it, the GPU and the code.
        BufferError: An array of another library is not in the memory of a CUDA device.
        TypeError: An input is no array, or the types do not fit.
        ValueError: The shapes do not fit, there is no such arithmetic, result, back end or GPU, or
            this back end cannot do it.
        ImportError: NumPy or the C core is missing.
    """
    asked = None if out_dtype is None else dtype_name("matmul", out_dtype)
    place = None if device is None else device_of("matmul", device)
    if not isinstance(backend, str) or (compute is not None and not isinstance(compute, str)):
        raise no_name("matmul", backend, compute)
    if isinstance(a, DeviceArray) and isinstance(b, DeviceArray):  # the road that has to be short
        return _job(a.dtype, b.dtype, compute, asked, place, backend).queued((a, b), out, info)
    operands = taken("matmul", (("a", a), ("b", b)))
    job = _job(*operands.dtypes, compute, asked, place, backend)
    if isinstance(operands, OnDevice):
        return job.queued(operands.arrays, out, info)
    shape = core.matmul_shape(*operands.arrays)
    if out is not None:
        out = checked_out("matmul", operands.arrays, out, shape, job.choice)
    computed, told = job.computed(operands.arrays, out, info)
    return computed if told is None else (computed, told)


@lru_cache
def _job(
    left: str,
    right: str,
    compute: str | None,
    out_dtype: str | None,
    device: int | str | None,
    backend: str,
) -> Job:
    place = place_of("matmul", device, backend)
    choice = choose("matmul", left, right, compute, out_dtype)

    def reference(arrays: Sequence[Array]) -> Array:
        return core.matmul_reference(arrays[0], arrays[1], choice.dtype, choice.compute)

    settings = (choice.dtype_name, choice.compute)
    return Job("matmul", choice, place, core.Arena.matmul, settings, reference)
