"""gpuprobe's memory on the fake driver, each case in a process of its own, as CUDA wants it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.arenas import BEGIN, GIB, MIB, ONE_CARD, result
from support.child import printed, run_python
from support.machines import RTX_3060, Process
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")


def test_nothing_is_started_by_wishes_and_questions(fakes: Fakes, tmp_path: Path):
    code = """
memory.set_growth(False, fraction=0.5); memory.set_limit(100 * MIB, device=0)
memory.reset_peak(); stats = memory.stats()
show(stats.backing, stats.limit_bytes, stats.reserved_bytes, memory.trim())
"""
    made = stage(ONE_CARD, fakes, tmp_path)
    assert printed(made, BEGIN + code) == [None, 100 * MIB, 0, 0]
    assert made.reports() == ()


def test_memory_is_taken_as_it_is_needed(fakes: Fakes, tmp_path: Path):
    code = """
first = allocate(1000)
one = memory.stats()
second = allocate(40 * MIB)
two = memory.stats()
del first, second
show(one.backing, one.in_use_bytes, one.reserved_bytes, two.reserved_bytes, two.blocks,
     memory.stats().in_use_bytes, memory.stats().in_use_peak_bytes, memory.trim(),
     memory.stats().reserved_bytes)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [
        "vmm", 1024, 32 * MIB, 64 * MIB, 2, 0, 40 * MIB + 1024, 64 * MIB, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "call", ["cuMemAddressReserve", "cuMemCreate", "cuMemMap", "cuMemSetAccess"]
)
def test_a_driver_that_refuses_virtual_memory_gives_separate_pieces(
    call: str, fakes: Fakes, tmp_path: Path
):
    code = """
blocks = [allocate(20 * MIB) for _ in "abc"]
show(memory.stats().backing, memory.stats().blocks)
"""
    machine = replace(ONE_CARD, faults={call: 801})
    assert result(machine, fakes, tmp_path, code) == ["chunks", 3]


def test_a_fraction_of_what_is_free_is_taken_at_once(fakes: Fakes, tmp_path: Path):
    code = """
memory.set_growth(False, fraction=0.5)
block = allocate(1)
show(memory.stats().reserved_bytes)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [256 * MIB]


def test_a_limit_holds_and_says_what_is_in_the_way(fakes: Fakes, tmp_path: Path):
    holder = Process("train.py", 4711, 512)
    code = """
memory.set_limit(64 * MIB)
blocks = [allocate(30 * MIB) for _ in "ab"]
name, text = raised(allocate, 5 * MIB)
kept = allocate(4 * MIB)
show(name, text.splitlines())
"""
    name, lines = result(replace(ONE_CARD, processes=(holder,)), fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "OutOfMemory"
    first, numbers, who, hint = lines
    assert first == (
        "GPU 0 is out of memory for 5.0 MiB (5242880 bytes): gpuprobe's limit is reached."
    )
    assert numbers == (
        "limit 64.0 MiB, in use 60.0 MiB, reserved 64.0 MiB, largest free block 4.0 MiB;"
        " the device has 448.0 MiB free of 1.0 GiB"
    )
    assert who == "train.py (process 4711): 512 MiB"
    assert hint == "Raise it with gpuprobe.memory.set_limit() at the start, or free arrays."


def test_a_full_device_is_told_from_a_limit(fakes: Fakes, tmp_path: Path):
    code = """
name, text = raised(allocate, 513 * MIB)
show(name, text.splitlines()[0], text.splitlines()[-1], memory.stats().shortages,
     memory.stats().retries)
"""
    name, first, last, shortages, _ = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "OutOfMemory"
    assert first.endswith("the device has no more.")
    assert "`gpuprobe memory` lists them" in last
    assert shortages == 1


def test_out_of_memory_is_a_memory_error_with_its_numbers(fakes: Fakes, tmp_path: Path):
    code = """
try:
    allocate(600 * MIB)
except MemoryError as error:
    lacking = error.shortage
    show(error.device, lacking.is_limit, lacking.asked_bytes, lacking.device_total_bytes)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [0, False, 600 * MIB, GIB]


# -- set too late ---------------------------------------------------------------------------------


