"""The proof of a convolution: right ones pass in every form, faults are found where they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuprobe
from gpuprobe.compute.proof import NotFinite
from support.arrays import as_tf32, floats, whole

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

numbers = st.integers(1, 3)
pairs = st.tuples(numbers, numbers)


@settings(max_examples=100)
@given(
    channels=numbers, filters=numbers, groups=numbers, images=st.integers(0, 2), taps=pairs,
    stride=pairs, dilation=pairs,
    padding=st.sampled_from([0, 2, (1, 0), ((0, 1), (2, 0)), "same", "valid"]),
    layout=st.sampled_from(["NCHW", "NHWC"]),
    dtype=st.sampled_from(["float64", "float32", "float16", "bfloat16"]),
    make=st.sampled_from([whole, floats]), with_bias=st.booleans(),
)  # fmt: skip
def test_reference_is_right_and_one_wrong_element_is_found(  # noqa: PLR0917
    channels: int,
    filters: int,
    groups: int,
    images: int,
    taps: tuple[int, int],
    dtype: str,
    layout: str,
    make: object,
    with_bias: bool,
    **options: object,
):
    x = make((images, groups * channels, 8, 9), dtype, 1)
    w = make((groups * filters, channels, *taps), dtype, 2)
    bias = make((groups * filters,), dtype, 3) if with_bias else None
    if layout == "NHWC":
        x, w = x.transpose(0, 2, 3, 1), w.transpose(0, 2, 3, 1)
    options |= {"groups": groups, "layout": layout}
    y = gpuprobe.conv2d(x, w, bias, device="cpu", **options)
    assert gpuprobe.prove_conv2d(x, w, y, bias, **options)
    if y.size == 0:
        return
    place = tuple(extent // 2 for extent in y.shape)
    y[place] += 8
    proof = gpuprobe.prove_conv2d(x, w, y, bias, **options)
    assert not proof
    assert [each.index for each in proof.elements] == [place]


def test_whole_numbers_are_proved_exactly():
    x, w, bias = whole((2, 3, 9, 9), seed=1), whole((4, 3, 3, 3), seed=2), whole((4,), seed=3)
    y = gpuprobe.conv2d(x, w, bias, padding=1, device="cpu")
    proof = gpuprobe.prove_conv2d(x, w, y, bias, padding=1)
    assert (proof.holds, proof.basis, proof.shape) == (True, "exact", (2, 4, 9, 9))


def test_large_convolution_is_proved_by_panels():
    x, w = floats((2, 32, 40, 40), seed=1), floats((64, 32, 3, 3), seed=2)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    y = np.ascontiguousarray(np.tensordot(windows, w, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2))
    assert gpuprobe.prove_conv2d(x, w, y)
    y[1, 5] = 0
    proof = gpuprobe.prove_conv2d(x, w, y)
    assert (proof.holds, proof.cause) == (False, "zeros")
    assert {each.index[:2] for each in proof.elements} == {(1, 5)}


def test_tf32_in_the_place_of_float32_is_named():
    x, w = floats((1, 16, 20, 20), seed=1), floats((8, 16, 3, 3), seed=2)
    y = gpuprobe.conv2d(as_tf32(x), as_tf32(w), device="cpu")
    assert gpuprobe.prove_conv2d(x, w, y).cause == "tf32"
    assert gpuprobe.prove_conv2d(x, w, y, compute="tf32")


def test_bias_is_one_step_of_a_sum():
    """Though it stands in a channel of the size of the others."""
    x, w, bias = (np.full(shape, 1.1, np.float32) for shape in ((1, 1, 3, 3), (1, 1, 3, 3), (1,)))
    exact = 9 * float(x[0, 0, 0, 0]) ** 2 + float(bias[0])
    unit = 2.0**-24
    right, wrong = (np.full((1, 1, 1, 1), exact * (1 + unit * steps), "f4") for steps in (8, 13))
    assert gpuprobe.prove_conv2d(x, w, right, bias)
    assert not gpuprobe.prove_conv2d(x, w, wrong, bias)
    x[:], w[:], bias[:] = 1000, 1000, 1000  # 10 steps are within 2^24, 18 would not be
    proof = gpuprobe.prove_conv2d(x, w, gpuprobe.conv2d(x, w, bias, device="cpu"), bias)
    assert (proof.holds, proof.basis) == (True, "exact")


def test_nan_that_no_filter_reads_is_nothing_of_the_result():
    x, w = floats((1, 1, 5, 5), seed=1), floats((1, 1, 1, 1), seed=2)
    x[0, 0, 1, 1] = math.nan
    y = gpuprobe.conv2d(x, w, stride=2, device="cpu")
    assert gpuprobe.prove_conv2d(x, w, y, stride=2)
    assert not gpuprobe.prove_conv2d(x, w, gpuprobe.conv2d(x, w, device="cpu"))


def test_forgotten_bias_is_wrong_everywhere():
    x, w, bias = whole((1, 3, 9, 9), seed=1), whole((4, 3, 3, 3), seed=2), np.ones(4, np.float32)
    y = gpuprobe.conv2d(x, w, device="cpu")
    assert gpuprobe.prove_conv2d(x, w, y)
    assert gpuprobe.prove_conv2d(x, w, y, bias).pattern == "everywhere"


def test_other_padding_is_wrong_at_the_edge_alone():
    """TensorFlow puts the odd zero behind; a result with it in front is another one."""
    x, w = whole((1, 1, 6, 6), seed=1), whole((1, 1, 4, 4), seed=2)
    y = gpuprobe.conv2d(x, w, padding=((2, 1), (2, 1)), device="cpu")
    assert not gpuprobe.prove_conv2d(x, w, y, padding="same")


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize(
    ("name", "index"),
    [("x", (1, 3, 2, 4)), ("w", (3, 1, 2, 0)), ("bias", (3,)), ("y", (0, 2, 1, 3))],
)
def test_nan_is_told_by_its_place_in_the_array_that_holds_it(
    name: str, index: tuple[int, ...], layout: str
):
    arrays = {
        "x": floats((2, 4, 5, 6), seed=1),
        "w": floats((4, 2, 3, 3), seed=2),
        "bias": floats((4,), seed=3),
    }
    options = {"groups": 2, "padding": 1, "layout": layout}
    arrays["y"] = gpuprobe.conv2d(
        arrays["x"], arrays["w"], arrays["bias"], groups=2, padding=1, device="cpu"
    )
    arrays[name][index] = math.nan
    if layout == "NHWC":
        arrays = {
            key: value if key == "bias" else value.transpose(0, 2, 3, 1)
            for key, value in arrays.items()
        }
        index = index if name == "bias" else tuple(index[axis] for axis in (0, 2, 3, 1))
    proof = gpuprobe.prove_conv2d(arrays["x"], arrays["w"], arrays["y"], arrays["bias"], **options)
    assert not proof
    assert proof.not_finite == NotFinite(name, index)


@pytest.mark.parametrize(
    ("y", "bias", "told"),
    [
        ((1, 4, 8, 7), None, r"is \(1, 4, 7, 7\), not \(1, 4, 8, 7\)"),
        ((1, 4, 7, 7), (3,), r"bias has the shape \(3,\); expected \(4,\)"),
    ],
)
def test_shapes_that_do_not_fit_are_told(y: tuple, bias: tuple | None, told: str):
    x, w = whole((1, 3, 9, 9)), whole((4, 3, 3, 3))
    with pytest.raises(ValueError, match=told):
        gpuprobe.prove_conv2d(x, w, whole(y), None if bias is None else whole(bias))
