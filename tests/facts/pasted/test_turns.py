"""The lines in which somebody goes on to something else."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read


@pytest.mark.parametrize(
    "line",
    [
        "With the torch 1.12 module it runs:",
        "For comparison, on Google Colab:",
        'conda env "base":',
        "**Expected behavior (from the README):**",
        "In Windows itself the same script prints",
        "The same image on our A100 box trains.",
    ],
)
def test_a_turn(line: str):
    assert read(f"boom\n\n{line}\nbang\n").known(said.TURNS) == ("3",)


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        '  File "/srv/train.py", line 3, in main:',
        "2024-05-01 10:00:00 Starting up:",
        "RuntimeError: this happened:",
        "epoch 3: loss 0.2",
        "device: cuda",
        "Devices:",
        "we use the same card",
    ],
)
def test_no_turn(line: str):
    assert read(f"boom\n\n{line}\nbang\n").known(said.TURNS) is None
