"""Arrays of numbers of chance, and memory that is spoilt before something is computed into it."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

import gpuprobe
from gpuprobe.compute.arrays import dtype_of
from gpuprobe.compute.device_array import SIZES

if TYPE_CHECKING:
    from gpuprobe import DeviceArray
    from gpuprobe.compute.arrays import Array

_INT8 = (-128, 128)


@dataclass(frozen=True, slots=True)
class Kind:
    """Types and arithmetic under one name: "tf32" is float32 that is computed as TF32."""

    dtype: str
    compute: str
    result: str

    @property
    def is_tf32(self) -> bool:
        """Whether torch's switch for it has to be on."""
        return self.compute == "tf32"

    def array_bytes(self, *inputs: tuple[int, ...], result: tuple[int, ...]) -> int:
        """Of the inputs and the result."""
        return sum(map(prod, inputs)) * SIZES[self.dtype] + prod(result) * SIZES[self.result]


KINDS = {
    "float64": Kind("float64", "float64", "float64"),
    "float32": Kind("float32", "float32", "float32"),
    "tf32": Kind("float32", "tf32", "float32"),
    "float16": Kind("float16", "float16", "float16"),
    "bfloat16": Kind("bfloat16", "bfloat16", "bfloat16"),
    "int8": Kind("int8", "int32", "int32"),
}


def numbers(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    """Normally distributed; of int8 all its values alike."""
    if dtype == "int8":
        return random.integers(*_INT8, shape, np.int8)
    drawn = random.standard_normal(shape, np.float64 if dtype == "float64" else np.float32)
    return drawn.astype(dtype_of(dtype), copy=False)


def spoilt(shape: tuple[int, ...], dtype: str) -> DeviceArray:
    """Memory of a GPU that is NaN everywhere, or -1: a place that is not written is seen."""
    filled = np.full(prod(shape) * SIZES[dtype], 0xFF, np.uint8)
    return gpuprobe.to_device(filled.view(dtype_of(dtype)).reshape(shape))
