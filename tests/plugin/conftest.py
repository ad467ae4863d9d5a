"""A pytest of its own on another machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.plugin import LEAN, Run
from support.scenario import stage

if TYPE_CHECKING:
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
