"""Copies of a GPU's arrays on the fake driver: without gaps, on the same GPU and on another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gpuprobe.compute.layout import Rows, rows_of
from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.child import printed
from support.device_arrays import BEGIN, ONE_CARD, result
from support.dlpack import STREAMS
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "copy_in"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
np = pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

#: Views of an array of 2 x 3 x 256 float32, so that some gaps are wide.
VIEWS = """
big = np.arange(2 * 3 * 256, dtype=np.float32).reshape(2, 3, 256)
whole = to_device(big)
def on_the_gpu(view):
    offset = view.__array_interface__["data"][0] - big.__array_interface__["data"][0]
    return replace(whole, shape=view.shape, strides=view.strides, address=whole.address + offset)
views = [big, big[:, :2], big[:, :, :100], big[:, 1, 5], big[0, :, ::64], big[..., ::2],
         big[:, 1:2, 3:7], big[:1, :1, :1], big[1, 1, 1, ...], big[:, 1:, :9]]  # rows
views += [big.T, big[::-1], np.broadcast_to(big[0, 0], (4, 256)),
          big.transpose(0, 2, 1)[:, ::3]]  # none
"""


@pytest.mark.parametrize(
    ("index", "rows"),
    [
        (np.s_[...], Rows(1, 1, 96, 96, 1)),
        (np.s_[1], Rows(1, 1, 48, 48, 1)),
        (np.s_[:, :2], Rows(1, 2, 32, 48, 2)),
        (np.s_[:, :, :2], Rows(1, 6, 8, 16, 6)),
        (np.s_[:, :, 1], Rows(1, 6, 4, 16, 6)),
        (np.s_[:, 1, 1], Rows(1, 2, 4, 48, 2)),
        (np.s_[0, 1:, 1:3], Rows(1, 2, 8, 16, 2)),
        (np.s_[0, 0, 0], Rows(1, 1, 4, 4, 1)),
        (np.s_[:1, :1, ::2], Rows(1, 2, 4, 8, 2)),
        (np.s_[:, 1:, 1:], Rows(2, 2, 12, 16, 3)),
        (np.s_[:, 1:, ::2], Rows(2, 4, 4, 8, 6)),
        (np.s_[:, ::2, 1:], None),
        (np.s_[::-1], None),
    ],
)
def test_rows_are_found_where_there_are_rows(index: object, rows: Rows | None):
    view = np.zeros((2, 3, 4), np.float32)[index]
    assert rows_of(view.shape, view.strides, 4) == rows


@pytest.mark.parametrize(
    ("shape", "strides"),
    [
        *[((4, 3), (4, 16)), ((3, 4), (0, 4)), ((3, 4), (8, 4)), ((2, 4), (1 << 31, 4))],
        *[((2, 3, 3), (32, 16, 4)), ((2, 3, 3), (-64, 16, 4)), ((2, 3, 3), (56, 16, 4))],
        *[((2, 3, 3), (0, 16, 4)), ((2, 2, 3, 3), (512, 64, 16, 4))],
    ],
)
def test_rows_that_overlap_or_lie_too_far_apart_are_none(
    shape: tuple[int, ...], strides: tuple[int, ...]
):
    assert rows_of(shape, strides, 4) is None


def test_a_copy_has_the_same_elements_without_gaps(fakes: Fakes, tmp_path: Path):
    code = VIEWS + """
made = [on_the_gpu(view).copy() for view in views]
show([same(there.numpy(), view.copy()) for there, view in zip(made, views)],
     all(there.strides == np.empty(there.shape, np.float32).strides for there in made),
     whole.copy().address != whole.address, to_device(np.empty((0, 3))).copy().shape)
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 14, True, True, [0, 3]]


def test_views_come_to_the_host_right_however_wide_their_gaps(fakes: Fakes, tmp_path: Path):
    code = VIEWS + "show([same(on_the_gpu(view).numpy(), view.copy()) for view in views])"
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 14]


