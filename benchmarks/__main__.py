"""``python -m benchmarks``: those that need neither a GPU nor the C core, one after the other."""

from __future__ import annotations

import argparse
import sys

from . import accuracy, explain, startup

if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__).parse_args()
    sys.exit(max(benchmark.main() for benchmark in (startup, explain, accuracy)))
