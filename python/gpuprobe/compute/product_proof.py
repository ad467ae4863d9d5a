"""Proof of a matrix product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .proof import NotFinite
from .proving import Product, prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .arrays import Array
    from .proof import Proof


def prove_matmul(
    a: Array, b: Array, c: Array, *, compute: str | None = None, seed: int | None = None
) -> Proof:
    """Whether `c` is the product of `a` and `b`, whoever computed it.

    The product is not computed again: the proof of a large one costs O(n²). What is wrong is
    located and described. Nothing but the CPU is needed.

    Args:
        a: As `matmul` takes it: (…, m, k) or (k,).
        b: Of the same type: (…, k, n) or (k,).
        c: What is said to be their product: in the shape that `numpy.matmul` gives it, of any
            type that `matmul` knows.
        compute: The arithmetic by which it was computed, and is judged; the default is that of
            the inputs' type. What TF32 computed is wrong by the measure of float32.
        seed: Chooses the random numbers; None: others each time.

    Raises:
        TypeError: One is no array, or the types do not fit.
        ValueError: The shapes do not fit, or the arithmetic promises nothing of such a sum: it is
            so long, or of so small numbers, that what is rounded or underflows may be as large as
            the result, or it may overflow.
        ImportError: NumPy or the C core is missing.
    """
    from .arrays import check_array, require

    require("prove_matmul")
    for name, array in (("a", a), ("b", b), ("c", c)):
        check_array(array, name)
    from .arithmetic import compute_of

    chosen = compute_of("prove_matmul", a.dtype.name, b.dtype.name, compute)
    return prove(tuple(_products(a, b, c)), c.shape, chosen, seed)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where one product of a stack lies in the three arrays."""

    batch: tuple[int, ...]
    a: Array
    b: Array
    vectors: tuple[bool, bool]  # a 1-D `a` has no rows, a 1-D `b` no columns

    def of_result(self, row: int, column: int) -> tuple[int, ...]:
        rows = () if self.vectors[0] else (row,)
        columns = () if self.vectors[1] else (column,)
        return (*self.batch, *rows, *columns)

    def of_input(self, which: str, row: int, column: int) -> NotFinite:
        if which == "c":
            return NotFinite("c", self.of_result(row, column))
        array, is_vector = (self.a, self.vectors[0]) if which == "a" else (self.b, self.vectors[1])
        if is_vector:
            return NotFinite(which, (column if which == "a" else row,))
        return NotFinite(which, (*self._batch_of(array), row, column))

    def _batch_of(self, array: Array) -> tuple[int, ...]:
        """Along an axis that was broadcast there is only one element."""
        own = array.shape[:-2]
        return tuple(
            0 if extent == 1 else index
            for extent, index in zip(own, self.batch[len(self.batch) - len(own) :], strict=True)
        )


def _products(a: Array, b: Array, c: Array) -> Iterator[Product]:
    """Each product of the stack; the core refuses matrices that do not fit."""
    import numpy as np

    _check_ndim(a, b)
    left = a[np.newaxis] if a.ndim == 1 else a
    right = b[:, np.newaxis] if b.ndim == 1 else b
    try:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError as error:
        raise ValueError(
            f"prove_matmul: the stacks of {a.shape} and {b.shape} cannot be broadcast together"
        ) from error
    vectors = (a.ndim == 1, b.ndim == 1)
    expected = _shape(batch, left, right, vectors)
    if left.shape[-1] != right.shape[-2] or c.shape != expected:
        raise ValueError(
            f"prove_matmul: {a.shape} times {b.shape} is not {c.shape}"
            + (f" but {expected}" if left.shape[-1] == right.shape[-2] else "")
        )
    left = np.broadcast_to(left, (*batch, *left.shape[-2:]))
    right = np.broadcast_to(right, (*batch, *right.shape[-2:]))
    result = np.expand_dims(c, [axis for axis in (-2, -1) if vectors[axis + 2]])
    for index in np.ndindex(*batch):
        places = _Places(index, a, b, vectors)
        yield Product(left[index], right[index], result[index], 1, places)


def _check_ndim(a: Array, b: Array) -> None:
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError(f"prove_matmul: {a.shape} and {b.shape}: a scalar has no rows and columns")


def _shape(
    batch: tuple[int, ...], left: Array, right: Array, vectors: tuple[bool, bool]
) -> tuple[int, ...]:
    """What numpy.matmul makes of them."""
    rows = () if vectors[0] else (left.shape[-2],)
    columns = () if vectors[1] else (right.shape[-1],)
    return (*batch, *rows, *columns)
