"""Texts of machines that work, and texts about other things: none of them raises an alarm."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import FOLDER

TEXTS = (FOLDER / "no_alarm.txt").read_text(encoding="utf-8").split("\n-----\n")


@pytest.mark.parametrize("pasted", TEXTS, ids=lambda pasted: pasted[:40])
def test_no_alarm_is_raised(pasted: str) -> None:
    assert gpuprobe.explain(pasted).diagnosis.verdict.value in ("healthy", "unknown")
