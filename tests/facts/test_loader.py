"""Which file the loader takes: the order of glibc, told by files made for it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.libraries import elf, ldcache
from gpuprobe.facts.libraries.elf import read_dynamic
from gpuprobe.facts.libraries.loader import MAX_FILES, Process
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Unknown
from support.cuda_libraries import cache
from support.elf import library

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytestmark = pytest.mark.skipif(
    isinstance(read_dynamic(Machine(), "/nowhere"), Unknown), reason=elf.NOT_INSTALLED
)

SITE = "/venv/lib/python3.12/site-packages"
ROOT = f"{SITE}/torch/lib/libtorch_cuda.so"
OWN = f"{SITE}/nvidia/cublas/lib/libcublas.so.12"
CUBLAS = library("libcublas.so.12")
TOOLKIT = "/usr/local/cuda/lib64"


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., Process]:
    """`process(files, environ, cached)` is a machine's process in which torch was loaded."""

    def made(
        files: Mapping[str, bytes],
        environ: Mapping[str, str] | None = None,
        cached: tuple[tuple[str, str], ...] = (),
        program: str | None = None,
    ) -> Process:
        for path, content in {**files, ldcache.PATH: cache(*cached)}.items():
            place = tmp_path / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        found = Process(Machine(str(tmp_path), environ), program, (f"{SITE}/torch/lib",))
        found.load(ROOT)
        return found

    return made


def answers(process: Process) -> list[tuple[str | None, str]]:
    return [(each.path, each.way) for each in process.opened]


def torch(*needed: str, rpath: str | None = None, runpath: str | None = None) -> bytes:
    return library("libtorch_cuda.so", *needed, rpath=rpath, runpath=runpath)


TO_OWN = "$ORIGIN/../../nvidia/cublas/lib"


def test_a_runpath_leads_to_the_frameworks_own(process: Callable[..., Process]):
    files = {ROOT: torch("libcublas.so.12", runpath=TO_OWN), OWN: CUBLAS}
    assert answers(process(files)) == [(OWN, "RUNPATH")]


def test_what_was_loaded_by_its_path_is_not_searched_again(process: Callable[..., Process]):
    """torch_cuda is loaded first, and then needed by what comes after it."""
    after = f"{SITE}/torch/lib/libtorch_cuda_linalg.so"
    files = {ROOT: torch("libcufft.so.12"), after: library("x", "libtorch_cuda.so", "libnccl.so.2")}
    found = process(files)
    found.load(after)
    assert [each.file for each in found.opened] == ["libcufft.so.12", "libnccl.so.2"]


def test_what_a_framework_looks_for_by_itself_comes_before_all(tmp_path: Path):
    folder = OWN.rpartition("/")[0]
    for path, content in {ROOT: torch("libcublas.so.12"), OWN: CUBLAS, f"{TOOLKIT}/libcublas.so.12":
                          CUBLAS}.items():  # fmt: skip
        place = tmp_path / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    machine = Machine(str(tmp_path), {"LD_LIBRARY_PATH": TOOLKIT})
    found = Process(machine, None, (f"{SITE}/torch/lib",), (folder,))
    found.load(ROOT)
    assert answers(found) == [(OWN, "its own search")]


def test_ld_library_path_comes_before_a_runpath(process: Callable[..., Process]):
    files = {
        ROOT: torch("libcublas.so.12", runpath=TO_OWN),
        OWN: CUBLAS,
        f"{TOOLKIT}/libcublas.so.12": CUBLAS,
    }
    found = process(files, {"LD_LIBRARY_PATH": TOOLKIT})
    assert answers(found) == [(f"{TOOLKIT}/libcublas.so.12", "LD_LIBRARY_PATH")]


def test_an_rpath_comes_before_ld_library_path(process: Callable[..., Process]):
    files = {
        ROOT: torch("libcublas.so.12", rpath=TO_OWN),
        OWN: CUBLAS,
        f"{TOOLKIT}/libcublas.so.12": CUBLAS,
    }
    assert answers(process(files, {"LD_LIBRARY_PATH": TOOLKIT})) == [(OWN, "RPATH")]


def test_an_rpath_beside_a_runpath_does_not_count(process: Callable[..., Process]):
    files = {
        ROOT: torch("libcublas.so.12", rpath=TO_OWN, runpath="/none"),
        OWN: CUBLAS,
        f"{TOOLKIT}/libcublas.so.12": CUBLAS,
    }
    found = process(files, {"LD_LIBRARY_PATH": TOOLKIT})
    assert answers(found) == [(f"{TOOLKIT}/libcublas.so.12", "LD_LIBRARY_PATH")]


