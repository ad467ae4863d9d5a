"""matmul and conv2d beside torch on the CPU: whole numbers to the bit, others within the proof."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuprobe
from support.arrays import floats, whole

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if importlib.util.find_spec("torch") is None:
    pytest.skip("torch is not installed", allow_module_level=True)

SIZES = st.integers(1, 40)
#: Those of NumPy and of torch alike.
DTYPES = ("float64", "float32", "float16")


def torchs(call: Callable[..., object], *arrays: np.ndarray, **options: object) -> np.ndarray:
    """What torch makes of the arrays, as an array."""
    import torch

    result = call(*(torch.from_numpy(array) for array in arrays), **options)
    assert isinstance(result, torch.Tensor)
    return result.numpy()


@settings(max_examples=100)
@given(SIZES, SIZES, SIZES, st.integers(0, 3), st.sampled_from((*DTYPES, "int32")))
def test_products_are_torchs(m: int, k: int, n: int, batch: int, dtype: str):
    import torch

    a, b = whole((batch, m, k), dtype, 1), whole((k, n), dtype, 2)
    ours = gpuprobe.matmul(a, b, device="cpu")
    np.testing.assert_array_equal(ours, torchs(torch.matmul, a, b), strict=True)


@settings(max_examples=100)
@given(SIZES, st.integers(1, 300), SIZES, st.sampled_from(("float64", "float32")))
def test_torchs_products_of_floats_are_proved(m: int, k: int, n: int, dtype: str):
    import torch

    a, b = floats((m, k), dtype, 1), floats((k, n), dtype, 2)
    assert gpuprobe.prove_matmul(a, b, torchs(torch.matmul, a, b)).holds
    assert gpuprobe.prove_matmul(a, b, gpuprobe.matmul(a, b, device="cpu")).holds


@st.composite
def convolutions(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, object]]:
    """Shapes of x and w, and options that both know: torch pads alike on both sides."""
    pair = st.tuples(st.integers(1, 3), st.integers(1, 3))
    groups, channels, filters = (draw(st.integers(1, 3)) for _ in range(3))
    (r, s), dilation = draw(pair), draw(pair)
    zeros = st.integers(0, 2)
    padding = (draw(zeros), draw(zeros))
    height, width = (
        max(1, (size - 1) * step + 1 - 2 * pad) + draw(st.integers(0, 5))
        for size, step, pad in zip((r, s), dilation, padding, strict=True)
    )
    options = {"padding": padding, "dilation": dilation, "groups": groups, "stride": draw(pair)}
    x = (draw(st.integers(1, 2)), groups * channels, height, width)
    return x, (groups * filters, channels, r, s), options


@settings(max_examples=150)
@given(convolutions(), st.sampled_from(DTYPES))
def test_convolutions_are_torchs(case: tuple[tuple[int, ...], ...], dtype: str):
    from torch.nn.functional import conv2d

    shape, filters, options = case
    x, w, bias = whole(shape, dtype, 1), whole(filters, dtype, 2), whole(filters[:1], dtype, 3)
    ours = gpuprobe.conv2d(x, w, bias, device="cpu", **options)
    np.testing.assert_array_equal(ours, torchs(conv2d, x, w, bias, **options), strict=True)


@settings(max_examples=100)
@given(convolutions(), st.sampled_from(("float64", "float32")))
def test_torchs_convolutions_of_floats_are_proved(case: tuple[tuple[int, ...], ...], dtype: str):
    from torch.nn.functional import conv2d

    shape, filters, options = case
    x, w, bias = floats(shape, dtype, 1), floats(filters, dtype, 2), floats(filters[:1], dtype, 3)
    theirs = torchs(conv2d, x, w, bias, **options)
    assert gpuprobe.prove_conv2d(x, w, theirs, bias, **options).holds


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths")
@pytest.mark.parametrize("extent", range(1, 8))
@pytest.mark.parametrize(("filter_size", "dilation"), [(1, 1), (2, 1), (3, 1), (2, 3), (4, 2)])
@pytest.mark.parametrize("padding", ["same", "valid"])
def test_padding_by_name_is_torchs(extent: int, filter_size: int, dilation: int, padding: str):
    from torch.nn.functional import conv2d

    if padding == "valid" and extent <= (filter_size - 1) * dilation:
        extent += (filter_size - 1) * dilation
    x, w = whole((1, 2, extent, 5), seed=1), whole((3, 2, filter_size, 1), seed=2)
    options = {"padding": padding, "dilation": (dilation, 1)}
    ours = gpuprobe.conv2d(x, w, device="cpu", **options)
    np.testing.assert_array_equal(ours, torchs(conv2d, x, w, **options), strict=True)
