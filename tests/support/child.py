"""Python in a process of its own, in the environment of a staged scenario."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from support import schemas

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from support.scenario import Stage

TESTS = Path(__file__).parents[1]


def run_python(
    environment: Mapping[str, str],
    *arguments: str,
    timeout: float = 60,
    before: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Runs this interpreter, or the command `before` with it; `support` can be imported there.

    JSON that gpuprobe prints is held against its schema.
    """
    path = ":".join(filter(None, (str(TESTS), environment.get("PYTHONPATH"))))
    done = subprocess.run(
        (*before, sys.executable, *arguments),
        check=False, capture_output=True, text=True, timeout=timeout,
        env={**environment, "PYTHONPATH": path},
    )  # fmt: skip
    if arguments[:2] == ("-m", "gpuprobe"):
        schemas.check(arguments[2:], done.returncode, done.stdout, done.stderr)
    return done


def printed(made: Stage, code: str) -> object:
    """What `code`, run in the scenario, prints as JSON."""
    done = run_python(made.environment("search"), "-c", code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def running(environment: Mapping[str, str]) -> list[int]:
    """The processes that see this scenario."""
    mark = f"GPUPROBE_FAKE_SCENARIO={environment['GPUPROBE_FAKE_SCENARIO']}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def complaints(error: str) -> str:
    """What is on standard error, but for the line that a slow machine brings about."""
    lines = error.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("gpuprobe: waiting for "))