def test_any_part_in_any_order_is_copied_right(fakes: Fakes, tmp_path: Path):
    code = """
import random
draw = random.Random(5)
def part(extent):
    ends = sorted(draw.choices(range(extent + 1), k=2))
    step = draw.choice((1, 1, 1, 2, 3, 70, -1, -2))
    return draw.choice((slice(None), slice(*ends, step), slice(*ends[::-1], -1), ends[0] % extent))
wrong = []
for _ in range(150):
    shape = draw.choices((1, 2, 3, 7, 80), k=draw.randrange(1, 4))
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    key, there = tuple(map(part, shape)), to_device(array, device=draw.randrange(2))
    ours, wanted = there[key], array[(*key, ...)]
    if draw.random() < 0.3:
        ours, wanted = ours.T, wanted.T
    made = ours.numpy(), ours.copy().numpy(), to_device(ours, device=draw.randrange(2)).numpy()
    if not all(same(each, wanted.copy()) for each in made):
        wrong.append([shape, str(key)])
show(wrong)
"""
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[]]


def test_a_copy_on_another_stream_comes_in_the_order_of_the_arrays_own(
    fakes: Fakes, tmp_path: Path
):
    """The fake driver ends a process where one comes too early."""
    code = STREAMS + """
there = to_device(counted, stream=one.value)
fill(there, 0, one)
same_stream, other = there.copy(), to_device(there, stream=two.value)
fill(there, 2, one)  # only when it was copied
del there
again = to_device(counted, stream=one.value)  # only when the other stream has done with it
fill(again, 1, one)
show([bool((each.numpy() == 0).all()) for each in (same_stream, other)],
     [same_stream.stream == one.value, other.stream == two.value])
del same_stream, other, again, warm
end()
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True, True], [True, True]]


def test_another_gpu_gets_a_copy_after_what_both_streams_were_given(fakes: Fakes, tmp_path: Path):
    code = VIEWS + """
made = [to_device(on_the_gpu(view), device=1) for view in views]
show([same(there.numpy(), view.copy()) for there, view in zip(made, views)],
     {there.device for there in made} == {1}, to_device(whole, device=0).address != whole.address,
     to_device(to_device(np.empty((0, 3))), device=1).device)
"""  # fmt: skip
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[True] * 14, True, True, 1]


def test_streams_of_both_gpus_are_waited_for(fakes: Fakes, tmp_path: Path):
    code = STREAMS + """
far, there = Pointer(), Pointer()
driver("cuDevicePrimaryCtxRetain", byref(far), 1)
driver("cuCtxPushCurrent_v2", far)
driver("cuStreamCreate", byref(there), NON_BLOCKING)
here, used = to_device(counted, stream=one.value), to_device(counted, 1, stream=there.value)
fill(used, 1, there)
del used  # its memory serves the same stream again
driver("cuCtxPopCurrent_v2", byref(current))
fill(here, 0, one)
made = to_device(here, device=1, stream=there.value)
show(bool((made.numpy() == 0).all()))
del made, here, warm
memory.trim(device=1)
end()
driver("cuStreamDestroy_v2", there) if driver("cuCtxPushCurrent_v2", far) == 0 else None
driver("cuCtxPopCurrent_v2", byref(current))
driver("cuDevicePrimaryCtxRelease_v2", 1)
"""  # fmt: skip
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [True]


@pytest.mark.parametrize(
    ("call", "work"),
    [
        ("cuMemcpyDtoDAsync_v2", "whole.copy"),
        ("cuMemcpy3DAsync_v2", "on_the_gpu(views[2]).copy"),
        ("cuMemcpy3DAsync_v2", "on_the_gpu(views[1]).numpy"),
        ("cuMemcpy3DAsync_v2", "on_the_gpu(views[9]).copy"),
        ("cuMemcpy3DAsync_v2", "on_the_gpu(views[9]).numpy"),
        ("cuMemcpyDtoHAsync_v2", "on_the_gpu(views[10]).copy"),
        ("cuMemcpyPeerAsync", "to_device, whole, 1"),
    ],
)
def test_a_copy_that_fails_is_named_and_keeps_no_memory(
    call: str, work: str, fakes: Fakes, tmp_path: Path
):
    code = VIEWS + f"""
