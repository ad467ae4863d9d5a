"""What a proof does not say: of NaN, of sums that are too long, and of TF32 by chance."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gpuprobe
from gpuprobe.compute.proof import NotFinite
from support.arrays import floats

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")


def test_sums_that_may_overflow_cannot_be_proved():
    a = np.full((2, 3), 2**30, np.int32)
    with pytest.raises(ValueError, match="int32 promises nothing of sums of 3 such products"):
        gpuprobe.prove_matmul(a, a.T.copy(), np.zeros((2, 2), np.int32))


def large_sums(m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two great terms that cancel, in each row; what a panel of them may err by is infinite."""
    a, b = np.zeros((m, m)), np.zeros((m, m))
    a[:, :2], b[0], b[1] = 1.5e150, 1e156, -1e156
    return a, b, a @ b


@pytest.mark.parametrize("wrong", [0, 1e300])
def test_floats_that_may_overflow_cannot_be_proved(wrong: float):
    a, b = np.array([[1.5e154, 1.5e154]]), np.array([[1e154], [-1e154]])
    c = np.array([[wrong]], np.float64)
    with pytest.raises(ValueError, match="float64 promises nothing of sums of 2 such products"):
        gpuprobe.prove_matmul(a, b, c)
    with pytest.raises(ValueError, match="float64 promises nothing of sums of 2 such products"):
        gpuprobe.prove_conv2d(a.reshape(1, 2, 1, 1), b.reshape(1, 2, 1, 1), c.reshape(1, 1, 1, 1))
    assert gpuprobe.prove_matmul(a / 2, b, c).holds == (wrong == 0)
    a, b, c = large_sums(300)
    c[0, 5] = wrong
    with pytest.raises(ValueError, match="they may overflow"):
        gpuprobe.prove_matmul(a, b, c)
    a, b, c = large_sums(200)  # element by element
    c[0, 5] = wrong
    assert gpuprobe.prove_matmul(a, b, c).holds == (wrong == 0)


def test_sums_in_whose_place_zeros_would_pass_cannot_be_proved():
    a, b = floats((4, 3000), "float8_e4m3fn"), floats((3000, 4), "float8_e4m3fn", seed=1)
    right = (a.astype(float) @ b.astype(float)).astype(np.float32)
    for c in (right, np.zeros_like(right), -right):
        with pytest.raises(ValueError, match="rounding may be as large as the result"):
            gpuprobe.prove_matmul(a, b, c)
    assert gpuprobe.prove_matmul(a, b, right + np.float32(3000)).cause is None


def test_a_narrow_copy_of_a_right_product_is_not_taken_for_tf32():
    """float16 has as many bits as TF32 leaves of the inputs."""
    a, one = floats((100, 100)), np.eye(100, dtype=np.float32)
    assert gpuprobe.prove_matmul(a, one, a.astype(np.float16))


def test_a_single_sum_is_not_taken_for_tf32_by_chance():
    """1 + 2^-24 - 2^-47, which float32 rounds to 1, as TF32 does its factors."""
    a, b = np.float32([[1 + 2**-23]]), np.float32([[1 - 2**-24]])
    assert gpuprobe.prove_matmul(a, b, a @ b)
    assert gpuprobe.prove_matmul(np.repeat(a, 9, 0), np.repeat(b, 9, 1), np.ones((9, 9), "float32"))


def test_elements_that_float32_rounds_to_those_of_tf32_are_right():
    """Each is n + 2^-23 less a 2^24th of it, which float32 rounds to n."""
    n = 1 + np.random.default_rng(0).integers(1, 1024, (50, 50)).astype(np.float32) / 1024
    a, b = n + np.float32(2**-23), np.diag(np.full(50, 1 - 2**-24, np.float32))
    assert (a @ b == n).all()
    assert gpuprobe.prove_matmul(a, b, n)


def test_numbers_that_may_all_underflow_cannot_be_proved():
    """Their products are below the least normal number, which may be flushed to 0."""
    a, b = floats((4, 100)) * np.float32(1e-20), floats((100, 4), seed=1) * np.float32(1e-20)
    for c in (a @ b, np.zeros((4, 4), np.float32)):
        with pytest.raises(ValueError, match="float32 promises nothing of sums of 100 such"):
            gpuprobe.prove_matmul(a, b, c)
    b *= np.float32(1e20)
    assert gpuprobe.prove_matmul(a, b, a @ b)
    assert not gpuprobe.prove_matmul(a, b, np.zeros((4, 4), np.float32))


@pytest.mark.parametrize("size", [1e-39, 1e-40, 3e-43])
def test_small_inputs_are_right_as_tf32_rounds_them(size: float):
    """Below 2^-126 it has fewer bits than 11, and the fewer the smaller a number is."""
    a = np.full((4, 1), size, np.float32)
    b = np.full((1, 4), 2.0**100, np.float32)
    rounded = np.float32(round(float(a[0, 0]) * 2.0**136) * 2.0**-136)
    assert rounded != size
    c = gpuprobe.matmul(a, b, compute="tf32", device="cpu")
    assert (c == rounded * b[0, 0]).all()
    assert gpuprobe.prove_matmul(a, b, c, compute="tf32")


@pytest.mark.parametrize(
    ("a", "b"), [((0, 3), (3, 2)), ((2, 3), (3, 0)), ((0, 2, 3), (3, 2)), ((0, 3), (3,))]
)
def test_a_result_without_elements_is_right_whatever_the_inputs_hold(a: tuple, b: tuple):
    left, right = np.full(a, np.nan, np.float32), np.full(b, np.nan, np.float32)
    proof = gpuprobe.prove_matmul(left, right, left @ right)
    assert (proof.holds, proof.basis, proof.fraction) == (True, "exact", 0.0)


@pytest.mark.parametrize(("name", "shapes"), [("a", ((6,), (6, 4))), ("b", ((4, 6), (6,)))])
def test_nan_of_a_vector_is_told_by_its_one_index(name: str, shapes: tuple[tuple[int, ...], ...]):
    both = {each: np.ones(shape, "float32") for each, shape in zip("ab", shapes, strict=True)}
    c = both["a"] @ both["b"]
    both[name][3] = math.nan
    assert gpuprobe.prove_matmul(both["a"], both["b"], c).not_finite == NotFinite(name, (3,))
