"""What pip brings back is what it installed."""

from __future__ import annotations

from gpuprobe.diagnosis.fixes.framework import undo_of


def test_pip_brings_back_what_is_its_own():
    assert undo_of("cupy", "13.6.0") == "pip install cupy==13.6.0"
    assert undo_of("cuda-jl", "5.8.3") is None
