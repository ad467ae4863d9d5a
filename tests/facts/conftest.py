"""A machine made of a few files, and a probe program made of a few lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts.machine import Machine
from support.trees import BASE, Files, write_files

if TYPE_CHECKING:
    from pathlib import Path

Make = Callable[..., Machine]
Script = Callable[[str], dict[str, str]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """`make(files, environ=…, system=…, search_path=…)` is a machine with these files only."""

    def machine(
        files: Files = BASE,
        environ: Mapping[str, str] | None = None,
        system: str = "Linux",
        search_path: tuple[str, ...] = (),
    ) -> Machine:
        root = tmp_path / "root"
        root.mkdir(exist_ok=True)
        write_files(root, files)
        return Machine(str(root), environ, system=system, search_path=search_path)

    return machine


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """`script(lines)` is the environment in which these lines of Python are the probe program.

    They find the step in `step`, and `answer(**fields)` prints an answer.
    """
    if sys.platform == "win32":
        pytest.skip("a script cannot play the probe program on Windows")

    def environ(lines: str) -> dict[str, str]:
        path = tmp_path / "probe"
        path.write_text(f"#!{sys.executable} -IS\n{PRELUDE}{lines}\n")
        path.chmod(0o755)
        return {"GPUPROBE_PROBE": str(path)}

    return environ


PRELUDE = """\
import json, os, signal, sys, time
step = sys.argv[1]
def call(name):
    print(">", name, file=sys.stderr, flush=True)
def answer(**fields):
    common = {"probe": 1, "step": step, "ok": True, "failed": None,
              "library": {"name": "lib", "path": "/usr/lib/lib", "via": "search", "error": None},
              "times_ms": {}}
    print(json.dumps({**common, **fields}))
"""
