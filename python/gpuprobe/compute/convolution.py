"""Two-dimensional convolutions, as frameworks mean them: cross-correlations."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from .arithmetic import choose
from .arrays import dtype_name
from .core import core
from .job import Job
from .operands import OnDevice, checked_out, taken
from .options import options_of
from .place import device_of, no_name, place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .arrays import Array, DtypeLike
    from .device_array import DeviceArray
    from .operands import Foreign, OnHost, Operand
    from .options import CoreOptions, Numbers, Padding
    from .run import RunInfo

    A = TypeVar("A", Array, DeviceArray)


@overload
def conv2d(  # type: ignore[overload-overlap]  # NumPy's have __dlpack__, too
    x: A,
    w: A,
    bias: A | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: A | None = None,
    info: Literal[False] = False,
) -> A: ...
@overload
def conv2d(  # type: ignore[overload-overlap]  # NumPy's have __dlpack__, too
    x: A,
    w: A,
    bias: A | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: A | None = None,
    info: Literal[True],
) -> tuple[A, RunInfo]: ...
@overload
def conv2d(
    x: Foreign,
    w: Foreign,
    bias: Foreign | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: DeviceArray | None = None,
    info: Literal[False] = False,
) -> DeviceArray: ...
@overload
def conv2d(
    x: Foreign,
    w: Foreign,
    bias: Foreign | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    backend: str = "auto",
    device: object = None,
    out: DeviceArray | None = None,
    info: Literal[True],
) -> tuple[DeviceArray, RunInfo]: ...
def conv2d(  # noqa: PLR0913  (a convolution has so many options)
    x: Operand,
    w: Operand,
    bias: Operand | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: object = None,
    out_dtype: DtypeLike | None = None,
    backend: object = "auto",
    device: object = None,
    out: Array | DeviceArray | None = None,
    info: bool = False,
) -> Array | DeviceArray | tuple[Array | DeviceArray, RunInfo]:
    """Each filter of `w` moved over the images of `x`: what torch and TensorFlow call conv2d.

    NumPy's arrays and those of a GPU are treated as by `matmul`.

    Args:
        x: Images, float64, float32, float16 or bfloat16; (n, c, h, w), or (n, h, w, c) where
            `layout` is "NHWC".
        w: Filters of the same type and kind; (k, c / groups, r, s), or (k, r, s, c / groups).
        bias: Of the same type and kind, (k,); added last.
        stride: One number, or (height, width).
        padding: Zeros around the image: one number, (height, width),
            ((top, bottom), (left, right)), "valid" (none), or "same" (ceil(size / stride) places
            in the result; an odd zero stands behind).
        dilation: Distance of the filter's taps: one number, or (height, width).
        groups: Parts into which channels and filters are cut; as many as channels: depthwise.
        layout: "NCHW" or "NHWC", for x, w and the result alike.
        compute: The arithmetic; see `matmul`.
        out_dtype: float16 and bfloat16 can also give float32.
        backend: See `matmul`.
        device: See `matmul`.
        out: See `matmul`.
        info: Wait, measure, and return ``(result, RunInfo)``.

    Raises:
        GpuUnavailable: A GPU is meant, and there is no usable one.
        OutOfMemory: It has not so much memory left.
        DriverError: A launch or a copy failed; the text names it, the GPU and the code.
        BufferError: An array of another library is not in the memory of a CUDA device.
        TypeError: An input is no array, or the types do not fit.
        ValueError: The shapes do not fit, an option has no such value, or this back end cannot do
            it.
        ImportError: NumPy or the C core is missing.
    """
    named = (("x", x), ("w", w), ("bias", bias))
    operands = taken("conv2d", [(name, each) for name, each in named if each is not None])
    images, filters, *_ = operands.dtypes
    options = options_of(stride, padding, dilation, groups, layout).for_core()
    place = None if device is None else device_of("conv2d", device)
    asked = None if out_dtype is None else dtype_name("conv2d", out_dtype)
    if not isinstance(backend, str) or (compute is not None and not isinstance(compute, str)):
        raise no_name("conv2d", backend, compute)
    job = _job(images, filters, compute, asked, place, backend, options)
    check_bias("conv2d", operands)
    if isinstance(operands, OnDevice):
        return job.queued(operands.arrays, out, info)
    shape, _, _ = core.conv2d_shape(operands.arrays[0], operands.arrays[1], options)
    if out is not None:
        out = checked_out("conv2d", operands.arrays, out, shape, job.choice)
    computed, told = job.computed(operands.arrays, out, info)
    return computed if told is None else (computed, told)


def check_bias(call: str, operands: OnHost | OnDevice) -> None:
    """Raise where there is a third operand, and it is no bias of the second one's filters."""
    shapes = [each.shape for each in operands.arrays]
    _, filters, *bias_dtype = operands.dtypes
    if bias_dtype not in ([], [filters]):
        raise TypeError(f"{call}: w is {filters}, and bias {bias_dtype[0]}; convert the bias")
    if bias_dtype and shapes[2] != shapes[1][:1]:
        wanted = f"expected {shapes[1][:1]}, one element a filter"
        raise ValueError(f"{call}: bias has the shape {shapes[2]}; {wanted}")


@lru_cache
def _job(
    x: str,
    w: str,
    compute: str | None,
    out_dtype: str | None,
    device: int | str | None,
    backend: str,
    options: CoreOptions,
) -> Job:
    place = place_of("conv2d", device, backend)
    choice = choose("conv2d", x, w, compute, out_dtype)

    def reference(arrays: Sequence[Array]) -> Array:
        x, w, *more = arrays
        bias = more[0] if more else None
        return core.conv2d_reference(x, w, bias, choice.dtype, choice.compute, options)

    settings = (choice.dtype_name, choice.compute, options)
    return Job("conv2d", choice, place, core.Arena.conv2d, settings, reference)
