"""The fake driver's streams, events and virtual memory: what a program must not do ends it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY
from support.child import printed, run_python
from support.machines import H100
from support.scenario import Scenario, Stage, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

ONE_CARD = Scenario(name="one card", expect=HEALTHY)

IN_CONTEXT = "from support.contract import *; driver, _ = in_context(); "


def died(made: Stage, code: str) -> str:
    """What the fake says on standard error when it ends the process because the test is wrong."""
    done = run_python(made.environment("search"), "-c", code)
    assert done.returncode == 97, (done.returncode, done.stderr)
    return done.stderr


TWO_STREAMS = IN_CONTEXT + (
    "first, second, event, place = Pointer(), Pointer(), Pointer(), Pointer(); "
    "[driver('cuStreamCreate', byref(each), NON_BLOCKING) for each in (first, second)]; "
    "driver('cuEventCreate', byref(event), 2); driver('cuMemAlloc_v2', byref(place), Size(64)); "
    "fill = lambda stream: driver('cuMemsetD8Async', place, 0, Size(64), stream); "
    "read = lambda stream: driver('cuMemcpyDtoHAsync_v2', create_string_buffer(64), place, "
    "Size(64), stream); "
    "mark = lambda stream: driver('cuEventRecord', event, stream); "
    "wait = lambda stream: driver('cuStreamWaitEvent', stream, event, 0); "
    "ask = lambda: driver('cuEventQuery', event); "
)

BEFORE_IT_IS_READY = "is used on one stream before another has done with it"


@pytest.mark.parametrize(
    "steps",
    [
        "fill(first), read(second)",
        "fill(first), fill(second)",
        "read(first), fill(second)",
        "mark(first), fill(first), wait(second), read(second)",
        "fill(first), mark(first), ask(), read(second)",  # the answer was: not yet
        "fill(first), mark(second), wait(second), read(second)",
        "fill(first), read(None)",  # the default stream waits for blocking streams alone
    ],
)
def test_memory_used_before_another_stream_is_ready_ends_the_process(
    steps: str, fakes: Fakes, tmp_path: Path
) -> None:
    assert BEFORE_IT_IS_READY in died(stage(ONE_CARD, fakes, tmp_path), TWO_STREAMS + steps)


@pytest.mark.parametrize(
    "steps",
    [
        "fill(first), read(first), fill(first)",
        "fill(first), mark(first), wait(second), fill(second)",
        "fill(first), mark(first), ask(), ask(), fill(second)",
        "fill(first), driver('cuStreamSynchronize', first), fill(second)",
        "fill(first), driver('cuCtxSynchronize'), fill(None)",
        "read(first), read(second)",
        "driver('cuStreamCreate', byref(first), 0), fill(first), read(None), fill(first)",
        "fill(first), driver('cuMemFree_v2', place)",  # the driver waits
    ],
)
def test_memory_used_in_order_is_let_through(steps: str, fakes: Fakes, tmp_path: Path) -> None:
    printed(stage(ONE_CARD, fakes, tmp_path), TWO_STREAMS + steps + "; print(0)")


#: `add` queues sum = place + place. The driver knows kernels by their names in the image alone.
PTX = ".version 6.0\\n.target sm_50\\n.visible .entry gp_add_f32("
WITH_KERNEL = TWO_STREAMS + (
    "module, function, total, n = Pointer(), Pointer(), Pointer(), ctypes.c_uint64(16); "
    f"driver('cuModuleLoadData', byref(module), b'{PTX}'); "
    "driver('cuModuleGetFunction', byref(function), module, b'gp_add_f32'); "
    "driver('cuMemAlloc_v2', byref(total), Size(64)); "
    "given = (Pointer * 4)(*(ctypes.addressof(each) for each in (total, place, place, n))); "
    "add = lambda stream: driver("
    "'cuLaunchKernel', function, 1, 1, 1, 256, 1, 1, 0, stream, given, None); "
)


@pytest.mark.parametrize(
    "steps",
    [
        "fill(first), add(second)",
        "add(first), fill(second)",
        "add(first), add(second)",  # both write the sum
        "add(first), driver('cuMemcpyDtoHAsync_v2', given, total, Size(32), second)",
    ],
)
def test_a_kernel_is_work_on_its_stream(steps: str, fakes: Fakes, tmp_path: Path) -> None:
    assert BEFORE_IT_IS_READY in died(stage(ONE_CARD, fakes, tmp_path), WITH_KERNEL + steps)


@pytest.mark.parametrize(
    "steps",
    [
        "fill(first), add(first), add(first), fill(first)",
        "fill(first), mark(first), wait(second), add(second)",
        "add(first), read(second)",
        "add(first), driver('cuStreamSynchronize', first), fill(second)",
    ],
)
def test_kernels_in_order_are_let_through(steps: str, fakes: Fakes, tmp_path: Path) -> None:
    printed(stage(ONE_CARD, fakes, tmp_path), WITH_KERNEL + steps + "; print(0)")


def test_a_kernel_on_memory_that_is_not_the_devices_ends_the_process(
    fakes: Fakes, tmp_path: Path
) -> None:
    message = died(stage(ONE_CARD, fakes, tmp_path), WITH_KERNEL + "n.value = 17; add(first)")
    assert "gp_add_f32 uses 68 bytes at" in message


MAPPED = (
    "from support.contract import *; driver, prop, page = virtual_memory(); base = Pointer(); "
    "stream = Pointer(); driver('cuStreamCreate', byref(stream), NON_BLOCKING); "
    "driver('cuMemAddressReserve', byref(base), Size(4 * page), Size(0), Pointer(), Flags(0)); "
    "map_page(driver, prop, page, base.value); "
)


def test_memory_is_not_unmapped_under_a_stream_that_uses_it(fakes: Fakes, tmp_path: Path) -> None:
    work = "driver('cuMemsetD8Async', base, 0, Size(1), stream); "
    steps = work + "driver('cuMemUnmap', base, Size(page))"
    message = died(stage(ONE_CARD, fakes, tmp_path), MAPPED + steps)
    assert "cuMemUnmap: a stream may still be using" in message


def test_reserved_addresses_without_memory_are_out_of_reach(fakes: Fakes, tmp_path: Path) -> None:
    code = MAPPED + (
        "import json; last = Pointer(base.value + page - 1); "
        "print(json.dumps([driver('cuMemsetD8_v2', last, 0, Size(n)) for n in (1, 2)]))"
    )
    assert printed(stage(ONE_CARD, fakes, tmp_path), code) == [0, 1]


def test_mapped_memory_is_taken_from_the_device_until_it_is_unmapped(
    fakes: Fakes, tmp_path: Path
) -> None:
    machine = replace(ONE_CARD, gpus=(replace(H100, granularity=64 << 10),))
    code = MAPPED + (
        "import json; free = Size(); room = lambda: "
        "(driver('cuMemGetInfo_v2', byref(free), byref(Size())), free.value)[1]; during = room(); "
        "driver('cuMemUnmap', base, Size(page)); print(json.dumps([page, room() - during]))"
    )
    assert printed(stage(machine, fakes, tmp_path), code) == [64 << 10, 64 << 10]


def test_the_report_counts_what_is_left_of_virtual_memory(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(ONE_CARD, fakes, tmp_path)
    printed(made, MAPPED + "print(0)")
    [report] = made.reports()
    names = ("streams", "events", "reservations", "handles", "mappings")
    assert [report[name] for name in names] == [1, 0, 1, 0, 1]


def test_a_device_without_virtual_memory_refuses_it(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(ONE_CARD, gpus=(replace(H100, vmm=False),)), fakes, tmp_path)
    code = IN_CONTEXT + (
        "import json; memory = ctypes.c_ulonglong(); prop = Prop(1, 0, 1, 0, None, 0); "
        "print(json.dumps([driver.number('cuDeviceGetAttribute', 102, 0), "
        "driver('cuMemCreate', byref(memory), Size(2 << 20), byref(prop), Flags(0))]))"
    )
    assert printed(made, code) == [0, 801]


# -- pinned memory of the host ----------------------------------------------------------------

PINNED = IN_CONTEXT + (
    "import ctypes, json; place, host, stream = Pointer(), Pointer(), Pointer(); "
    "driver('cuMemAlloc_v2', byref(place), Size(64)); "
    "driver('cuMemHostAlloc', byref(host), Size(64), 0); "
    "driver('cuStreamCreate', byref(stream), NON_BLOCKING); "
    "write = lambda value: ctypes.memset(host, value, 64); "
    "read = lambda: ctypes.string_at(host, 64); "
    "send = lambda: driver('cuMemcpyHtoDAsync_v2', place, host, Size(64), stream); "
    "fetch = lambda: driver('cuMemcpyDtoHAsync_v2', host, place, Size(64), stream); "
    "wait = lambda: driver('cuStreamSynchronize', stream); "
    "free = lambda: driver('cuMemFreeHost', host); "
)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("write(1); send(); write(2); wait()", "was written before the copy from it was done"),
        ("write(1); send(); free()", "a stream may still be using the memory"),
        ("fetch(); free()", "a stream may still be using the memory"),
    ],
)
def test_pinned_memory_used_before_a_copy_is_done_ends_the_process(
    steps: str, said: str, fakes: Fakes, tmp_path: Path
) -> None:
    assert said in died(stage(ONE_CARD, fakes, tmp_path), PINNED + steps)


def test_bytes_arrive_in_pinned_memory_when_the_host_has_waited(
    fakes: Fakes, tmp_path: Path
) -> None:
    code = PINNED + (
        "write(1); send(); wait(); write(2); fetch(); early = read(); wait(); late = read(); "
        "print(json.dumps([early == bytes([1]) * 64, late == bytes([1]) * 64, free(), free()]))"
    )
    made = stage(ONE_CARD, fakes, tmp_path)
    assert printed(made, code) == [False, True, 0, 1]
