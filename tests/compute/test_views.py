"""Views of a GPU's arrays are those of NumPy; and they keep the memory that they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.compute.device_array import DeviceArray
from support.device_arrays import ONE_CARD, result

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

np = pytest.importorskip("numpy")
hypothesis = pytest.importorskip("hypothesis")
extra = pytest.importorskip("hypothesis.extra.numpy")
given, st = hypothesis.given, hypothesis.strategies


def like(array: np.ndarray) -> DeviceArray:
    """An array at NumPy's own address; nothing here looks at the elements."""
    address = array.__array_interface__["data"][0] if array.size else 0
    return DeviceArray(array.shape, array.strides, "float32", 0, 0, address, array)


def form(array: np.ndarray | DeviceArray) -> tuple[object, ...]:
    """Shape, address and strides, of which those count that lead somewhere."""
    made = array if isinstance(array, DeviceArray) else like(array)
    steps = tuple(s for n, s in zip(made.shape, made.strides, strict=True) if n > 1)
    return made.shape, made.address, steps if made.size else ()


arrays = extra.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5).map(
    lambda shape: np.empty(shape, np.float32)
)


@given(st.data())
def test_any_basic_index_gives_the_view_that_numpy_gives(data: st.DataObject):
    array = data.draw(arrays)
    key = data.draw(extra.basic_indices(array.shape, allow_newaxis=True, allow_ellipsis=True))
    # An ellipsis makes an array of what would be a number.
    wanted = array[(*key, ...) if isinstance(key, tuple) and ... not in key else key]
    assert form(like(array)[key]) == form(np.asarray(wanted)) or wanted.ndim == 0
    assert form(like(array).T) == form(array.T)


@given(arrays, st.lists(st.integers(-1, 6), max_size=4).map(tuple))
def test_a_reshaped_array_is_that_of_numpy_or_refused(array: np.ndarray, shape: tuple[int, ...]):
    try:
        wanted = form(array.reshape(shape))
    except ValueError:
        with pytest.raises(ValueError, match="elements of shape"):
            like(array).reshape(shape)
        return
    assert form(like(array).reshape(shape)) == form(like(array).reshape(*shape)) == wanted


@pytest.mark.parametrize("step", [1 << 62, -(1 << 62), 10**30])
def test_a_step_beyond_the_array_leaves_one_element(step: int):
    array = np.empty((3, 2), np.float32)
    key = slice(None, None, step)
    assert form(like(array)[key]) == form(array[key])


@pytest.mark.parametrize("key", [3, -4, (0, 0, 0), (..., ...), (0, ..., 0, 0)])
def test_an_index_that_does_not_fit_is_refused(key: object):
    with pytest.raises(IndexError, match=r"beyond an axis of 3 elements|does not fit an array"):
        like(np.empty((3, 2), np.float32))[key]


@pytest.mark.parametrize("key", [[0], True, 1.0, "x", (0, [1])])
def test_what_would_need_a_copy_is_no_index(key: object):
    with pytest.raises(TypeError, match="indexed by whole numbers and slices"):
        like(np.empty((3, 2), np.float32))[key]


def test_gaps_are_not_reshaped():
    with pytest.raises(ValueError, match=r"has gaps .*reshape its copy\(\)"):
        like(np.empty((4, 4), np.float32)).T.reshape(16)


def test_an_array_has_a_length_and_ends():
    array = like(np.empty((3, 2), np.float32))
    assert len(array) == 3
    assert [each.shape for each in array] == [(2,)] * 3
    with pytest.raises(TypeError, match="no length"):
        len(array[0, 0])


def test_nothing_is_brought_to_the_host_in_silence():
    array = like(np.empty((3, 2), np.float32))
    for ask in (bool, np.asarray, np.float32(1).__add__, np.eye(3).__matmul__):
        with pytest.raises(TypeError, match=r"use numpy\(\)"):
            ask(array)
    with pytest.raises(TypeError):
        array @ np.eye(2)


def test_a_view_shows_the_memory_and_keeps_it(fakes: Fakes, tmp_path: Path):
    pytest.importorskip("ml_dtypes")
    code = """
there = to_device(counted)
views = [there.T, there[1], there[:, ::-1, 1:], there.reshape(6, 4)[2:4], there[..., None, 0]]
wanted = [counted.T, counted[1], counted[:, ::-1, 1:], counted.reshape(6, 4)[2:4],
          counted[..., None, 0]]
del there
held = memory.stats().blocks
equal = [same(view.numpy(), each.copy()) for view, each in zip(views, wanted)]
del views
show(equal, held, memory.stats().blocks)
"""
    pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 5, 1, 0]


def test_two_arrays_are_multiplied_on_their_gpu(fakes: Fakes, tmp_path: Path):
    core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
    if not hasattr(core.Arena, "matmul"):
        pytest.skip("the C core was built without NumPy's headers")
    pytest.importorskip("ml_dtypes")
    code = """
a = to_device(counted[0])
product = a @ a.T
show(type(product) is DeviceArray, same(product.numpy(), counted[0] @ counted[0].T))
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, True]
