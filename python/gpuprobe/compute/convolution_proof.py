"""Proof of a convolution: it is a product of all patches of the images with the filters.

The patches are not copied: they are a view of the padded images, and the core reads its rows where
they lie. The bias is one more channel of the images, which is 1 everywhere, and has one tap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .proof import NotFinite
from .proving import Product, prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .arrays import Array
    from .options import Numbers, Options, Padding, Pair
    from .proof import Proof

_TO_NCHW = {0: (0, 1, 2, 3), 1: (0, 3, 1, 2)}  # by the core's number of the layout


def prove_conv2d(  # noqa: PLR0913  (a convolution has so many options)
    x: Array,
    w: Array,
    y: Array,
    bias: Array | None = None,
    *,
    stride: Numbers = 1,
    padding: Padding = 0,
    dilation: Numbers = 1,
    groups: int = 1,
    layout: str = "NCHW",
    compute: str | None = None,
    seed: int | None = None,
) -> Proof:
    """Whether `y` is the convolution of `x` with `w`, whoever computed it.

    All of it is proved, by as many steps as a convolution with one filter has. What was computed
    by the ways of Winograd or Fourier errs by more than a plain sum, and may exceed the bound.

    Args:
        x: As `conv2d` takes it.
        w: As `conv2d` takes it.
        y: What is said to be their convolution.
        bias: As `conv2d` takes it.
        stride: As `conv2d` takes it, as are `padding`, `dilation`, `groups` and `layout`.
        padding: See there.
        dilation: See there.
        groups: See there.
        layout: See there.
        compute: The arithmetic by which it was computed, and is judged.
        seed: Chooses the random numbers; None: others each time.

    Raises:
        TypeError: One is no array, or the types do not fit.
        ValueError: The shapes do not fit, an option has no such value, or the arithmetic promises
            nothing of such a sum, as in `prove_matmul`.
        ImportError: NumPy or the C core is missing.
    """
    from .arrays import check_array, require

    require("prove_conv2d")
    from .convolution import check_bias
    from .operands import OnHost

    inputs = [("x", x), ("w", w), *([] if bias is None else [("bias", bias)])]
    check_bias("prove_conv2d", OnHost(tuple(check_array(each, name) for name, each in inputs)))
    check_array(y, "y")
    from .arithmetic import compute_of
    from .options import options_of

    chosen = compute_of("prove_conv2d", x.dtype.name, w.dtype.name, compute)
    options = options_of(stride, padding, dilation, groups, layout)
    return prove(tuple(_products(_Whole.of(x, w, y, bias, options))), y.shape, chosen, seed)


@dataclass(frozen=True, slots=True)
class _Whole:
    """The convolution, with all axes in the order n c h w."""

    x: Array
    w: Array
    y: Array
    bias: Array | None
    options: Options
    before: Pair
    after: Pair

    @classmethod
    def of(cls, x: Array, w: Array, y: Array, bias: Array | None, options: Options) -> _Whole:
        """Raises ValueError where the shapes do not fit."""
        from .. import _core

        shape, before, after = _core.conv2d_shape(x, w, options.for_core())
        if y.shape != shape:
            raise ValueError(
                f"prove_conv2d: the convolution of {x.shape} with {w.shape} is {shape}, "
                f"not {y.shape}"
            )
        axes = _TO_NCHW[options.layout]
        x, w, y = (array.transpose(axes) for array in (x, w, y))
        return cls(x, w, y, bias, options, before, after)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the product of one group lies in the arrays."""

    whole: _Whole
    group: int

    def of_result(self, row: int, column: int) -> tuple[int, ...]:
        import numpy as np

        n, _, p, q = self.whole.y.shape
        image, height, width = (int(each) for each in np.unravel_index(row, (n, p, q)))
        return self._in_layout(image, self._filter(column), height, width)

    def of_input(self, which: str, row: int, column: int) -> NotFinite:
        if which == "c":
            return NotFinite("y", self.of_result(row, column))
        if which == "a":
            return NotFinite("x", self._in_image(row, column))
        channel, r, s = self._tap(row)
        if channel == self.whole.w.shape[1]:
            return NotFinite("bias", (self._filter(column),))
        return NotFinite("w", self._in_layout(self._filter(column), channel, r, s))

    def _filter(self, column: int) -> int:
        return self.group * (self.whole.w.shape[0] // self.whole.options.groups) + column

    def _tap(self, number: int) -> tuple[int, int, int]:
        import numpy as np

        _, channels, r, s = self.whole.w.shape
        channels += self.whole.bias is not None
        first, second, third = np.unravel_index(number, (channels, r, s))
        return int(first), int(second), int(third)

    def _in_image(self, row: int, column: int) -> tuple[int, ...]:
        import numpy as np

        whole, options = self.whole, self.whole.options
        n, _, p, q = whole.y.shape
        image, *place = (int(each) for each in np.unravel_index(row, (n, p, q)))
        channel, *tap = self._tap(column)
        height, width = (
            place[i] * options.stride[i] + tap[i] * options.dilation[i] - whole.before[i]
            for i in range(2)
        )
        return self._in_layout(image, self.group * whole.w.shape[1] + channel, height, width)

    def _in_layout(self, *index: int) -> tuple[int, ...]:
        """From n c h w to the layout of the caller."""
        axes = _TO_NCHW[self.whole.options.layout]
        return tuple(index[axes.index(axis)] for axis in range(4))


def _products(whole: _Whole) -> Iterator[Product]:
    """One product a group."""
    groups, channels = whole.options.groups, whole.w.shape[1]
    filters = whole.w.shape[0] // groups
    # The bias is one step; the other taps of its channel are 0.
    zero_steps = 0 if whole.bias is None else math.prod(whole.w.shape[2:]) - 1
    for group in range(groups):
        of_group = slice(group * filters, (group + 1) * filters)
        images = whole.x[:, group * channels : (group + 1) * channels]
        patches = _patches(_padded(images, whole), whole)
        taps = _taps(whole.w[of_group], None if whole.bias is None else whole.bias[of_group])
        result = whole.y[:, of_group].transpose(0, 2, 3, 1)
        yield Product(patches, taps, result, 3, _Places(whole, group), zero_steps)


def _padded(images: Array, whole: _Whole) -> Array:
    """The images with their zeros, and a channel of ones where there is a bias."""
    import numpy as np

    extra = 0 if whole.bias is None else 1
    if not extra and whole.before == whole.after == (0, 0):
        return images
    n, channels, height, width = images.shape
    (top, left), (bottom, right) = whole.before, whole.after
    shape = (n, channels + extra, height + top + bottom, width + left + right)
    padded = np.zeros(shape, images.dtype)
    padded[:, :channels, top : top + height, left : left + width] = images
    padded[:, channels:] = 1
    return padded


def _patches(images: Array, whole: _Whole) -> Array:
    """A view: (n, p, q) places, and at each of them (c, r, s)."""
    from numpy.lib.stride_tricks import as_strided

    n, _, p, q = whole.y.shape
    r, s = whole.w.shape[2:]
    (down, across), (row, column) = whole.options.stride, whole.options.dilation
    by_image, by_channel, by_row, by_column = images.strides
    return as_strided(
        images,
        (n, p, q, images.shape[1], r, s),
        (
            *(by_image, by_row * down, by_column * across),
            *(by_channel, by_row * row, by_column * column),
        ),
        writeable=False,
    )


def _taps(filters: Array, bias: Array | None) -> Array:
    """(c, r, s, k): the filters as columns; the bias stands at the first tap of its channel."""
    import numpy as np

    if bias is not None:
        k, _, r, s = filters.shape
        extra = np.zeros((k, 1, r, s), filters.dtype)
        extra[:, 0, 0, 0] = bias
        filters = np.concatenate((filters, extra), axis=1)
    taps: Array = filters.transpose(1, 2, 3, 0)
    return taps
