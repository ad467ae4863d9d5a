"""conv2d against formulations that share nothing with it: windows and einsum, and SciPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import sliding_window_view

import gpuprobe
from support.arrays import WAYS, floats, strided, whole

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")


@dataclass(frozen=True)
class Case:
    """A convolution; `padding` is ((top, bottom), (left, right))."""

    x: tuple[int, int, int, int]
    w: tuple[int, int, int, int]
    stride: tuple[int, int] = (1, 1)
    padding: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    dilation: tuple[int, int] = (1, 1)
    groups: int = 1


def by_windows(x: np.ndarray, w: np.ndarray, case: Case) -> np.ndarray:
    """In float64, by a window of the dilated filter's size over the padded image."""
    x, w = x.astype(np.float64), w.astype(np.float64)
    padded = np.pad(x, ((0, 0), (0, 0), *case.padding))
    (r, s), (down, across) = w.shape[2:], case.dilation
    span = ((r - 1) * down + 1, (s - 1) * across + 1)
    windows = sliding_window_view(padded, span, axis=(2, 3))
    taps = windows[:, :, :: case.stride[0], :: case.stride[1], ::down, ::across]
    n, _, p, q = taps.shape[:4]
    parts = zip(np.split(taps, case.groups, 1), np.split(w, case.groups, 0), strict=True)
    found = [np.einsum("ncpqrs,kcrs->nkpq", part, filters) for part, filters in parts]
    return np.concatenate(found, 1).reshape(n, w.shape[0], p, q)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Groups up to depthwise, filters of any size that fits, padding of any kind."""
    small, pair = st.integers(1, 3), st.tuples(st.integers(1, 3), st.integers(1, 3))
    groups, channels, filters = draw(small), draw(small), draw(small)
    r, s = draw(pair)
    dilation, stride = draw(pair), draw(pair)
    zeros = st.integers(0, 2)
    padding = draw(st.tuples(st.tuples(zeros, zeros), st.tuples(zeros, zeros)))
    least = [
        max(1, (size - 1) * step + 1 - sum(pad))
        for size, step, pad in zip((r, s), dilation, padding, strict=True)
    ]
    height, width = (extent + draw(st.integers(0, 4)) for extent in least)
    return Case(
        (draw(st.integers(0, 2)), groups * channels, height, width),
        (groups * filters, channels, r, s),
        stride,
        padding,
        dilation,
        groups,
    )


@settings(max_examples=150)
@given(
    cases(),
    st.sampled_from(["float64", "float32", "float16", "bfloat16"]),
    st.sampled_from(["NCHW", "NHWC"]),
    st.sampled_from(WAYS),
    st.booleans(),
)
def test_convolution_is_that_of_windows(
    case: Case, dtype: str, layout: str, way: str, with_bias: bool
):
    x, w = strided(whole(case.x, dtype, 1), way), whole(case.w, dtype, 2)
    bias = whole((case.w[0],), dtype, 3) if with_bias else None
    expected = by_windows(x, w, case)
    if bias is not None:
        expected += bias.astype(np.float64)[:, None, None]
    if layout == "NHWC":
        x, w, expected = (each.transpose(0, 2, 3, 1) for each in (x, w, expected))
    found = gpuprobe.conv2d(
        x, w, bias, stride=case.stride, padding=case.padding, dilation=case.dilation,
        groups=case.groups, layout=layout, device="cpu",
    )  # fmt: skip
    assert found.dtype == x.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.astype(x.dtype).tobytes()


def test_floats_are_those_of_scipy():
    signal = pytest.importorskip("scipy.signal", reason="SciPy is not installed")
    x, w = floats((1, 1, 13, 17), seed=1), floats((1, 1, 4, 3), seed=2)
    found = gpuprobe.conv2d(x, w, device="cpu")[0, 0]
    expected = signal.correlate2d(x[0, 0], w[0, 0], mode="valid")
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("filter_size", [1, 2, 3, 4])
def test_same_padding_has_ceil_places_and_the_odd_zero_behind(
    size: int, stride: int, filter_size: int
):
    x, w = whole((1, 1, size, size), seed=1), whole((1, 1, filter_size, filter_size), seed=2)
    places = -(-size // stride)
    zeros = max(0, (places - 1) * stride + filter_size - size)
    pad = (zeros // 2, zeros - zeros // 2)
    found = gpuprobe.conv2d(x, w, stride=stride, padding="same", device="cpu")
    given_zeros = gpuprobe.conv2d(x, w, stride=stride, padding=(pad, pad), device="cpu")
    assert found.shape == (1, 1, places, places)
    assert (found == given_zeros).all()


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_same_padding_leaves_nothing_as_it_is(layout: str):
    """As TensorFlow does; with other paddings a filter has no place in it."""
    x, w, bias = whole((2, 4, 0, 5)), whole((6, 2, 3, 3)), whole((6,))
    if layout == "NHWC":
        x, w = (each.transpose(0, 2, 3, 1) for each in (x, w))
    for stride in (1, 2, 7):
        found = gpuprobe.conv2d(
            x, w, bias, stride=stride, padding="same", groups=2, layout=layout, device="cpu"
        )
        places = (0, -(-5 // stride))
        assert found.shape == ((2, 6, *places) if layout == "NCHW" else (2, *places, 6))
        assert gpuprobe.prove_conv2d(
            x, w, found, bias, stride=stride, padding="same", groups=2, layout=layout
        )
    with pytest.raises(ValueError, match="the filter reaches over more than the padded input"):
        gpuprobe.conv2d(x, w, padding="valid", groups=2, layout=layout, device="cpu")


def test_paddings_that_mean_the_same_give_the_same():
    x, w = whole((1, 2, 6, 7), seed=1), whole((3, 2, 3, 3), seed=2)

    def conv(padding: object) -> list:
        return gpuprobe.conv2d(x, w, padding=padding, device="cpu").tolist()

    assert conv(0) == conv("valid") == conv((0, 0))
    assert conv(1) == conv((1, 1)) == conv([[1, 1], [1, 1]])
    assert conv((1, 2)) == conv(((1, 1), (2, 2)))


def test_depthwise_filters_see_one_channel_each():
    x, w = whole((2, 4, 5, 5), seed=1), whole((4, 1, 3, 3), seed=2)
    whole_result = gpuprobe.conv2d(x, w, groups=4, device="cpu")
    for channel in range(4):
        one = slice(channel, channel + 1)
        alone = gpuprobe.conv2d(x[:, one], w[one], device="cpu")
        assert (whole_result[:, one] == alone).all()


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"backend": 3}, TypeError, "conv2d: backend=3: expected a name"),
        ({"compute": np.float32}, TypeError, "conv2d: compute=.*: expected a name"),
        ({"stride": 0}, ValueError, "at least 1"),
        ({"stride": 1.5}, TypeError, "stride: expected whole numbers, got 1.5"),
        ({"stride": (1, 2, 3)}, ValueError, r"stride=\(1, 2, 3\): expected a number, or two"),
        ({"padding": -1}, ValueError, "padding at least 0"),
        ({"padding": "full"}, ValueError, "padding='full': there are numbers, valid and same"),
        ({"padding": 1.5}, TypeError, "padding: expected whole numbers, got 1.5"),
        ({"padding": ((1, 2), (0, None))}, TypeError, "padding: expected whole numbers, got None"),
        ({"padding": 1 << 70}, ValueError, rf"padding: {1 << 70} is more than 2\*\*31"),
        ({"stride": (1, 1 << 40)}, ValueError, rf"stride: {1 << 40} is more than 2\*\*31"),
        ({"groups": "2"}, TypeError, "groups: expected whole numbers, got '2'"),
        ({"layout": ["NCHW"]}, ValueError, r"layout=\['NCHW'\]: there are NCHW and NHWC"),
        ({"padding": ((1, 1),)}, ValueError, r"expected \(\(top, bottom\), \(left, right\)\)"),
        ({"groups": 2}, ValueError, "groups must divide"),
        ({"layout": "CHWN"}, ValueError, "layout='CHWN': there are NCHW and NHWC"),
        ({"dilation": 4}, ValueError, "reaches over more than the padded input"),
        (
            {"bias": whole((4,))},
            ValueError,
            r"bias has the shape \(4,\); expected \(2,\), one element",
        ),
        ({"bias": whole((2,), "float64")}, TypeError, "w is float32, and bias float64"),
        ({"compute": "float16"}, ValueError, "'float16' is not there for float32"),
    ],
)
def test_options_that_do_not_fit_are_told(
    options: dict[str, object], error: type[Exception], told: str
):
    with pytest.raises(error, match=told):
        gpuprobe.conv2d(whole((1, 3, 5, 5)), whole((2, 3, 3, 3)), device="cpu", **options)


@pytest.mark.parametrize("dtype", ["int8", "float8_e5m2"])
def test_types_that_have_no_convolution_are_told(dtype: str):
    x = whole((1, 1, 3, 3), dtype)
    with pytest.raises(TypeError, match=f"conv2d: {dtype} is not supported; use one of float64"):
        gpuprobe.conv2d(x, x, device="cpu")
