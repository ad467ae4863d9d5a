"""Arrays for the tests of products and convolutions, of every type and with odd strides."""

from __future__ import annotations

import numpy as np
import pytest

#: float32 sums of whole numbers as small as these are exact, in any order.
SMALL = 7


def dtype_named(name: str) -> np.dtype:
    """The type, or a skip where ml_dtypes is missing."""
    if name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def whole(shape: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> np.ndarray:
    """Small whole numbers of either sign."""
    numbers = np.random.default_rng(seed).integers(-SMALL, SMALL + 1, shape)
    return numbers.astype(dtype_named(dtype))


def floats(shape: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> np.ndarray:
    """Normally distributed numbers."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype_named(dtype))


def strided(array: np.ndarray, way: str) -> np.ndarray:
    """The same elements, otherwise in memory."""
    if way == "transposed":
        return np.ascontiguousarray(array.T).T
    if way == "backwards":
        return array[..., ::-1].copy()[..., ::-1]
    if way == "every second":
        wide = np.zeros((*array.shape, 2), array.dtype)
        wide[..., 0] = array
        return wide[..., 0]
    return array


WAYS = ("plain", "transposed", "backwards", "every second")


def as_tf32(array: np.ndarray) -> np.ndarray:
    """Rounded to 11 bits, as TF32 takes its inputs."""
    bits = array.astype(np.float32).view(np.uint32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & np.uint32(0xFFFFE000)).view(np.float32)
