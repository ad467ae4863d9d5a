"""The example of docs/compute.md prints what stands below it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

PAGE = Path(__file__).parents[2] / "docs" / "compute.md"


def test_example_prints_what_is_shown():
    text = PAGE.read_text(encoding="utf-8")
    code, shown = re.search(
        r"```python\n(.*?)```\s*```text\n(.*?)  …\n```", text, re.DOTALL
    ).groups()
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.startswith(shown)
