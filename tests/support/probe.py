"""The probe program in a process of its own, on a staged scenario; what its answer holds."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import pytest

from support.vendor import is_installed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.scenario import Stage, Way

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Answer: TypeAlias = "dict[str, Json]"

PROGRAM = Path(str(files("gpuprobe"))) / "_probe" / "gpuprobe-probe"
needs_the_program = pytest.mark.skipif(
    not PROGRAM.is_file(), reason="gpuprobe is installed without its probe program"
)

DEADLINE_S = 60.0  # against a probe that hangs; no test waits for it


def run(
    made: Stage, way: Way, *arguments: str, timeout: float = DEADLINE_S
) -> subprocess.CompletedProcess[str]:
    if way == "search" and made.scenario.driver is None and is_installed("libcuda.so.1"):
        pytest.skip("this machine's own libcuda would be found")
    return subprocess.run(
        (str(PROGRAM), *arguments),
        check=False,
        capture_output=True,
        text=True,
        env=made.environment(way),
        timeout=timeout,
    )


def answer(made: Stage, way: Way, *arguments: str) -> Answer:
    done = run(made, way, *arguments)
    assert done.returncode == 0, (done.returncode, done.stderr)
    [line] = done.stdout.splitlines()
    return cast("Answer", json.loads(line))


def part(value: Mapping[str, Json], name: str) -> Answer:
    found = value[name]
    assert isinstance(found, dict), (name, found)
    return found


def devices(value: Answer) -> list[Answer]:
    return cast("list[Answer]", value["devices"])


def nothing_leaked(made: Stage) -> None:
    assert not alive(made), made.reports()


def alive(made: Stage) -> set[str]:
    """The kinds of object that are still there at the end of a process, each of them once."""
    counts = [
        (name, number)
        for report in made.reports()
        for name, number in report.items()
        if name not in {"library", "calls", "failed"} and number != 0
    ]
    assert all(number == 1 for _, number in counts), counts
    return {name for name, _ in counts}
