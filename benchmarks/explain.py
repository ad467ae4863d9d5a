"""What explaining a text costs in process: what people paste, and logs of ten megabytes.

    python -m benchmarks.explain [--runs N] [--profile] [--json FILE]

Typical are the open cases, which are pastes of real machines, each by itself; long is one text of
the four longest of them. The large one repeats all of them, each time with another number, until
it has ten megabytes; the silent one, of the same size, says nothing at all: the cost of reading.
The very first call, which imports the readers, the rules and the tables, is told apart.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import gpuprobe

TESTS = Path(__file__).resolve().parent.parent / "tests"
LARGE_BYTES = 10_000_000
RUNS = 21
TARGETS_MS = {"typical": 20.0, "large": 2000.0}


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall time of `gpuprobe.explain` on texts of one kind, of each the median of its runs."""

    name: str
    texts: int
    characters: int  # of the text in the middle
    first_ms: float  # of the first text's first call
    median_ms: float  # of the texts
    slowest_ms: float  # of them
    runs: int


def texts() -> dict[str, list[str]]:
    """The texts by kind."""
    sys.path.insert(0, str(TESTS))
    from support.cases import load

    cases = [case.text for case in load("open")]
    return {
        "typical": cases,
        "long": ["\n\n".join(sorted(cases, key=len)[-4:])],
        "large": [large(cases)],
        "silent": ["epoch 17 step 400: loss 0.4711 accuracy 0.8125\n" * (LARGE_BYTES // 48)],
    }


def large(cases: list[str]) -> str:
    """All cases again and again, so that every reader finds work everywhere in the text."""
    parts, size = [], 0
    while size < LARGE_BYTES:
        for case in cases:
            part = f"{case}\n--- step {len(parts)}\n"
            parts.append(part)
            size += len(part)
    return "".join(parts)


def milliseconds(text: str) -> float:
    """Of one call."""
    start = time.perf_counter()
    gpuprobe.explain(text)
    return (time.perf_counter() - start) * 1e3


def measure(name: str, kind: list[str], runs: int) -> Timing:
    """The first call and the later ones."""
    first = milliseconds(kind[0])
    medians = [statistics.median(milliseconds(text) for _ in range(runs)) for text in kind]
    characters = statistics.median_low(map(len, kind))
    median = statistics.median(medians)
    return Timing(name, len(kind), characters, first, median, max(medians), runs)


def profile(text: str) -> None:
    """Where the time goes: the 25 functions that take most of it."""
    import cProfile
    import pstats

    profiler = cProfile.Profile()
    profiler.runcall(gpuprobe.explain, text)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def show(timings: list[Timing], machine: str) -> None:
    """A table for people."""
    print(f"gpuprobe.explain on {machine}")
    print("         texts characters      first     median    slowest     target")
    for each in timings:
        target = TARGETS_MS.get(each.name)
        aim = f"{target:7.0f} ms" if target else "         -"
        print(
            f"{each.name:8} {each.texts:5} {each.characters:10} {each.first_ms:7.1f} ms "
            f"{each.median_ms:7.1f} ms {each.slowest_ms:7.1f} ms {aim}"
        )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explain")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of each paste ({RUNS})")
    parser.add_argument("--profile", action="store_true", help="also where the time goes")
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )
    most = max(1, options.runs)
    runs = {"typical": most, "long": most, "large": 3, "silent": 3}
    made = texts()
    timings = [measure(name, kind, runs[name]) for name, kind in made.items()]
    show(timings, machine)
    if options.profile:
        for name in ("long", "large"):
            profile(made[name][0])
    if options.json:
        result = {"benchmark": "explain", "machine": machine, "timings": [*map(asdict, timings)]}
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
