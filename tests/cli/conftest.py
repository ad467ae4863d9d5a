"""The command line in this process, and snapshots to judge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gpuprobe.cli import main
from gpuprobe.facts.model import Facts
from gpuprobe.facts.snapshot import facts_to_json
from support import schemas
from support.commands import FACTS, Gpuprobe, Ran
from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def gpuprobe(capsys: pytest.CaptureFixture[str]) -> Gpuprobe:
    """Runs a command in this process, and holds its JSON against the schema."""

    def run(*arguments: str) -> Ran:
        try:
            code = main(arguments)
        except SystemExit as exit_:  # argparse ends --help so
            code = int(exit_.code or 0)
        out, err = capsys.readouterr()
        schemas.check(arguments, code, out, err)
        return Ran(code, out, err)

    return run


@pytest.fixture
def snapshots(tmp_path: Path) -> dict[str, str]:
    """A snapshot of each verdict, as a path."""
    paths = {}
    for verdict, facts in FACTS.items():
        path = tmp_path / f"{verdict}.json"
        document = {"schema": 1, "overrides": {}, "facts": facts_to_json(Facts(facts))}
        path.write_text(json.dumps(document), encoding="utf-8")
        paths[verdict] = str(path)
    return paths


@pytest.fixture
def bare_root(tmp_path: Path) -> Path:
    """A machine without a GPU."""
    write_files(tmp_path / "root", kernel_files((), None, None, nodes=False))
    return tmp_path / "root"