def test_growth_and_limit_cannot_be_changed_after_the_first_use(fakes: Fakes, tmp_path: Path):
    code = """
block = allocate(1)
memory.set_growth(True); memory.set_limit(None)  # as they are: never too late
show(raised(memory.set_growth, False), raised(memory.set_limit, MIB, device=0))
"""
    [[growth, text], [limit, other]] = result(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert (growth, limit) == ("TooLateError", "TooLateError")
    assert "gpuprobe.memory.set_growth() comes too late for GPU 0" in text
    assert "It has growth: on demand, limit: none" in text
    assert "asked for is growth: 1 of the free memory at once, limit: none" in text
    assert "Call it at the start of the program" in text
    assert "limit: 1.0 MiB." in other


def test_a_gpu_that_was_not_used_may_still_be_changed(fakes: Fakes, tmp_path: Path):
    code = """
block = allocate(1, device=0)
memory.set_limit(64 * MIB, device=1)
other = allocate(1, device=1)
show(memory.stats(0).limit_bytes > 64 * MIB, memory.stats(1).limit_bytes)
"""
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [True, 64 * MIB]


def test_what_is_said_of_all_gpus_holds_for_those_with_a_wish_of_their_own(
    fakes: Fakes, tmp_path: Path
):
    code = """
memory.set_limit(64 * MIB, device=1)
memory.set_limit(128 * MIB)
show(memory.stats(0).limit_bytes, memory.stats(1).limit_bytes)
"""
    assert result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [128 * MIB] * 2


# -- threads, forks ------------------------------------------------------------------------------


def test_threads_share_an_arena(fakes: Fakes, tmp_path: Path):
    code = """
import threading
failures = []
def work(number):
    try:
        kept = [allocate(size * 1000) for size in range(1, 100)]
        ranges = sorted((each.address, each.size) for each in kept)
        assert all(a + n <= b for (a, n), (b, _) in zip(ranges, ranges[1:]))
    except BaseException as error:
        failures.append(repr(error))
threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
for each in threads: each.start()
for each in threads: each.join()
show(failures, memory.stats().in_use_bytes, memory.stats().allocations)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [[], 0, 8 * 99]


def test_a_block_outlives_the_end_of_its_arena(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import _core
arena = _core.Arena(0, 0.0, 0)
block = arena.alloc(1000, 0)
arena.close(); arena.close()
show(raised(arena.stats), raised(block.share, 0), block.size)
del block, arena
"""
    closed = ["RuntimeError", "the arena is closed"]
    assert result(ONE_CARD, fakes, tmp_path, code) == [closed, closed, 1024]


def test_an_arena_that_nobody_has_gives_its_memory_back(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import _core
arena = _core.Arena(0, 0.5, 0)
before, _ = arena.device_memory()
del arena
arena = _core.Arena(0, 0.0, 0)
after, _ = arena.device_memory()
arena.close()
show((after - before) // MIB)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [256]


def test_ctrl_c_while_cuda_starts_loses_no_memory(fakes: Fakes, tmp_path: Path):
    """It is heard when the driver has answered, and then nobody has the memory that it gave."""
    code = """
import signal
memory.set_growth(False)
signal.signal(signal.SIGALRM, signal.default_int_handler)  # as Ctrl-C, while the driver hangs
signal.setitimer(signal.ITIMER_REAL, 2)
try:
    block = allocate(1)
except KeyboardInterrupt:
    block = None
was_heard = block is None
block = allocate(400 * MIB)
show(was_heard, memory.stats().reserved_bytes // MIB)
"""
    machine = replace(ONE_CARD, faults={"cuMemAddressReserve@1": "hang 30"})
    assert result(machine, fakes, tmp_path, code) == [True, 448]


def test_a_fork_has_none_of_it_and_says_why(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
import os
block = allocate(1000)
child = os.fork()
if child == 0:
    del block
    show(raised(allocate, 1), raised(memory.stats), raised(memory.set_limit, 1 << 20),
         raised(memory.set_growth, True), raised(memory.trim), raised(memory.reset_peak))
    os._exit(0)
os.waitpid(child, 0)
"""  # fmt: skip
    told = printed(stage(ONE_CARD, fakes, tmp_path), code)
    assert isinstance(told, list)
    assert [name for name, _ in told] == ["RuntimeError"] * 6
    assert all("forked from one that had used a GPU" in text for _, text in told)


def test_a_fork_of_a_fork_says_so_too(fakes: Fakes, tmp_path: Path):
    code = BEGIN + """
import os
block = allocate(1000)
if os.fork() == 0:
    if os.fork() == 0:
        show(raised(allocate, 1), raised(memory.stats))
        os._exit(0)
    os.wait()
    os._exit(0)
os.wait()
"""  # fmt: skip
    told = printed(stage(ONE_CARD, fakes, tmp_path), code)
    assert isinstance(told, list)
    assert all("forked from one that had used a GPU" in text for _, text in told)


def test_a_fork_waits_for_no_thread_that_starts_cuda(fakes: Fakes, tmp_path: Path):
    """The thread holds the lock for as long as the driver takes, and is not there in the fork."""
    code = BEGIN + """
import os, signal, threading, time
from gpuprobe.memory import arenas
threading.Thread(target=allocate, args=(1000,), daemon=True).start()
while not arenas._ARENAS._lock.locked():
    time.sleep(0.001)
if os.fork() == 0:
    signal.alarm(60)
    memory.set_limit(100 * MIB)
    show(memory.stats().limit_bytes)
    os._exit(0)
os.wait()
os._exit(0)
"""  # fmt: skip
    machine = replace(ONE_CARD, faults={"cuMemAddressReserve": "hang 300"})
    assert printed(stage(machine, fakes, tmp_path), code) == [100 * MIB]


# -- what fails -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        *("cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2", "cuMemGetInfo_v2"),
        *("cuMemGetAllocationGranularity", "cuMemAddressReserve"),
        *("cuMemCreate", "cuMemMap", "cuMemSetAccess"),
    ],
)
def test_the_call_that_fails_is_named_and_nothing_is_left(call: str, fakes: Fakes, tmp_path: Path):
    code = "show(raised(allocate, 1000))"
    machine = replace(ONE_CARD, faults={f"{call}@1": 999})
    [[name, text]] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "DriverError"
    assert f"{call} failed with CUDA_ERROR_UNKNOWN (999)" in text


@pytest.mark.parametrize(
    ("file", "told"),
    [("/nonexistent.so", "/nonexistent.so"), ("/\udcff\udcfe.so", "/\ufffd\ufffd.so")],
)
def test_without_a_driver_the_loader_says_what_is_missing(
    file: str, told: str, fakes: Fakes, tmp_path: Path
):
    """Also where the file's name is no text."""
    machine = replace(ONE_CARD, driver=None, environment={"GPUPROBE_LIBCUDA": file})
    done = run_python(
        stage(machine, fakes, tmp_path).environment("search"),
        *("-c", BEGIN + "show(raised(allocate, 1))"),
    )
    [[name, text]] = json.loads(done.stdout)
    assert name == "DriverError"
    assert text.startswith(f"GPU 0: dlopen failed: {told}: cannot open shared object file")


def test_calls_keep_no_memory_of_the_host(fakes: Fakes, tmp_path: Path):
    """Neither those that work nor those that fail, however often they come."""
    code = """
import gc, sys
from gpuprobe import _core
arena = _core.Arena(0, 0.0, 64 * MIB)
def often():
    for _ in range(300):
        arena.alloc(1000, 0).share(0)
        arena.stats()
        try: arena.alloc(65 * MIB, 0)
        except _core.ArenaError: pass
        try: _core.Arena(9, 0.0, 0)
        except _core.ArenaError: pass
    gc.collect()
    return sys.getallocatedblocks()
before = often()
after = often()
arena.close()
show(after - before < 100)
"""
    assert result(ONE_CARD, fakes, tmp_path, code) == [True]


# -- who else -------------------------------------------------------------------------------------


def test_what_cuda_does_not_show_to_this_process_is_nobodys(fakes: Fakes, tmp_path: Path):
    """The variable that a child would read was changed after CUDA started here."""
    code = """
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
block = allocate(1)
del os.environ["CUDA_VISIBLE_DEVICES"]
show([memory.holders(n).name for n in (0, 1)])
"""
    [found] = result(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)
    assert found == [TWO_DIFFERENT_CARDS.gpus[0].name, None]


def test_holders_are_those_of_this_gpu(fakes: Fakes, tmp_path: Path):
    holder = Process("train", 4711, 2048, gpu=1)
    busy = replace(RTX_3060, used_mib=2500)
    machine = replace(
        TWO_DIFFERENT_CARDS,
        gpus=(TWO_DIFFERENT_CARDS.gpus[0], replace(busy, pci="0000:41:00.0", minor=1)),
        processes=(holder,),
    )
    code = """
show([memory.holders(n).to_dict() for n in (0, 1, 7)])
"""
    [found] = result(machine, fakes, tmp_path, code)  # type: ignore[misc]
    held = [each for each in found if each["processes"]]
    words = "train (process 4711): 2048 MiB"
    assert [[row["words"] for row in each["processes"]] for each in held] == [[words]]
    assert held[0]["name"] == RTX_3060.name
    assert held[0]["other_bytes"] == 452 * MIB
    assert found[2]["unknown"]["processes"] == "no GPU is known to have CUDA's number 7"
