"""What the words are learned from, and how: without the library that fits the model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import cast

ROOT = Path(__file__).parents[1]


def answer(program: str) -> object:
    """What a program prints as JSON that sees the folder of benchmarks."""
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]\n"
    code = f"{path}import json\nfrom benchmarks import likeness\n{program}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nothing_is_learned_from_what_was_set_aside():
    program = """
lessons = likeness.lessons(likeness.machines())
print(json.dumps([each.text for each in lessons]))
"""
    learned = cast("list[str]", answer(program))
    aside = (ROOT / "tests/cases" / name for name in ("set_aside.json", "misleading.json"))
    texts = {case["text"] for file in aside for case in json.loads(file.read_text("utf-8"))}
    assert len(learned) > 1000
    assert not texts & set(learned)


def test_a_cause_that_is_seldom_told_counts_as_much_and_a_healthy_machine_more():
    program = """
labels = ["wsl"] * 6 + ["mig"] * 2 + ["healthy"] * 4
print(json.dumps(likeness.class_weights(labels)))
"""
    weights = cast("dict[str, float]", answer(program))
    assert weights["wsl"] * 6 == weights["mig"] * 2
    assert weights["healthy"] * 4 > weights["mig"] * 2
