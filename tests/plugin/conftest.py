"""A pytest of its own on another machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.plugin import LEAN, Run
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes
    from support.scenario import Scenario


@pytest.fixture
def run(
    fakes: Fakes,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    def on(scenario: Scenario, text: str, *arguments: str) -> pytest.RunResult:
        machine = stage(scenario, fakes, tmp_path_factory.mktemp("machine"))
        for name, value in machine.environment("override").items():
            monkeypatch.setenv(name, value)
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess(*LEAN, *arguments, timeout=120)

    # What the outer run was told is not meant for the inner one.
    for name in (
        "PYTEST_ADDOPTS",
        "PYTEST_XDIST_WORKER",
        "GPUPROBE_PYTEST",
        "CUDA_VISIBLE_DEVICES",
    ):
        monkeypatch.delenv(name, raising=False)
    return on


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is there once the driver was asked, by a program that knows no answer."""
    trace = tmp_path_factory.mktemp("trace") / "ran"
    probe = trace.with_name("probe")
    probe.write_text(f"#!/bin/sh\ntouch '{trace}'\n")
    probe.chmod(0o755)
    monkeypatch.setenv("GPUPROBE_PROBE", str(probe))
    return trace
