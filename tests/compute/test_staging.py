"""Large copies between NumPy and the fake driver: pinned pieces, which nobody uses too early.

The fake lets bytes arrive in pinned memory only when the host knows of it, and ends a process that
writes pinned memory while a copy from it may be on its way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

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
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

#: A piece is 4 MiB.
LARGE = """
def large(pieces, more=0):
    size = int(pieces * (4 << 20)) + more
    return np.arange(-(-size // 4), dtype=np.uint32).view(np.int8)[:size]
"""


def test_arrays_of_many_pieces_come_back_bit_for_bit(fakes: Fakes, tmp_path: Path):
    code = LARGE + """
arrays = [large(1), large(1, 1), large(2), large(2, -1), large(2.5), large(5, 3)]
show([same(to_device(each).numpy(), each) for each in arrays])
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 6]


@pytest.mark.parametrize(
    ("fault", "pieces"),
    [("cuMemHostAlloc@3", (0.5, 3, 4)), ("cuMemHostAlloc@1", (0.5, 1))],
)
def test_only_large_copies_pin_memory_and_only_once(
    fault: str, pieces: tuple[float, ...], fakes: Fakes, tmp_path: Path
):
    code = LARGE + f"""
for size in {pieces}:
    to_device(large(size)).numpy()
show()
"""  # fmt: skip
    machine = replace(ONE_CARD, faults={fault: "abort"})
    assert result(machine, fakes, tmp_path, code) == []


def test_each_gpu_has_pieces_of_its_own(fakes: Fakes, tmp_path: Path):
    code = LARGE + """
show([same(to_device(large(2), device=n).numpy(), large(2)) for n in (0, 1, 0)])
"""  # fmt: skip
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[True] * 3]


def test_pieces_serve_one_stream_after_another(fakes: Fakes, tmp_path: Path):
    code = LARGE + STREAMS + """
there = [to_device(large(3), stream=each.value) for each in (one, two)]
fill(there[0], 7, one)
show(bool((there[0].numpy() == 7).all()), np.array_equal(there[1].numpy(), large(3)))
del there, warm
end()
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [True, True]


def test_threads_copy_at_the_same_time(fakes: Fakes, tmp_path: Path):
    code = LARGE + """
from concurrent.futures import ThreadPoolExecutor
def both_ways(seed):
    array = large(2, seed)
    return all(same(to_device(array).numpy(), array) for _ in range(3))
with ThreadPoolExecutor(4) as pool:
    show(list(pool.map(both_ways, range(4))))
"""  # fmt: skip
    assert result(ONE_CARD, fakes, tmp_path, code) == [[True] * 4]


@pytest.mark.parametrize("call", ["cuMemHostAlloc", "cuPointerGetAttribute"])
def test_without_pinned_memory_the_copy_is_made_all_the_same(
    call: str, fakes: Fakes, tmp_path: Path
):
    code = LARGE + "show(same(to_device(large(2)).numpy(), large(2)))"
    machine = replace(ONE_CARD, faults={f"{call}@1": 2})
    assert result(machine, fakes, tmp_path, code) == [True]


@pytest.mark.parametrize(
    "call",
    [
        "cuMemcpyHtoDAsync_v2@2",
        "cuMemcpyDtoHAsync_v2@2",
        "cuEventRecord@1",
        "cuEventRecord@5",
        "cuEventSynchronize@2",
        "cuStreamSynchronize@1",
        "cuStreamSynchronize@2",
    ],
)
def test_a_call_that_fails_is_named_and_the_next_copy_is_right(
    call: str, fakes: Fakes, tmp_path: Path
):
    code = LARGE + """
array = large(3)
said = raised(lambda: to_device(array).numpy())
show(said, same(to_device(array).numpy(), array), memory.stats().blocks)
"""  # fmt: skip
    machine = replace(ONE_CARD, faults={call: 999})
    [[name, text], equal, blocks] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "DriverError"
    assert f"{call.partition('@')[0]} failed with CUDA_ERROR_UNKNOWN (999)" in text
    assert (equal, blocks) == (True, 0)


def test_a_fork_pins_nothing_and_leaves_the_parents_pieces_alone(fakes: Fakes, tmp_path: Path):
    code = BEGIN + LARGE + """
there = to_device(large(2))
child = os.fork()
if child == 0:
    show(raised(there.numpy)[0])
    del there
    os._exit(0)
os.waitpid(child, 0)
assert same(there.numpy(), large(2))
"""  # fmt: skip
    made = stage(ONE_CARD, fakes, tmp_path)
    assert printed(made, code) == ["RuntimeError"]
