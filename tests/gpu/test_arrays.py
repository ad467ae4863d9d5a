"""Arrays on a real card: to the host and back, copies, views, streams."""

from __future__ import annotations

import json
import os

import pytest

from support.child import run_python
from support.device_arrays import BEGIN
from support.dlpack import STREAMS

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes")


def shown(code: str) -> object:
    """What the code shows in a process of its own."""
    done = run_python(os.environ, "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_size_comes_back_whatever_way_it_takes():
    """The piece through which large copies go has 4 MiB."""
    code = """
sizes = [0, 1, 1000, 4 << 20, (4 << 20) + 1, 8 << 20, (9 << 20) + 7, 64 << 20]
arrays = [np.random.default_rng(n).integers(-128, 128, n, np.int8) for n in sizes]
show([n for n, each in zip(sizes, arrays) if not same(to_device(each).numpy(), each)])
"""
    assert shown(code) == [[]]


def test_views_and_copies_are_those_of_numpy():
    code = """
big = np.random.default_rng(0).random((17, 300, 129), np.float32)
there = to_device(big)
def views(array):
    yield from (array, array.T, array[3], array[:, ::2], array[::-1, :, 5], array[:, 10:200, 1:])
    yield from (array[:, :, 7], array[..., 64:], array.reshape(-1, 129)[5:9], array[0, 0, 0])
pairs = list(zip(views(there), views(big)))
show([n for n, (ours, theirs) in enumerate(pairs) if not same(ours.numpy(), np.array(theirs))],
     [n for n, (ours, theirs) in enumerate(pairs)
      if not same(ours.copy().numpy(), np.array(theirs))])
"""
    assert shown(code) == [[], []]


def test_threads_copy_at_the_same_time():
    code = """
from concurrent.futures import ThreadPoolExecutor
def both_ways(seed):
    array = np.random.default_rng(seed).random(5 << 20)
    return all(same(to_device(array).numpy(), array) for _ in range(3))
with ThreadPoolExecutor(4) as pool:
    show(list(pool.map(both_ways, range(4))))
"""
    assert shown(code) == [[True] * 4]


def test_streams_are_waited_for():
    code = STREAMS + """
there = to_device(counted, stream=one.value)
fill(there, 0, one)
lent = gpuprobe.from_dlpack(there, stream=two.value)
offered = gpuprobe.from_cuda_array(there, stream=two.value)
moved = to_device(there, stream=two.value)
show([bool((each.numpy() == 0).all()) for each in (there, lent, offered, moved)])
del there, lent, offered, moved, warm
end()
"""  # fmt: skip
    assert shown(code) == [[True] * 4]


@pytest.mark.needs_gpu(count=2)
def test_another_gpu_gets_a_copy():
    code = """
big = np.random.default_rng(0).random((100, 1000))
there = to_device(to_device(big, device=0)[:, 10:900], device=1)
show(there.device, same(there.numpy(), big[:, 10:900].copy()))
"""
    assert shown(code) == [1, True]
