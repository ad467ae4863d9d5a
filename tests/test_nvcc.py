"""Which nvcc the build takes, by programs that play one: what is asked for is done or refused."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: Writes what `-o` names; knows the targets of KNOWN, and refuses the others as nvcc does.
NVCC = """#!/bin/sh
known="{known}"
case "$*" in
    *--list-gpu-arch*)
        {lists} || {{ echo "nvcc fatal   : Unknown option '--list-gpu-arch'" >&2; exit 1; }}
        for each in $known; do echo "compute_$each"; done; exit 0;;
    *--version*) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0;;
esac
target=$(echo "$*" | sed -n 's/.*-arch=[a-z]*_\\([0-9]*\\).*/\\1/p')
case " $known " in
    *" $target "*) ;;
    *) echo "nvcc fatal   : Unsupported gpu architecture 'compute_$target'" >&2; exit 1;;
esac
while [ $# -gt 0 ]; do
    if [ "$1" = -o ]; then echo ".version 9.0" > "$2"; echo ".target sm_75" >> "$2"; fi
    shift
done
"""


def play_nvcc(folder: Path, known: str = "75 80", *, lists: bool = True) -> Path:
    """A program called nvcc."""
    folder.mkdir(parents=True, exist_ok=True)
    nvcc = folder / "nvcc"
    nvcc.write_text(NVCC.format(known=known, lists=str(lists).lower()))
    nvcc.chmod(0o755)
    return nvcc


def cmake() -> str:
    program = shutil.which("cmake")
    if program is None or not (os.environ.get("CC") or shutil.which("cc")):
        pytest.skip("needs CMake and a C compiler")
    if sys.platform == "win32":
        pytest.skip("the nvcc of these tests is a shell script")
    return program


def configure(
    folder: Path, nvcc: str, *, source: Path = ROOT, path: Path | None = None
) -> tuple[int, str]:
    """The exit status and what was said, in one line."""
    searched = os.environ["PATH"] if path is None else f"{path}:{os.environ['PATH']}"
    done = subprocess.run(
        (cmake(), "-S", str(source), "-B", str(folder), f"-DGPUPROBE_NVCC={nvcc}",
         "-DGPUPROBE_PYTHON=OFF"),
        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PATH": searched},
    )  # fmt: skip
    return done.returncode, " ".join(done.stdout.split())


def images(folder: Path) -> list[tuple[str, str]]:
    """The images that the probe, built in the folder, has."""
    subprocess.run((cmake(), "--build", str(folder), "--target", "gpuprobe-probe", "--parallel"),
                   check=True, capture_output=True)  # fmt: skip
    listed = subprocess.check_output((folder / "csrc" / "gpuprobe-probe", "images"), text=True)
    return re.findall(r'"kind":"(\w+)","capability":"(\w+)"', listed)


def test_one_that_is_named_by_path_or_by_name_is_taken(tmp_path: Path):
    nvcc = play_nvcc(tmp_path / "bin")
    for name in (str(nvcc), "nvcc"):
        code, said = configure(tmp_path / f"by-{len(name)}", name, path=nvcc.parent)
        assert code == 0, said
        assert f"kernels are compiled by {nvcc}" in said


@pytest.mark.parametrize("known", ["", "50"])
def test_one_that_is_named_and_does_not_work_is_an_error(known: str, tmp_path: Path):
    """Nobody has it, or it knows none of our targets."""
    nvcc = str(play_nvcc(tmp_path / "bin", known)) if known else "/nonexistent/nvcc"
    code, said = configure(tmp_path / "build", nvcc)
    assert code != 0
    assert f"GPUPROBE_NVCC={nvcc} names no nvcc that compiles the kernels" in said


@pytest.mark.parametrize("asked", ["OFF", "False", "n", "0"])
def test_falsehoods_of_cmake_leave_the_kernels_out(asked: str, tmp_path: Path):
    path = play_nvcc(tmp_path / "bin").parent
    code, said = configure(tmp_path / "build", asked, path=path)
    assert code == 0, said
    assert f"built without kernels, as GPUPROBE_NVCC={asked} asks" in said
    assert "kernels are compiled by" not in said


def test_targets_that_a_later_nvcc_dropped_are_left_out(tmp_path: Path):
    nvcc = play_nvcc(tmp_path / "bin", "100 120")
    code, said = configure(tmp_path / "build", str(nvcc))
    assert code == 0, said
    assert images(tmp_path / "build") == [("cubin", "100"), ("cubin", "120"), ("ptx", "100")]


def test_where_the_search_finds_none_that_works_the_build_goes_on_without(tmp_path: Path):
    """No compiler takes such kernels, and one does not tell its targets."""
    shutil.copytree(ROOT / "csrc", tmp_path / "source" / "csrc")
    for file in ("CMakeLists.txt", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path / "source")
    (tmp_path / "source" / "csrc" / "kernels" / "kernels.cu").write_text("#error not today\n")
    nvcc = play_nvcc(tmp_path / "bin", lists=False)
    code, said = configure(tmp_path / "build", "", source=tmp_path / "source", path=nvcc.parent)
    assert code == 0, said
    assert f"{nvcc} --list-gpu-arch lists no target of the kernels" in said
    assert "gpuprobe is built WITHOUT kernels, because no nvcc works here" in said
    assert images(tmp_path / "build") == []
