"""What explaining a text costs in process: a typical paste, and a log of ten megabytes.

    python -m benchmarks.explain [--runs N] [--profile] [--json FILE]

The typical paste is the four longest of the open cases, one below the other; the large one
repeats all of them, each time with another number, until it has ten megabytes. A third text of
the same size says nothing at all: the cost of reading. The first call, which imports the readers,
the rules and the tables, is told apart from the later ones.
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
    """Wall time of `gpuprobe.explain` on one text."""

    name: str
    characters: int
    first_ms: float
    median_ms: float
    largest_ms: float
    runs: int


def texts() -> dict[str, str]:
    """The texts by name."""
    sys.path.insert(0, str(TESTS))
    from support.cases import load

    cases = [case.text for case in load("open")]
    return {
        "typical": "\n\n".join(sorted(cases, key=len)[-4:]),
        "large": large(cases),
        "silent": "epoch 17 step 400: loss 0.4711 accuracy 0.8125\n" * (LARGE_BYTES // 48),
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


def measure(name: str, text: str, runs: int) -> Timing:
    """The first call and the later ones."""
    first = milliseconds(text)
    samples = [milliseconds(text) for _ in range(runs)]
    return Timing(name, len(text), first, statistics.median(samples), max(samples), runs)


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
    print("            characters      first     median    largest     target")
    for each in timings:
        target = TARGETS_MS.get(each.name)
        aim = f"{target:7.0f} ms" if target else "         -"
        print(
            f"{each.name:10} {each.characters:11} {each.first_ms:7.1f} ms {each.median_ms:7.1f} ms "
            f"{each.largest_ms:7.1f} ms {aim}"
        )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explain")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of the typical text ({RUNS})")
    parser.add_argument("--profile", action="store_true", help="also where the time goes")
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )
    runs = {"typical": options.runs, "large": 3, "silent": 3}
    made = texts()
    timings = [measure(name, text, runs[name]) for name, text in made.items()]
    show(timings, machine)
    if options.profile:
        for text in (made["typical"], made["large"]):
            profile(text)
    if options.json:
        result = {"benchmark": "explain", "machine": machine, "timings": [*map(asdict, timings)]}
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
