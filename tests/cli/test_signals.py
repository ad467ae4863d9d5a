"""Who ends gpuprobe while a driver hangs ends its children, too."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from scenarios.driver import HANG
from support.child import running
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

#: A shell may have told us to ignore these, which our children inherit.
HEARING = """
import signal, sys
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.{})
signal.signal(signal.SIGINT, signal.default_int_handler)
from gpuprobe.__main__ import program
sys.exit(program())
"""


def hanging(fakes: Fakes, folder: Path, heard: str, limit_s: int) -> subprocess.Popen[str]:
    """gpuprobe, which waits for a driver that does not answer."""
    environment = stage(HANG, fakes, folder).environment("search")
    environment["GPUPROBE_TIMEOUT"] = str(limit_s)
    process = subprocess.Popen(
        [sys.executable, "-c", HEARING.format(heard)],
        env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    assert "waiting for cuInit" in process.stderr.readline()
    assert len(running(environment)) > 1
    return process


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signal_ends_the_children_and_then_the_program(name: str, fakes: Fakes, tmp_path: Path):
    number = signal.Signals[name]
    with hanging(fakes, tmp_path, "SIG_DFL", 600) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (-number, "", "")
    assert gone(tmp_path)


def test_signal_that_is_ignored_stays_ignored(fakes: Fakes, tmp_path: Path):
    """As for `nohup gpuprobe`."""
    with hanging(fakes, tmp_path, "SIG_IGN", 4) as process:
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "The driver hangs" in out


def gone(folder: Path) -> bool:
    """Whether nothing of the scenario runs any more; a killed child takes a moment."""
    for _ in range(1000):
        if not running({"GPUPROBE_FAKE_SCENARIO": str(folder / "scenario.ini")}):
            return True
        time.sleep(0.01)
    return False
