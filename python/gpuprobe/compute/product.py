"""Matrix products."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, overload

from .place import CPU, require_cpu

if TYPE_CHECKING:
    from .arrays import Array, DtypeLike
    from .run import RunInfo


@overload
def matmul(
    a: Array,
    b: Array,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    device: object = None,
    info: Literal[False] = False,
) -> Array: ...
@overload
def matmul(
    a: Array,
    b: Array,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    device: object = None,
    info: Literal[True],
) -> tuple[Array, RunInfo]: ...
def matmul(
    a: Array,
    b: Array,
    *,
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    device: object = None,
    info: bool = False,
) -> Array | tuple[Array, RunInfo]:
    """The product of two arrays, shaped as `numpy.matmul` shapes it.

    Vectors, stacks of matrices that are broadcast, any strides, and sizes of 0 are fine.

    Args:
        a: float64, float32, float16, bfloat16, float8_e4m3fn, float8_e5m2, int8 or int32;
            (…, m, k) or (k,).
        b: Of the same type, (…, k, n) or (k,).
        compute: The arithmetic. The default is that of the inputs' type: float16 and bfloat16 are
            summed in float32, int8 and int32 modulo 2**32. "tf32" for float32 has to be asked for.
        out_dtype: float16 and bfloat16 can also give float32; float8 gives float32 (the default),
            bfloat16 or float16; int8 gives int32. Else it is the type of the inputs.
        device: "cpu" runs the plain reference: right, and slow. None, the default, means the GPU.
        info: Return ``(result, RunInfo)``.

    Raises:
        GpuUnavailable: `device` is not "cpu", and there is no GPU to compute on.
        TypeError: An input is no array, or the types do not fit.
        ValueError: The shapes do not fit, or there is no such arithmetic or result.
        ImportError: NumPy or the C core is missing.
    """
    require_cpu("matmul", device)
    from .arrays import check_array, require

    require("matmul")
    check_array(a, "a")
    check_array(b, "b")
    from .. import _core
    from .arithmetic import choose

    choice = choose("matmul", a, b, compute, out_dtype)
    start = time.perf_counter()
    result = _core.matmul_reference(a, b, choice.dtype, choice.compute)
    seconds = time.perf_counter() - start
    if not info:
        return result
    from .run import RunInfo

    return result, RunInfo(CPU, CPU, choice.compute, choice.dtype.name, seconds)
