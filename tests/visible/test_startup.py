"""Who does not set the variable does not pay for what is known of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from support.child import run_python
from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
import json, sys
from gpuprobe.cli import main
sys.stdout = open("/dev/null", "w")
main([])
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
OURS = {
    "gpuprobe.knowledge.visible_devices",
    "gpuprobe.diagnosis.questions.visible.devices",
    "gpuprobe.facts.process",
    "gpuprobe.visible",
    "gpuprobe._core",
}


def loaded(folder: Path, **variables: str) -> set[str]:
    """The modules that a plain `gpuprobe` has imported on a machine without a GPU."""
    write_files(folder, kernel_files((), None, None, nodes=False))
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = run_python(inherited | {"GPUPROBE_ROOT": str(folder)} | variables, "-c", CODE)
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(modules)


def test_nothing_of_it_is_imported_where_the_variable_is_not_set(tmp_path: Path) -> None:
    assert loaded(tmp_path) & OURS == set()


def test_it_is_imported_where_the_variable_is_set(tmp_path: Path) -> None:
    modules = loaded(tmp_path, CUDA_VISIBLE_DEVICES="0")
    assert "gpuprobe.facts.process" in modules
    assert "gpuprobe.visible" not in modules
