"""A product of whole numbers is right to the last bit, whatever stands in an element's place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuprobe
from support.arrays import dtype_named

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")


@settings(max_examples=200)
@given(
    st.sampled_from(
        ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int8"]
    ),
    st.tuples(st.integers(1, 3), st.integers(1, 2), st.integers(1, 40)),
    st.integers(1, 2**64 - 1),
    st.integers(0, 2**32),
    st.data(),
)
def test_whole_numbers_hold_exactly_where_they_are_the_product(
    dtype: str, shape: tuple[int, int, int], flips: int, seed: int, data: st.DataObject
):
    """Whatever bits of an element are flipped: it is the same number, or it is found wrong."""
    rng = np.random.default_rng(seed)
    m, k, n = shape
    a, b = (rng.integers(-2, 3, size).astype(dtype_named(dtype)) for size in ((m, k), (k, n)))
    right = (a.astype("float64") @ b.astype("float64")).astype(a.dtype)
    wrong = right.copy()
    bits = wrong.view(f"u{a.dtype.itemsize}")
    place = data.draw(st.integers(0, m - 1)), data.draw(st.integers(0, n - 1))
    bits[place] ^= bits.dtype.type(flips % 2 ** (8 * a.dtype.itemsize))
    assert gpuprobe.prove_matmul(a, b, right)
    assert gpuprobe.prove_matmul(a, b, wrong).holds == bool(np.all(wrong == right))


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [(1, 2.0**61), (-4, -4 * 2.0**61), (-4, -4 * 2.0**64), (-4, 1e30), (0, 2.0**122)],
)
def test_what_is_right_modulo_the_prime_alone_is_wrong(dtype: str, right: float, wrong: float):
    a, b = np.array([[right]], dtype_named(dtype)), np.array([[1]], dtype_named(dtype))
    assert gpuprobe.prove_matmul(a, b, a)
    proof = gpuprobe.prove_matmul(a, b, np.array([[wrong]], a.dtype))
    assert (proof.holds, proof.pattern) == (False, "element")


def test_greatest_whole_numbers_of_float64_are_right():
    a = np.array([[2.0**26 + 1]])
    proof = gpuprobe.prove_matmul(a, a, a @ a)  # odd, and above 2^52
    assert (proof.holds, proof.basis) == (True, "exact")
