"""What the proof of a product costs, as a part of the product itself by NumPy's own library.

Both are measured in turn, on the same arrays and with all processors that this process may use:

- exact: whole numbers, proved by checksums modulo 2^61 - 1;
- bound: normally distributed float32, each panel of columns held to the bound of its arithmetic.

NumPy's float32 product is the measure, as it is the cheapest way to compute the same again. Wall
time is what a user waits for; processor time, of all threads, says the same on a busy machine.
Between a product and a proof there is a pause: the threads of NumPy's library wait busily for more
work for a tenth of a second or so, and would take a processor from the proof meanwhile.

    python -m benchmarks.proof [--size N] [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import gpuprobe

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 2048  # the goal, 1/20, is set for 8192
RUNS = 5
PAUSE_S = 0.5


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians on one kind of numbers, and the proof as a part of the product."""

    basis: str
    size: int
    runs: int
    product_s: float
    proof_s: float
    ratio: float
    cpu_ratio: float


def arrays(basis: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Two square matrices whose product can be proved on this basis."""
    random = np.random.default_rng(1)
    if basis == "bound":
        shape = (size, size)
        return random.standard_normal(shape, np.float32), random.standard_normal(shape, np.float32)
    a, b = random.integers(-8, 9, (2, size, size), np.int8).astype(np.float32)
    return a, b


@dataclass(frozen=True, slots=True)
class Time:
    """Of one call: on the wall, and of all processors together."""

    wall_s: float
    cpu_s: float


def time_of(call: Callable[[], object]) -> Time:
    """The time that one call takes."""
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    call()
    return Time(time.perf_counter() - wall_s, time.process_time() - cpu_s)


def measure(basis: str, size: int, runs: int) -> Cost:
    """Product and proof in turn, after one of each that is not counted."""
    a, b = arrays(basis, size)
    c = a @ b
    proof = gpuprobe.prove_matmul(a, b, c)
    if not proof or proof.basis != basis:
        raise SystemExit(f"the product is not proved as {basis}: {proof}")
    products, proofs = [], []
    for _ in range(runs):
        products.append(time_of(lambda: np.matmul(a, b, out=c)))
        time.sleep(PAUSE_S)
        proofs.append(time_of(lambda: gpuprobe.prove_matmul(a, b, c)))
    product_s, proof_s = (median_of("wall_s", times) for times in (products, proofs))
    cpu_ratio = median_of("cpu_s", proofs) / median_of("cpu_s", products)
    return Cost(basis, size, runs, product_s, proof_s, proof_s / product_s, cpu_ratio)


def median_of(which: str, times: list[Time]) -> float:
    """The median of one of the two times."""
    return statistics.median(getattr(each, which) for each in times)


def document(costs: list[Cost]) -> dict[str, object]:
    """The result as JSON, with what it was measured on."""
    return {
        "benchmark": "proof",
        "numpy": np.__version__,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "costs": [asdict(each) for each in costs],
    }


def show(result: dict[str, object], costs: list[Cost]) -> None:
    """Print a table for people."""
    print(f"proof of a float32 product on {result['machine']}, NumPy {result['numpy']}")
    print("basis     size    product      proof   of the product   of its processor time")
    for each in costs:
        part, cpu_part = (f"1/{1 / ratio:.1f}" for ratio in (each.ratio, each.cpu_ratio))
        times = f"{each.product_s:8.3f} s {each.proof_s:8.3f} s"
        print(f"{each.basis:6} {each.size:7} {times} {part:>16} {cpu_part:>23}")
    print(f"medians of {costs[0].runs} runs")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proof")
    parser.add_argument("--size", type=int, default=SIZE, help=f"default: {SIZE}")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"default: {RUNS}")
    parser.add_argument("--json", metavar="FILE", help="write the result there; - prints it")
    options = parser.parse_args()
    costs = [measure(basis, options.size, max(1, options.runs)) for basis in ("exact", "bound")]
    result = document(costs)
    if options.json == "-":
        print(json.dumps(result, indent=2))
        return 0
    show(result, costs)
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