def test_a_runpath_comes_before_the_cache_and_the_cache_before_default_folders(
    process: Callable[..., Process],
):
    at = f"{TOOLKIT}/libcublas.so.12"
    default = "/usr/lib64/libcublas.so.12"
    files = {ROOT: torch("libcublas.so.12"), at: CUBLAS, default: CUBLAS}
    assert answers(process(files, cached=(("libcublas.so.12", at),))) == [(at, "ld.so.cache")]
    assert answers(process(files)) == [(default, "default folders")]


def test_an_rpath_is_inherited_and_a_runpath_is_not(process: Callable[..., Process]):
    """The library libcublasLt is asked for by libcublas, which says nothing of its own."""
    cublas = library("libcublas.so.12", "libcublasLt.so.12")
    lt = f"{SITE}/nvidia/cublas/lib/libcublasLt.so.12"
    files = {OWN: cublas, lt: library("libcublasLt.so.12")}
    inherited = process({**files, ROOT: torch("libcublas.so.12", rpath=TO_OWN)})
    assert answers(inherited) == [(OWN, "RPATH"), (lt, "RPATH")]
    own_only = process({**files, ROOT: torch("libcublas.so.12", runpath=TO_OWN)})
    assert answers(own_only) == [(OWN, "RUNPATH"), (None, "nowhere")]


def test_the_rpath_of_a_loader_does_not_help_a_file_with_a_runpath(process: Callable[..., Process]):
    """So an old nvJitLink on LD_LIBRARY_PATH comes before cuSPARSE's own, torch's RPATH or not."""
    cusparse = f"{SITE}/nvidia/cusparse/lib/libcusparse.so.12"
    files = {
        ROOT: torch("libcusparse.so.12", rpath="$ORIGIN/../../nvidia/cusparse/lib"),
        cusparse: library("libcusparse.so.12", "libnvJitLink.so.12",
                          runpath="$ORIGIN/../../nvjitlink/lib"),
        f"{SITE}/nvidia/nvjitlink/lib/libnvJitLink.so.12": library("libnvJitLink.so.12"),
        f"{TOOLKIT}/libnvJitLink.so.12": library("libnvJitLink.so.12"),
    }  # fmt: skip
    found = process(files, {"LD_LIBRARY_PATH": TOOLKIT})
    assert answers(found) == [
        (cusparse, "RPATH"),
        (f"{TOOLKIT}/libnvJitLink.so.12", "LD_LIBRARY_PATH"),
    ]


def test_who_loads_a_name_first_decides_for_all(process: Callable[..., Process]):
    """Breadth first: torch's own request comes before that of what it needs."""
    other = f"{SITE}/nvidia/cudnn/lib/libcudnn.so.9"
    files = {
        ROOT: torch("libcudnn.so.9", "libcublas.so.12",
                    rpath=f"$ORIGIN/../../nvidia/cudnn/lib:{TO_OWN}"),
        other: library("libcudnn.so.9", "libcublas.so.12", runpath=TOOLKIT),
        OWN: CUBLAS,
        f"{TOOLKIT}/libcublas.so.12": CUBLAS,
    }  # fmt: skip
    assert answers(process(files)) == [(other, "RPATH"), (OWN, "RPATH")]


def test_origin_is_the_folder_where_a_file_was_found_and_not_that_behind_its_link(
    process: Callable[..., Process], tmp_path: Path
):
    """As in an environment of links, which uv and Bazel make: each package has a store of its own.

    Seen of glibc 2.36; the `..` behind a link to a folder are those of the folder itself.
    """
    stored = "/store/torch/lib/libtorch_cuda.so"
    place = tmp_path / ROOT.lstrip("/")
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / stored.lstrip("/"))
    files = {stored: torch("libcublas.so.12", rpath=TO_OWN), OWN: CUBLAS}
    assert answers(process(files)) == [(OWN, "RPATH")]


