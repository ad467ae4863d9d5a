"""What `pip install` makes of the source tree, on machines that have everything and ones that lack.

The build back end is called as pip calls it, in a child; nothing is installed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROBE = "gpuprobe/_probe/gpuprobe-probe" + (sysconfig.get_config_var("EXE") or "")
EXTENSION = re.compile(r"gpuprobe/_core\.(abi3\.so|pyd)")

# Which folder of the source tree becomes which folder of the wheel.
PACKED = {
    "gpuprobe": ROOT / "python" / "gpuprobe",
    "gpuprobe/findings": ROOT / "docs" / "findings",
    "gpuprobe/schema": ROOT / "docs" / "schema",
}

# The C library under its parts' names; everything else is opened at run time, or not needed.
SYSTEM_LIBRARIES = re.compile(r"(lib(c|m|dl|pthread|rt)\.so|ld-linux|ld-musl|libc\.musl)")

BACKEND = """
import json, sys
from scikit_build_core import build
kind, folder, settings = sys.argv[1:]
print(getattr(build, f"build_{kind}")(folder, json.loads(settings)))
"""


@dataclass(frozen=True)
class Built:
    """A built distribution, and everything that the build printed."""

    path: Path
    output: str

    @property
    def names(self) -> set[str]:
        """The files in the wheel."""
        with zipfile.ZipFile(self.path) as wheel:
            return set(wheel.namelist())

    @property
    def extension(self) -> str | None:
        """The name of the compiled module in the wheel."""
        return next(filter(EXTENSION.fullmatch, self.names), None)

    def unpack(self, folder: Path) -> Path:
        """Unpack the wheel as an installer does, executable bits included."""
        with zipfile.ZipFile(self.path) as wheel:
            for member in wheel.infolist():
                target = Path(wheel.extract(member, folder))
                target.chmod(member.external_attr >> 16 & 0o777 or 0o644)
        return folder


def build(
    kind: str,
    folder: Path,
    *,
    source: Path = ROOT,
    settings: dict[str, str] | None = None,
    environment: dict[str, str] | None = None,
) -> Built:
    """Build a wheel or an sdist, and fail the test with the output of the build if it fails."""
    pytest.importorskip("scikit_build_core", reason="the test extra brings the build back end")
    child = subprocess.run(
        [sys.executable, "-c", BACKEND, kind, folder, json.dumps(settings or {})],
        check=False,
        cwd=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | (environment or {}),
    )
    if child.returncode != 0:
        pytest.fail(child.stdout, pytrace=False)
    return Built(folder / child.stdout.splitlines()[-1], child.stdout)


def run_python(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a child that sees the unpacked wheel before any installed gpuprobe."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
    )


def skip_without_a_compiler() -> None:
    if not (os.environ.get("CC") or shutil.which("cc") or shutil.which("cl")):
        pytest.skip("no C compiler: only the wheel without the core can be built")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel as everybody gets it."""
    skip_without_a_compiler()
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(wheel: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel.unpack(tmp_path_factory.mktemp("unpacked"))


@pytest.fixture(scope="module")
def pure_wheel(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel of a machine whose C compiler is missing."""
    return build("wheel", tmp_path_factory.mktemp("pure"), environment={"CC": "/nonexistent/cc"})


def project_version() -> str:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    match = re.search(r'^version = "(.+)"$', text, re.MULTILINE)
    assert match is not None
    return match.group(1)


def test_one_wheel_serves_every_cpython_from_3_10(wheel: Built) -> None:
    name, version, python, abi, _platform = wheel.path.stem.split("-")
    assert (name, version) == ("gpuprobe", project_version())
    assert (python, abi) == ("cp310", "abi3")
    assert wheel.extension is not None


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Built) -> None:
    expected = {
        f"{folder}/{path.relative_to(source).as_posix()}"
        for folder, source in PACKED.items()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    found = {name for name in wheel.names if ".dist-info/" not in name}
    assert found - expected == {PROBE, wheel.extension}
    assert expected - found == set()


def test_the_wheel_has_licence_command_and_pytest_plugin(unpacked: Path) -> None:
    [info] = unpacked.glob("gpuprobe-*.dist-info")
    entry_points = (info / "entry_points.txt").read_text(encoding="utf-8")
    assert "gpuprobe = gpuprobe.__main__:program" in entry_points.replace("=", " = ").replace(
        "  ", " "
    )
    assert "[pytest11]" in entry_points
    assert (info / "licenses" / "LICENSE").is_file()


def test_the_only_hard_dependency_is_packaging(unpacked: Path) -> None:
    [metadata] = unpacked.glob("gpuprobe-*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines()
    required = [line for line in lines if line.startswith("Requires-Dist:")]
    assert [line for line in required if "extra ==" not in line] == ["Requires-Dist: packaging"]


def test_the_probe_program_runs_from_where_it_is_unpacked(unpacked: Path) -> None:
    done = subprocess.run(
        [unpacked / PROBE, "--version"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["version"] == project_version()


def test_the_extension_imports_and_answers_like_the_program(unpacked: Path) -> None:
    code = "from gpuprobe import _core; print(_core.__file__); print(_core.probe(['--version']))"
    done = run_python(unpacked, code)
    assert done.returncode == 0, done.stderr
    path, answer = done.stdout.strip().splitlines()
    assert Path(path).parent == unpacked / "gpuprobe"
    assert json.loads(answer)["version"] == project_version()


def test_nothing_but_the_c_library_is_linked(wheel: Built, unpacked: Path) -> None:
    readelf = shutil.which("readelf")
    if readelf is None or not sys.platform.startswith("linux"):
        pytest.skip("readelf, which lists what an ELF file links, is not here")
    assert wheel.extension is not None
    for name in (wheel.extension, PROBE):
        listing = subprocess.run(
            [readelf, "--dynamic", unpacked / name], check=True, capture_output=True, text=True
        ).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", listing)
        assert needed, f"{name}: readelf lists no library at all"
        assert [each for each in needed if not SYSTEM_LIBRARIES.match(each)] == [], name


def test_no_path_of_the_building_machine_is_left_in_the_binaries(
    wheel: Built, unpacked: Path
) -> None:
    assert wheel.extension is not None
    for name in (wheel.extension, PROBE):
        assert os.fsencode(ROOT) not in (unpacked / name).read_bytes(), name


def test_an_nvcc_that_is_named_and_does_not_work_fails_the_c_build_alone(tmp_path: Path) -> None:
    skip_without_a_compiler()
    missing = "/nonexistent/nvcc"
    built = build("wheel", tmp_path, settings={"cmake.define.GPUPROBE_NVCC": missing})
    assert f"GPUPROBE_NVCC={missing} names no nvcc" in built.output
    assert "installed WITHOUT its C core" in built.output
    assert built.path.name.endswith("-py3-none-any.whl")


def test_without_kernels_the_probe_lists_none(tmp_path: Path) -> None:
    skip_without_a_compiler()
    built = build("wheel", tmp_path, settings={"cmake.define.GPUPROBE_NVCC": "OFF"})
    assert "built without kernels" in built.output
    done = subprocess.run(
        [built.unpack(tmp_path / "files") / PROBE, "images"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["images"] == []


def test_without_pythons_headers_the_probe_program_is_still_built(
    tmp_path: Path,
) -> None:
    skip_without_a_compiler()
    settings = {
        "cmake.define.Python_INCLUDE_DIR": str(tmp_path / "no-headers"),
        "cmake.define.GPUPROBE_NVCC": "OFF",
    }
    built = build("wheel", tmp_path, settings=settings)
    assert "built without gpuprobe._core" in built.output
    assert PROBE in built.names
    assert built.extension is None


def test_without_numpys_headers_the_binding_is_built_without_arrays(tmp_path: Path) -> None:
    skip_without_a_compiler()
    settings = {
        "cmake.define.Python_NumPy_INCLUDE_DIR": str(tmp_path / "no-headers"),
        "cmake.define.GPUPROBE_NVCC": "OFF",
    }
    built = build("wheel", tmp_path, settings=settings)
    assert "built without matmul, conv2d" in built.output
    code = "from gpuprobe import _core; print(hasattr(_core, 'matmul_reference'), _core.version)"
    done = run_python(built.unpack(tmp_path / "files"), code)
    assert done.stdout.split() == ["False", project_version()], done.stderr


def test_without_a_compiler_a_wheel_of_python_files_alone_is_made(
    wheel: Built, pure_wheel: Built
) -> None:
    assert pure_wheel.path.name.endswith("-py3-none-any.whl")
    binaries = {PROBE, wheel.extension}
    package = {name for name in wheel.names if ".dist-info/" not in name}
    assert {name for name in pure_wheel.names if ".dist-info/" not in name} == package - binaries


def test_without_a_compiler_the_build_says_what_is_missing_and_what_still_works(
    pure_wheel: Built,
) -> None:
    assert "WITHOUT its C core" in pure_wheel.output
    assert "Install a C compiler" in pure_wheel.output
    assert "gpuprobe explain" in pure_wheel.output


def test_without_a_compiler_the_installed_package_runs(pure_wheel: Built, tmp_path: Path) -> None:
    folder = pure_wheel.unpack(tmp_path)
    version = run_python(folder, "import gpuprobe; print(gpuprobe.__version__, gpuprobe.__file__)")
    assert version.stdout.split() == [project_version(), str(folder / "gpuprobe/__init__.py")]
    doctor = run_python(folder, "from gpuprobe.cli import main; sys.exit(main(['--json']))")
    assert "Traceback" not in doctor.stderr
    assert json.loads(doctor.stdout)["schema"] == 1


def test_the_sdist_builds_the_same_package(wheel: Built, tmp_path: Path) -> None:
    sdist = build("sdist", tmp_path)
    known = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since 3.10.12, 3.11.4
    shutil.unpack_archive(sdist.path, tmp_path, "gztar", **known)
    source = tmp_path / f"gpuprobe-{project_version()}"
    assert (source / "tests" / "test_build.py").is_file()
    rebuilt = build("wheel", tmp_path, source=source)
    assert rebuilt.names == wheel.names
