"""The tests of the C core, one item each. What they say stands in tests/c/."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.objects import writable_globals

ROOT = Path(__file__).parents[1]
#: Those of Windows are built for it, and run under Wine by .ci/thorough.
SOURCES = sorted({*(ROOT / "tests/c").glob("test_*.c")} - {ROOT / "tests/c/test_windows.c"})
NAMES = [
    name
    for source in SOURCES
    for name in re.findall(r"^TEST\((\w+)\)", source.read_text(encoding="utf-8"), re.MULTILINE)
]

DEADLINE_S = 60.0  # against a test that hangs

pytestmark = pytest.mark.skipif(
    sys.platform == "win32",
    reason="the C tests are not run on Windows yet: no compiler is looked for",
)


def run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}", pytrace=False)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The test program, built once a session, without kernels and without the binding."""
    cmake = shutil.which("cmake")
    if cmake is None or not any(shutil.which(name) for name in ("cc", "gcc", "clang")):
        pytest.skip(f"the C tests need a C compiler and cmake ({cmake})")
    folder = tmp_path_factory.mktemp("c")
    run(cmake, "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Debug",
        "-DGPUPROBE_TESTS=ON", "-DGPUPROBE_PYTHON=OFF", "-DGPUPROBE_NVCC=OFF")  # fmt: skip
    run(cmake, "--build", str(folder), "--target", "gp_tests", "--parallel")
    return folder / "tests" / "c" / "gp_tests"


@pytest.mark.parametrize("name", NAMES)
def test_c(name: str, program: Path):
    done = subprocess.run(
        (str(program), name), check=False, capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert done.returncode == 0, done.stderr


def test_every_source_is_built(program: Path):
    """A file that CMakeLists.txt does not list would be silent."""
    rows = (program.parent / "test_rows.def").read_text(encoding="utf-8")
    assert sorted(re.findall(r"TEST_ROW\((\w+)\)", rows)) == sorted(NAMES)


def test_unknown_name_is_not_a_success(program: Path):
    done = subprocess.run((str(program), "no_such_test"), check=False, capture_output=True)
    assert done.returncode == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF by nm")
@pytest.mark.skipif(shutil.which("nm") is None, reason="nm (binutils) is not installed")
def test_core_has_no_writable_globals(program: Path):
    csrc = program.parents[2] / "csrc"
    archives = (csrc / "libgp_core.a", csrc / "kernels" / "libgp_kernels.a")
    assert writable_globals(*archives) == set()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF by nm")
@pytest.mark.skipif(shutil.which("nm") is None, reason="nm (binutils) is not installed")
def test_writable_global_is_found(program: Path):
    """The hook that stands in the place of gp_alloc.c has three."""
    [hook] = program.parent.rglob("alloc_hook.c.o")
    assert writable_globals(hook) == {"has_failed", "live", "until_failure"}
