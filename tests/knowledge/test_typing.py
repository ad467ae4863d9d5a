"""The look-ups as a strictly typed caller sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gpuprobe import knowledge

CALLER = """
from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, driver_cuda, errors, products, pytorch
from gpuprobe.knowledge.tables import Unstated

ceiling = driver_cuda.highest_cuda(Version("535.104.05"))
if isinstance(ceiling, Unstated):
    print(ceiling.reason)
else:
    cuda: Version = ceiling.cuda
match = products.by_name("Tesla T4")
if match is not None:
    capabilities: tuple[Version, ...] = match.capabilities
code = errors.by_code("driver", 803)
meaning: str | None = code.meaning if code is not None else None
build = pytorch.build("2.4.1+cu121")
if not isinstance(build, Unstated):
    kernels = pytorch.kernels(build, Version("8.6"))
    print(kernels.reason)
"""


def check(tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "caller.py").write_text(program, encoding="utf-8")
    # mypy finds an installed package by itself, and refuses site-packages as a path.
    tree = Path(knowledge.__file__).parents[2]
    path = "" if tree.name == "site-packages" else f"mypy_path = {tree}\n"
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nfollow_imports = silent\n{path}", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "caller.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)


def test_a_typed_caller_passes_and_an_unchecked_answer_does_not(tmp_path: Path):
    pytest.importorskip("mypy", reason="mypy is not installed (extra dev)")
    good = check(tmp_path, CALLER)
    assert good.returncode == 0, good.stdout
    bad = check(tmp_path, CALLER.replace("if match is not None:", "if True:"))
    assert 'Item "None" of "Match | None" has no attribute "capabilities"' in bad.stdout
