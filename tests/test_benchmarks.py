"""What all benchmarks have in common: each says how it is called, before it does anything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: The modules that are programs.
PROGRAMS = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_benchmark_tells_how_it_is_called(name: str):
    module = "benchmarks" if name == "__main__" else f"benchmarks.{name}"
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.startswith(f"usage: python -m {module} ")


def test_every_benchmark_is_in_the_table_of_the_docs():
    page = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `python -m benchmarks\.(\w+)", page, re.MULTILINE)
    assert sorted([*told, "__main__"]) == PROGRAMS
