"""``python -m benchmarks``: every benchmark that runs on this machine, one after the other."""

from __future__ import annotations

import sys

from . import accuracy, explain, startup

if __name__ == "__main__":
    sys.exit(max(benchmark.main() for benchmark in (startup, explain, accuracy)))
