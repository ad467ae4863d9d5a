"""What a call costs on the host before the GPU has anything to do, and where that time goes.

The calls are measured in turn in one process, and as a ratio to a Python function that does
nothing, so that a change of the machine's speed meets all of them. The time is the processor's, of
the thread that calls, which a busy machine disturbs less than that on the wall:

- empty: a Python function of two arguments that does nothing;
- array: a `DeviceArray` made of its parts;
- arena: memory for a 64x64 float32 array out of the arena, and back into it, in C alone;
- allocate: the same by the function of Python that other parts of gpuprobe call;
- core: `Arena.matmul` of no rows, in C: all that a product does but its launch;
- out, matmul: `gpuprobe.matmul` of no rows, into an array that is there and into a new one;
- launch: `gpuprobe.matmul` of 64x64 float32 arrays, until it is queued.

A launch on the fake driver computes the product on the host, within the call. That says nothing of
a host's part, so that `--fake` leaves it out.

    python -m benchmarks.overhead [--fake] [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import platform
import statistics
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import gpuprobe

from .on_a_fake import on_the_fake

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    Calls = dict[str, Callable[[], object]]

RUNS = 15
CALLS = 1000  # of one kind in a row
SIZE = 64
PLACES = 12  # of the profile that are shown


@dataclass(frozen=True, slots=True)
class Cost:
    """The median of one call over all runs, and as a ratio to a call of nothing."""

    name: str
    call_ns: float
    ratio: float


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a function in the whole of `gpuprobe.matmul`, what it calls left out."""

    function: str
    calls: float  # of it, in one call of matmul
    share: float


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured, and on what."""

    device: str
    python: str
    machine: str
    runs: int
    costs: list[Cost]
    shares: list[Share]


def nothing(a: object, b: object) -> None:
    """Takes two arguments, as a product does."""


def calls(*, launches: bool) -> Calls:
    """What is measured, by name."""
    from gpuprobe.memory.arenas import allocate, arena_of

    square = np.ones((SIZE, SIZE), np.float32)
    a, b = (gpuprobe.to_device(square) for _ in "ab")
    no_rows = gpuprobe.to_device(square[:0])
    no_result = gpuprobe.to_device(square[:0])
    arena = arena_of(a.device)
    parts = {
        name: getattr(a, name)
        for name in ("shape", "strides", "dtype", "device", "stream", "address", "owner")
    }
    found: Calls = {
        "empty": partial(nothing, a, b),
        "array": partial(gpuprobe.DeviceArray, **parts),
        "arena": partial(arena.alloc, a.nbytes, 0),
        "allocate": partial(allocate, a.nbytes),
        "core": partial(
            arena.matmul, "native", None, (no_rows, b), no_result, False, ("float32", "float32")
        ),
        "out": partial(gpuprobe.matmul, no_rows, b, out=no_result),
        "matmul": partial(gpuprobe.matmul, no_rows, b),
    }
    return found | ({"launch": partial(gpuprobe.matmul, a, b)} if launches else {})


def call_ns(call: Callable[[], object]) -> float:
    """Nanoseconds of one call, the loop around it included. What it has queued is not."""
    begun = time.thread_time_ns()
    for _ in range(CALLS):
        call()
    taken = time.thread_time_ns() - begun
    gpuprobe.cuda.synchronize()
    return taken / CALLS


def measure(measured: Calls, runs: int) -> list[Cost]:
    """All calls, taking turns, after one turn that is not counted."""
    samples: dict[str, list[float]] = {name: [] for name in measured}
    for number in range(1 + runs):
        for name, call in measured.items():
            sample = call_ns(call)
            if number > 0:
                samples[name].append(sample)
    medians = {name: statistics.median(values) for name, values in samples.items()}
    return [Cost(name, value, value / medians["empty"]) for name, value in medians.items()]


def profile(call: Callable[[], object]) -> list[Share]:
    """Where the time goes. Profiling makes small functions dearer than they are."""
    profiler = cProfile.Profile(time.thread_time)
    profiler.enable()
    for _ in range(CALLS):
        call()
    profiler.disable()
    entries = profiler.getstats()
    whole = sum(each.inlinetime for each in entries)
    dearest = sorted(entries, key=lambda each: each.inlinetime, reverse=True)[:PLACES]
    return [
        Share(_name(each.code), each.callcount / CALLS, each.inlinetime / whole) for each in dearest
    ]


def _name(code: CodeType | str) -> str:
    """``product.py: matmul``; of a function in C what the profiler calls it."""
    if isinstance(code, str):
        return code
    return f"{Path(code.co_filename).name}: {code.co_name}"


def here(runs: int, *, launches: bool) -> Result:
    """The result of this process."""
    measured = calls(launches=launches)
    name = gpuprobe.cuda.get_device_name()
    return Result(
        device=name if launches else f"the fake driver, which shows an {name}",
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        runs=runs,
        costs=measure(measured, runs),
        shares=profile(measured["matmul"]),
    )


def show(result: Result) -> None:
    """Print a table for people."""
    print(f"host part of a call on {result.machine}, Python {result.python}, {result.device}")
    print("              a call     of an empty one")
    for cost in result.costs:
        print(f"{cost.name:9} {cost.call_ns / 1e3:7.2f} us {cost.ratio:15.1f}")
    print(f"medians of {result.runs} runs of {CALLS} calls each")
    print("\nwhere matmul's time goes (by cProfile, without what a function calls)")
    for share in result.shares:
        print(f"{share.share:6.1%}  {share.calls:4.0f} x  {share.function}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overhead")
    parser.add_argument("--fake", action="store_true", help="on the fake driver of the tests")
    parser.add_argument("--inside-a-fake", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"default: {RUNS}")
    parser.add_argument("--json", metavar="FILE", help="write the result there; - prints it")
    options = parser.parse_args()
    if options.fake:
        to = ("--json", options.json) if options.json else ()
        inside = ["--inside-a-fake", "--runs", str(options.runs), *to]
        print(on_the_fake("overhead", inside, with_libraries=False), end="")
        return 0
    result = here(max(1, options.runs), launches=not options.inside_a_fake)
    text = json.dumps({"benchmark": "overhead", **asdict(result)}, indent=2)
    if options.json == "-":
        print(text)
        return 0
    show(result)
    if options.json:
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
