"""What a shell is offered where Tab is pressed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gpuprobe.cli.commands import COMMANDS
from support.commands import child

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("argcomplete")


def offered(line: str, folder: Path) -> list[str]:
    """The words that may stand where the line ends."""
    answer = folder / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
    }
    asked |= {"COMP_LINE": line, "COMP_POINT": str(len(line))}
    ran = child(environ={**os.environ, **asked})
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    return answer.read_text(encoding="utf-8").split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gpuprobe ", [*COMMANDS]),
        ("gpuprobe sn", ["snapshot"]),
        ("gpuprobe --fo", ["--format"]),  # of doctor
        ("gpuprobe doctor --format ", ["text", "json", "markdown", "html", "junit"]),
        ("gpuprobe nodes --fail", ["--fail-on"]),
        ("gpuprobe rule GP203", ["GP203"]),
        ("gpuprobe rule driver-too-o", ["driver-too-old"]),
    ],
)
def test_what_may_stand_next_is_offered(line: str, words: list[str], tmp_path: Path):
    assert offered(line, tmp_path) == words


def test_without_argcomplete_tab_looks_at_nothing(tmp_path: Path):
    (tmp_path / "argcomplete.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ran = child(environ={**os.environ, "PYTHONPATH": path, "_ARGCOMPLETE": "1"})
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, b"", b"")