said = raised({work})
show(said, [memory.stats(device).blocks for device in (0, 1)], raised({work}) is None)
"""  # fmt: skip
    machine = replace(TWO_DIFFERENT_CARDS, faults={f"{call}@1": 999})
    [[name, text], blocks, again] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "DriverError"
    assert f"{call} failed with CUDA_ERROR_UNKNOWN (999)" in text
    assert (blocks, again) == ([1, 0], True)


def test_a_copy_for_which_there_is_no_memory_says_so(fakes: Fakes, tmp_path: Path):
    code = """
there = to_device(np.zeros(40 << 20))
show(raised(there.copy)[0], memory.stats().blocks)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == ["OutOfMemory", 1]


def test_a_fork_copies_nothing_and_says_why(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
there = to_device(counted)
child = os.fork()
if child == 0:
    show(raised(there.copy), raised(to_device, there)[0])
    os._exit(0)
os.waitpid(child, 0)
"""  # fmt: skip
    [[name, text], other] = printed(stage(ONE_CARD, fakes, tmp_path), code)  # type: ignore[misc]
    assert (name, other) == ("RuntimeError", "RuntimeError")
    assert "forked from one that had used a GPU" in text


def test_the_core_refuses_bytes_that_are_no_rows(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import _core
arena = _core.Arena(0, 0.0, 0)
block = arena.alloc(4096, 0)
room = np.empty(12, np.int8)
def out(*rows): return raised(arena.copy_rows_out, block.address, room, rows, 0)
def within(*rows): return raised(arena.copy_within, block.address, 0, block.address + 512, 0, rows)
refused = [(1, 3, 5, 8, 3), (1, 3, 0, 8, 3), (1, -3, -4, 8, 3), (1, 3, 4, 3, 3),
           (1, 3, 4, 1 << 31, 3), (0, 3, 4, 8, 3), (3, 2, 2, 8, 1), (1 << 62, 3, 4, 8, 3)]
show([out(*rows)[0] for rows in refused], out(1, 3, 4, 8, 3), out(3, 2, 2, 8, 2),
     within(2, 3, 4, 8, 2)[0], within(2, 3, 4, 8, 3))
del block
arena.close()
"""
    refused = ["ValueError"] * 8
    assert result(ONE_CARD, fakes, tmp_path, code) == [refused, None, None, "ValueError", None]


def test_at_the_end_of_the_process_nothing_is_taken_any_more(fakes: Fakes, tmp_path: Path):
    """What was registered first runs last, after gpuprobe has given its memory back."""
    code = """
import atexit
kept = []
def late():
    there, = kept
    show(raised(there.copy), raised(to_device, there), raised(to_device, counted),
         raised(gpuprobe.asarray, counted))
atexit.register(late)
kept.append(to_device(counted))
"""
    gone = "gpuprobe's memory of GPU 0 is gone: the process is ending"
    assert result(ONE_CARD, fakes, tmp_path, code) == [["RuntimeError", gone]] * 4


def test_calls_keep_no_memory_of_the_host(fakes: Fakes, tmp_path: Path):
    code = VIEWS + """
import gc, sys
parts = [on_the_gpu(view) for view in (views[0], views[2], views[9])]
def often():
    for _ in range(50):
        for part in parts:
            part.copy().T[::2].numpy()
            gpuprobe.asarray(part)
        raised(gpuprobe.asarray, [1j])
        raised(whole.reshape, 5)
    gc.collect()
    return sys.getallocatedblocks()
often()
before = often()
show(often() - before < 100)
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]
