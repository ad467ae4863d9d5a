"""On which cards somebody says that a program works, and on which it does not."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told

WORK, NAME = "machine.gpus_work_told", "gpu.0.name"
NO_CODE = "\nRuntimeError: CUDA error: no kernel image is available for execution on the device\n"


@pytest.mark.parametrize(
    ("line", "works", "fails"),
    [
        ("On P4 and P40 it works, on the V100 it doesn't:", ("Tesla P4", "Tesla P40"), "V100"),
        ("It runs fine on my GTX 980 Ti but fails on the GTX 1080.", ("GTX 980 Ti",), "GTX 1080"),
        ("Works on GTX 1080, not on RTX 2080 Ti", ("GTX 1080",), "RTX 2080 Ti"),
    ],
)
def test_cards_on_which_it_works_and_fails(line: str, works: tuple[str, ...], fails: str) -> None:
    found = told(line)
    assert (found[WORK], found[NAME]) == (works, fails)


@pytest.mark.parametrize(
    "line",
    [
        "It works on both the P40 and the V100.",
        "Should it work on the P40, but not on the V100?",
        "We work on an RTX 3090, and it doesn't crash.",
        "This machine runs on an RTX 3090, not on an RTX 4090.",
        "It works on the RTX 3090, but on the GTX 1060 it fails: out of memory",
    ],
)
def test_lines_that_compare_no_cards(line: str) -> None:
    assert WORK not in told(line)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("On P4 and P40 it works, on the V100 it doesn't:", "gpu-too-new"),
        ("It works on the K80 nodes, but on the P100 nodes I get this error", "gpu-too-new"),
        ("It works on an RTX 3090; on a Tesla K80 it fails with this", "gpu-too-old"),
        ("It works on the RTX 3090; on the V100 it fails with this", "gpu-too-old"),
        ("It fails on the V100.", "gpu-too-old"),  # no release is told, and those of today
    ],
)
def test_what_works_on_an_older_card_is_too_old_for_this_one(line: str, cause: str) -> None:
    assert ruled(line + NO_CODE) == cause


AGES = "TensorFlow 1.14\nRTX 2080 Ti: {}\nRTX 3080, CUDA 11.1: {}\n"


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("about 5 minutes", "25 minutes until the training begins", "gpu-too-new"),
        ("half a minute", "the first call takes 20 minutes", "gpu-too-new"),
        ("25 minutes until the training begins", "half a minute", "unknown"),
        ("9 minutes until it begins", "25 minutes until it begins", "unknown"),  # so do both
        ("about 5 minutes", "25 minutes for 10 epochs", "unknown"),
    ],
)
def test_of_several_cards_one_takes_minutes_to_begin(old: str, new: str, cause: str) -> None:
    assert ruled(AGES.format(old, new)) == cause