def test_origin_is_behind_a_link_to_a_folder(process: Callable[..., Process], tmp_path: Path):
    """As in an environment of Nix, or in the lib64 of a venv."""
    place = tmp_path / SITE.lstrip("/") / "torch"
    place.parent.mkdir(parents=True)
    place.symlink_to("/store/site/torch")
    stored, cublas = "/store/site/torch/lib", "/store/site/nvidia/cublas/lib/libcublas.so.12"
    files = {
        f"{stored}/libtorch_cuda.so": torch("libc10_cuda.so", rpath="$ORIGIN"),
        f"{stored}/libc10_cuda.so": library("libc10_cuda.so", "libcublas.so.12", rpath=TO_OWN),
        cublas: CUBLAS,
    }
    assert answers(process(files)) == [(f"{stored}/libc10_cuda.so", "RPATH"), (cublas, "RPATH")]


def test_the_programs_rpath_serves_everybody(process: Callable[..., Process]):
    """As conda's Python has it."""
    files = {
        ROOT: torch("libcublas.so.12"),
        "/opt/conda/bin/python": library(rpath="$ORIGIN/../lib"),
        "/opt/conda/lib/libcublas.so.12": CUBLAS,
    }
    found = process(files, program="/opt/conda/bin/python")
    assert answers(found) == [("/opt/conda/lib/libcublas.so.12", "RPATH")]


def test_the_frameworks_own_files_are_followed_and_a_systems_are_not(
    process: Callable[..., Process],
):
    files = {
        ROOT: torch("libc10_cuda.so", "libc.so.6", rpath="$ORIGIN"),
        f"{SITE}/torch/lib/libc10_cuda.so": library(
            "libc10_cuda.so", "libcublas.so.12", rpath=TO_OWN
        ),
        OWN: CUBLAS,
        "/usr/lib64/libc.so.6": library("libc.so.6", "libcudart.so.12"),
    }
    found = [(each.file, each.path) for each in process(files).opened]
    assert found == [
        ("libc10_cuda.so", f"{SITE}/torch/lib/libc10_cuda.so"),
        ("libcublas.so.12", OWN),
    ]


def test_a_file_that_cannot_be_read_is_found_and_its_needs_are_not_known(
    process: Callable[..., Process],
):
    found = process({ROOT: torch("libcublas.so.12", runpath=TO_OWN), OWN: b"garbage"})
    assert answers(found) == [(OWN, "RUNPATH")]
    assert OWN in found.unread[0]


def test_files_that_ask_for_each_other_have_an_end(process: Callable[..., Process]):
    files = {
        f"{TOOLKIT}/libcublas.so.{number}": library(
            f"libcublas.so.{number}", f"libcublas.so.{number + 1}", "libcublas.so.0"
        )
        for number in range(MAX_FILES + 20)
    }
    files[ROOT] = torch("libcublas.so.0", rpath=TOOLKIT)
    assert len(process(files).opened) <= MAX_FILES + 1


NAMES = [f"libcublas.so.{number}" for number in range(6)]
FOLDERS = ["/a", "/b", "/usr/lib64", "$ORIGIN", "$ORIGIN/..", "$ORIGIN/../..", "", "/gone", "\xe9"]
FILES = st.builds(
    library,
    st.sampled_from(["", *NAMES]),
    *[st.sampled_from([*NAMES, "/a/libcublas.so.0", "..", "libc.so.6"])] * 3,
    rpath=st.none() | st.lists(st.sampled_from(FOLDERS)).map(":".join),
    runpath=st.none() | st.lists(st.sampled_from(FOLDERS)).map(":".join),
)
PLACES = [f"{folder}/{name}" for folder in ("/a", "/b", "/usr/lib64") for name in NAMES]
TREES = st.dictionaries(st.sampled_from(PLACES), FILES | st.binary(max_size=80))


@given(TREES, st.lists(st.sampled_from(FOLDERS)).map(":".join))
def test_whatever_files_ask_for_each_answer_is_a_file_or_none(
    tree: dict[str, bytes], search_path: str
):
    with tempfile.TemporaryDirectory() as root:
        for path, content in tree.items():
            place = Path(root + path)
            place.parent.mkdir(exist_ok=True, parents=True)
            place.write_bytes(content)
        machine = Machine(root, {"LD_LIBRARY_PATH": search_path})
        found = Process(machine, own=("/a",))
        for path in sorted(tree):
            found.load(path)
        assert all(each.path is None or machine.is_there(each.path) for each in found.opened)
        taken = [each.file for each in found.opened if each.path is not None]
        assert len(taken) == len(set(taken)), "a name was answered twice"
