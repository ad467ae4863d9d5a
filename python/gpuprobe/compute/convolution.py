"""Two-dimensional convolutions, as frameworks mean them: cross-correlations."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, overload

from .place import CPU, require_cpu

if TYPE_CHECKING:
    from .arrays import Array, DtypeLike
    from .options import Numbers, Padding
    from .run import RunInfo


@overload
def conv2d(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    device: object = None,
    info: Literal[False] = False,
) -> Array: ...
@overload
def conv2d(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    device: object = None,
    info: Literal[True],
) -> tuple[Array, RunInfo]: ...
def conv2d(  # noqa: PLR0913  (a convolution has so many options)
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    out_dtype: DtypeLike | None = None,
    device: object = None,
    info: bool = False,
) -> Array | tuple[Array, RunInfo]:
    """Each filter of `w` moved over the images of `x`: what torch and TensorFlow call conv2d.

    Args:
        x: Images, float64, float32, float16 or bfloat16; (n, c, h, w), or (n, h, w, c) where
            `layout` is "NHWC".
        w: Filters of the same type; (k, c / groups, r, s), or (k, r, s, c / groups).
        bias: Of the same type, (k,); added last.
        stride: One number, or (height, width).
        padding: Zeros around the image: one number, (height, width),
            ((top, bottom), (left, right)), "valid" (none), or "same" (ceil(size / stride) places
            in the result; an odd zero stands behind).
        dilation: Distance of the filter's taps: one number, or (height, width).
        groups: Parts into which channels and filters are cut; as many as channels: depthwise.
        layout: "NCHW" or "NHWC", for x, w and the result alike.
        compute: The arithmetic; see `matmul`.
        out_dtype: float16 and bfloat16 can also give float32.
        device: "cpu" runs the plain reference: right, and slow. None, the default, means the GPU.
        info: Return ``(result, RunInfo)``.

    Raises:
        GpuUnavailable: `device` is not "cpu", and there is no GPU to compute on.
        TypeError: An input is no array, or the types do not fit.
        ValueError: The shapes do not fit, or an option has no such value.
        ImportError: NumPy or the C core is missing.
    """
    require_cpu("conv2d", device)
    from .arrays import require

    require("conv2d")
    check_inputs(x, w, bias)
    from .. import _core
    from .arithmetic import choose
    from .options import options_of

    options = options_of(stride, padding, dilation, groups, layout)
    choice = choose("conv2d", x, w, compute, out_dtype)
    start = time.perf_counter()
    result = _core.conv2d_reference(x, w, bias, choice.dtype, choice.compute, options.for_core())
    seconds = time.perf_counter() - start
    if not info:
        return result
    from .run import RunInfo

    return result, RunInfo(CPU, CPU, choice.compute, choice.dtype.name, seconds)


def check_inputs(x: Array, w: Array, bias: Array | None) -> None:
    """Raise TypeError for what is no array, and for a bias of another type."""
    from .arrays import check_array

    check_array(x, "x")
    check_array(w, "w")
    if bias is None:
        return
    check_array(bias, "bias")
    if bias.dtype != w.dtype:
        raise TypeError(f"conv2d: w is {w.dtype}, and bias {bias.dtype}; convert the bias")
