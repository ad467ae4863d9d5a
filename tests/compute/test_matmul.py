"""matmul is numpy.matmul, in the arithmetic that is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuprobe
from support.arrays import WAYS, as_tf32, dtype_named, floats, strided, whole

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

#: What each type of input gives where nothing is said.
RESULTS = {
    "float64": "float64",
    "float32": "float32",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "float8_e4m3fn": "float32",
    "float8_e5m2": "float32",
    "int8": "int32",
    "int32": "int32",
}


@st.composite
def shapes(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes that numpy.matmul multiplies, vectors and broadcast stacks among them."""
    extent = st.sampled_from([0, 1, 2, 3, 7, 17])
    k = draw(extent)
    a_ndim, b_ndim = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    stack = draw(st.lists(st.sampled_from([0, 1, 2, 3]), min_size=2, max_size=2))

    def batch(ndim: int) -> tuple[int, ...]:
        own = stack[len(stack) - (ndim - 2) :] if ndim > 2 else []
        return tuple(draw(st.sampled_from([1, each])) for each in own)

    a = (k,) if a_ndim == 1 else (*batch(a_ndim), draw(extent), k)
    b = (k,) if b_ndim == 1 else (*batch(b_ndim), k, draw(extent))
    return a, b


@settings(max_examples=150)
@given(shapes(), st.sampled_from(sorted(RESULTS)), st.sampled_from(WAYS), st.sampled_from(WAYS))
def test_product_is_that_of_numpy(
    pair: tuple[tuple[int, ...], tuple[int, ...]], dtype: str, way_a: str, way_b: str
):
    a, b = strided(whole(pair[0], dtype, 1), way_a), strided(whole(pair[1], dtype, 2), way_b)
    found = gpuprobe.matmul(a, b, device="cpu")
    # Whole numbers as small as these are exact in every type but the narrow ones, which round.
    result = dtype_named(RESULTS[dtype])
    expected = np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(result)
    assert found.dtype == result
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_floats_are_those_of_numpy_up_to_their_rounding(dtype: str):
    a, b = floats((31, 67), dtype, 1), floats((67, 29), dtype, 2)
    found = gpuprobe.matmul(a, b, device="cpu").astype(np.float64)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    digits = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}[dtype]
    # Each of 67 steps, and the storing, errs by half a unit at most.
    limit = 68 * 2.0**-digits * (np.abs(a.astype(float)) @ np.abs(b.astype(float)))
    assert (np.abs(found - exact) <= limit).all()


def test_float16_is_summed_in_float32():
    a = np.full((1, 4096), 1.0, np.float16)
    assert gpuprobe.matmul(a, a.T, device="cpu")[0, 0] == 4096.0  # float16 would stop at 2048


def test_int8_is_summed_in_int32():
    a = np.full((1, 1000), -128, np.int8)
    assert gpuprobe.matmul(a, a.T, device="cpu")[0, 0] == 1000 * 128 * 128


def test_int32_wraps_as_the_hardware_does():
    a = np.array([[2**31 - 1, 1]], np.int32)
    ones = np.ones((2, 1), np.int32)
    assert gpuprobe.matmul(a, ones, device="cpu")[0, 0] == -(2**31)


def test_tf32_is_computed_where_it_is_named_and_nowhere_else():
    a, b = floats((20, 30), seed=1), floats((30, 10), seed=2)
    plain = gpuprobe.matmul(a, b, device="cpu")
    rounded = gpuprobe.matmul(a, b, compute="tf32", device="cpu")
    assert (rounded == gpuprobe.matmul(as_tf32(a), as_tf32(b), device="cpu")).all()
    assert (plain != rounded).any()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_narrow_inputs_can_give_float32(dtype: str):
    a, b = floats((9, 8), dtype, 1), floats((8, 7), dtype, 2)
    found = gpuprobe.matmul(a, b, out_dtype=np.float32, device="cpu")
    assert found.dtype == np.float32
    assert np.allclose(found, a.astype("f") @ b.astype("f"), rtol=1e-6, atol=1e-6)


def test_both_float8_types_can_meet():
    a, b = whole((5, 6), "float8_e4m3fn", 1), whole((6, 7), "float8_e5m2", 2)
    found = gpuprobe.matmul(a, b, out_dtype="bfloat16", device="cpu")
    expected = (a.astype("f") @ b.astype("f")).astype(found.dtype)
    assert found.tobytes() == expected.tobytes()


def test_info_tells_what_ran():
    found, info = gpuprobe.matmul(whole((2, 3)), whole((3, 2)), device="cpu", info=True)
    assert found.shape == (2, 2)
    assert (info.backend, info.device, info.compute, info.dtype) == (
        "cpu",
        "cpu",
        "float32",
        "float32",
    )
    assert info.seconds > 0
    assert "float32 arithmetic" in str(info)
    assert info.to_dict()["backend"] == "cpu"


@pytest.mark.parametrize(
    ("a", "b", "options", "told"),
    [
        ([[1.0]], whole((1, 1)), {}, "a: expected a numpy.ndarray, a gpuprobe"),
        (whole((1, 1)), 3.0, {}, "__cuda_array_interface__, got <class 'float'>"),
        (whole((1, 1)), whole((1, 1)), {"backend": 3}, "matmul: backend=3: expected a name"),
        (np.ma.masked_equal(whole((2, 2)), 0), whole((2, 2)), {}, "a mask would be lost"),
        (whole((2, 2)), whole((2, 2), "float64"), {}, "one input is float32, the other float64"),
        (whole((2, 2), "int64"), whole((2, 2), "int64"), {}, "int64 is not supported; use one of"),
        (whole((2, 2)).astype(">f4"), whole((2, 2)), {}, "in this machine's byte order"),
    ],
)
def test_types_that_do_not_fit_are_told(a: object, b: object, options: dict, told: str):
    with pytest.raises(TypeError, match=told):
        gpuprobe.matmul(a, b, device="cpu", **options)


@pytest.mark.parametrize(
    ("shapes", "options", "told"),
    [
        (((3, 4), (3, 4)), {}, r"shapes \(3, 4\) and \(3, 4\) do not fit"),
        (((), (3,)), {}, "a scalar has no rows and columns"),
        (
            ((2, 2), (2, 2)),
            {"compute": "int32"},
            "'int32' is not there for float32; use float32 or",
        ),
        (((2, 2), (2, 2)), {"out_dtype": "float16"}, "out_dtype='float16' is not there"),
    ],
)
def test_values_that_do_not_fit_are_told(shapes: tuple, options: dict, told: str):
    a, b = (whole(shape) for shape in shapes)
    with pytest.raises(ValueError, match=told):
        gpuprobe.matmul(a, b, device="cpu", **options)


@pytest.mark.parametrize("dtype", ["fast", 3.5])
def test_what_is_no_type_is_told(dtype: object):
    with pytest.raises(TypeError, match=f"matmul: out_dtype={dtype!r} is no type"):
        gpuprobe.matmul(whole((2, 2)), whole((2, 2)), out_dtype=dtype, device="cpu")
