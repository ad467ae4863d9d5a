"""What starting gpuprobe costs, as a ratio to starting the interpreter that it runs on.

Four programs are run in turn, so that a change of the machine's speed meets all of them:

- bare: ``python -I -S -c pass``, the least that an interpreter does;
- plain: ``python -c pass`` of this environment;
- import: ``python -c "import gpuprobe"``;
- doctor: the whole ``gpuprobe``, its output thrown away.

    python -m benchmarks.startup [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

WARM_UP = 3  # the first runs read files from the disk and write byte code
RUNS = 31


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall time of one program: median, quartiles and the number of runs."""

    name: str
    median_ms: float
    lower_quartile_ms: float
    upper_quartile_ms: float
    runs: int


def programs() -> dict[str, list[str]]:
    """The command of each program; the doctor is the installed command where there is one."""
    python = sys.executable
    beside = str(Path(python).parent)
    installed = shutil.which("gpuprobe", path=beside)
    return {
        "bare": [python, "-I", "-S", "-c", "pass"],
        "plain": [python, "-c", "pass"],
        "import": [python, "-c", "import gpuprobe"],
        "doctor": [installed] if installed else [python, "-m", "gpuprobe"],
    }


def verdict(doctor: list[str]) -> str:
    """What the doctor says here. Exits where it gives no report: there is nothing to measure."""
    done = subprocess.run([*doctor, "--json"], check=False, capture_output=True, text=True)
    try:
        return str(json.loads(done.stdout)["verdict"])
    except (ValueError, KeyError) as error:
        raise SystemExit(f"no report from {doctor}: {done.stderr or done.stdout}") from error


def wall_ms(command: list[str]) -> float:
    """Milliseconds of one run."""
    quiet = subprocess.DEVNULL
    start = time.perf_counter()
    subprocess.run(command, check=False, stdin=quiet, stdout=quiet, stderr=quiet)
    return (time.perf_counter() - start) * 1e3


def measure(runs: int) -> list[Timing]:
    """All programs, taking turns."""
    commands = programs()
    samples: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(WARM_UP + runs):
        for name, command in commands.items():
            elapsed_ms = wall_ms(command)
            if number >= WARM_UP:
                samples[name].append(elapsed_ms)
    return [timing(name, values) for name, values in samples.items()]


def timing(name: str, samples_ms: list[float]) -> Timing:
    """The summary of one program's samples."""
    lower, middle, upper = statistics.quantiles(samples_ms, n=4, method="inclusive")
    return Timing(name, middle, lower, upper, len(samples_ms))


def document(timings: list[Timing], said: str) -> dict[str, object]:
    """The result as JSON: times, ratios to the bare interpreter, and what it was measured on."""
    by_name = {each.name: each for each in timings}
    bare_ms = by_name["bare"].median_ms
    return {
        "benchmark": "startup",
        "verdict": said,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "timings": [asdict(each) for each in timings],
        "ratio_to_bare": {name: each.median_ms / bare_ms for name, each in by_name.items()},
        "import_over_plain_ms": by_name["import"].median_ms - by_name["plain"].median_ms,
    }


def show(result: dict[str, object], timings: list[Timing]) -> None:
    """Print a table for people."""
    bare_ms = timings[0].median_ms
    print(f"start-up on {result['machine']}, Python {result['python']}, GPU: {result['verdict']}")
    print("            median   quartiles            of a bare start")
    for each in timings:
        spread = f"{each.lower_quartile_ms:.1f} .. {each.upper_quartile_ms:.1f}"
        print(
            f"{each.name:8} {each.median_ms:7.1f} ms   {spread:16} {each.median_ms / bare_ms:9.2f}"
        )
    print(f"medians of {timings[0].runs} runs; import costs", end=" ")
    print(f"{result['import_over_plain_ms']:.1f} ms over a plain start")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"default: {RUNS}")
    parser.add_argument("--json", metavar="FILE", help="write the result there; - prints it")
    options = parser.parse_args()
    said = verdict(programs()["doctor"])
    timings = measure(max(2, options.runs))
    result = document(timings, said)
    if options.json == "-":
        print(json.dumps(result, indent=2))
        return 0
    show(result, timings)
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
