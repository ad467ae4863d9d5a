"""What memory costs that is taken and given back: gpuprobe's arena, torch's cache, cuMemAlloc.

The patterns are those of benchmarks/memory_patterns.py. All go through the same steps, in turn,
while nothing runs on the GPU. gpuprobe and torch make arrays, as people do; the driver's own calls
go through ctypes, whose cost is told beside them. The first pass begins with nothing reserved; the
others find what it has reserved. Fragmentation is what was reserved at most, over what was asked
for at most.

    python -m benchmarks.memory [--patterns step,growing] [--rounds N] [--minutes M] [--json FILE]
        [--quick | --fake]
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from gpuprobe.memory.arenas import arena_of

from .cuda_driver import Driver
from .gpu_run import Parser, add_common, fake_words, setting_lines, started, write
from .gpu_setting import Setting, setting, state_of_gpu
from .gpu_timing import TORCH, Spread
from .memory_allocators import Drivers, Ours, Torchs
from .memory_patterns import PATTERNS, STREAMS, Take, peak_of
from .torch_side import torch_here

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from .gpu_setting import State
    from .memory_allocators import Allocator
    from .memory_patterns import Give

ROUNDS = 30
DRIVER = "driver"
_QUICK_ROUNDS, _QUICK_SCALE = 1, 64
_CALLS = 1000


@dataclass(frozen=True, slots=True)
class Cost:
    """One allocator on one pattern.

    Attributes:
        pair_us: The host's time for a take and a give, once memory is reserved.
        first_pair_us: The same in the first pass.
        of_driver: cuMemAlloc's time over this one's, round by round.
        of_torch: torch's, likewise; None without torch.
        fragmentation: Reserved at most in all passes, over asked for at most; None: nobody counts.
    """

    by: str
    pair_us: Spread
    first_pair_us: float
    of_driver: Spread
    of_torch: Spread | None
    fragmentation: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern: how many takes, and the most bytes at once."""

    pattern: str
    takes: int
    peak_bytes: int
    costs: tuple[Cost, ...]


@dataclass(slots=True)
class Document:
    """All that was found, as JSON has it. `call_us` is a call of the driver through ctypes."""

    benchmark: str
    rounds: int
    call_us: float
    before: State | None
    rows: list[Row] = field(default_factory=list)
    not_begun: list[str] = field(default_factory=list)
    after: State | None = None
    setting: Setting | None = None


def pass_s(steps: Sequence[Take | Give], allocator: Allocator) -> float:
    """The host's time for all steps."""
    held: dict[int, object] = {}
    begun = time.perf_counter()
    for step in steps:
        if isinstance(step, Take):
            held[step.name] = allocator.take(step.size_bytes, step.stream)
        else:
            allocator.give(held.pop(step.name))
    return time.perf_counter() - begun


def measure(pattern: str, scale: int, allocators: dict[str, Allocator], rounds: int) -> Row:
    """All allocators in turn, after a first pass of each."""
    steps = tuple(PATTERNS[pattern](scale))
    takes, peak = sum(isinstance(each, Take) for each in steps), peak_of(steps)
    first = {}
    for by, allocator in allocators.items():
        allocator.clear()
        first[by] = pass_s(steps, allocator)
    samples: dict[str, list[float]] = {by: [] for by in allocators}
    for _ in range(rounds):
        for by, allocator in allocators.items():
            samples[by].append(pass_s(steps, allocator))
    reserved = {by: allocator.reserved_peak() for by, allocator in allocators.items()}
    for allocator in allocators.values():
        allocator.clear()

    def faster(by: str, than: str) -> Spread:
        pairs = zip(samples[than], samples[by], strict=True)
        return Spread.of([theirs / own for theirs, own in pairs])

    def cost(by: str) -> Cost:
        most = reserved[by]
        return Cost(
            by,
            Spread.of([each / takes * 1e6 for each in samples[by]]),
            first[by] / takes * 1e6,
            faster(by, DRIVER),
            faster(by, TORCH) if TORCH in samples else None,
            None if most is None else most / peak,
        )

    return Row(pattern, takes, peak, tuple(map(cost, allocators)))


def call_us(driver: Driver) -> float:
    """A call of the driver through ctypes that has next to nothing to do."""
    event = driver.event()
    begun = time.perf_counter()
    for _ in range(_CALLS):
        driver.is_reached(event)
    return (time.perf_counter() - begun) / _CALLS * 1e6


def work(options: argparse.Namespace) -> int:
    """Measure and print; nothing is wrong or right here."""
    rounds = options.rounds or (_QUICK_ROUNDS if options.quick else ROUNDS)
    end = time.monotonic() + 60 * options.minutes
    with Driver() as driver:
        found = Document("memory", rounds, call_us(driver), state_of_gpu())
        streams = [0, *(driver.stream() for _ in range(STREAMS))]
        allocators: dict[str, Allocator] = {"gpuprobe": Ours(streams), DRIVER: Drivers(driver)}
        torch = torch_here().module
        if torch is not None:
            allocators[TORCH] = Torchs(torch, streams)
        for pattern in options.patterns:
            if time.monotonic() > end:
                found.not_begun.append(pattern)
                continue
            scale = _QUICK_SCALE if options.quick else 1
            found.rows.append(measure(pattern, scale, allocators, rounds))
            write(found, options.json)
        for stream in streams[1:]:
            arena_of(0).forget(stream)  # before it ends
    found.after, found.setting = state_of_gpu(), setting(options.commit)
    write(found, options.json)
    if options.inside_a_fake:
        print(fake_words("memory", f"{len(found.rows)} patterns"))
    elif options.json == "-":
        print(json.dumps(asdict(found), indent=1))
    else:
        show(found)
    return 0


def show(found: Document) -> None:
    """A table for people."""
    for row in found.rows:
        print(f"{row.pattern}: {row.takes} takes, at most {row.peak_bytes} bytes at once")
        for cost in row.costs:
            print(f"  {_figures(cost)}")
    print(f"host's time; medians and quartiles of {found.rounds} passes")
    print(f"a call of the driver through ctypes: {found.call_us:.2f} us")
    for line in setting_lines(found.setting, found.before, found.after, found.not_begun):
        print(line)


def _figures(cost: Cost) -> str:
    pair = cost.pair_us
    parts = [
        f"{cost.by:8} {pair.median:9.2f} us a pair ({pair.low:.2f} to {pair.high:.2f})",
        f"first {cost.first_pair_us:9.2f} us",
        f"{cost.of_driver.median:.2f} x the driver's speed",
    ]
    if cost.of_torch is not None:
        parts.append(f"{cost.of_torch.median:.2f} x torch's speed")
    if cost.fragmentation is not None:
        parts.append(f"reserved {cost.fragmentation:.3f} of what was asked for")
    return "  ".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 2: there is no usable GPU."""
    text = str(__doc__).partition("\n")[0]
    parser = Parser(prog="python -m benchmarks.memory", description=text)
    parser.add_list("--patterns", tuple(PATTERNS))
    add_common(parser, ROUNDS)
    return started("memory", (), work, parser, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
