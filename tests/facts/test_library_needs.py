"""What frameworks ask for in vain, and releases that are not those that torch asks for."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.installed.distributions import search
from gpuprobe.facts.libraries import cuda_libraries, elf, ldcache
from gpuprobe.facts.libraries.elf import read_dynamic
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Facts, Known, Unknown
from gpuprobe.facts.version import Version
from support.cuda_libraries import (
    CUDA_12_WHEELS,
    MULTIARCH,
    SITE,
    TOOLKIT_12_1,
    cache,
    package,
    toolkit,
    wheel,
)
from support.elf import library

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.trees import Files

    from .conftest import Make

needs_reader = pytest.mark.skipif(
    isinstance(read_dynamic(Machine(), "/nowhere"), Unknown), reason=elf.NOT_INSTALLED
)

CUDA_12 = {
    "libcudart.so.12": "12.3.101",
    "libcublas.so.12": "12.3.4.1",
    "libcublasLt.so.12": "12.3.4.1",
    "libcufft.so.11": "11.0.12.1",
    "libcurand.so.10": "10.3.4.107",
    "libcusolver.so.11": "11.5.4.101",
    "libcusparse.so.12": "12.2.0.103",
    "libcudnn.so.8": "8.9.7",
}


def tensorflow(
    version: str, site: str = SITE, *, cuda: bool = True, built_with: str = "12.3"
) -> Files:
    info = f'("cuda_version", "{built_with}"), ("is_cuda_build", {cuda})'
    files = {"tensorflow/python/platform/build_info.py": f"build_info = [{info}]\n"}
    return package("tensorflow", version, files, site)


def facts_of(machine: Machine) -> Facts:
    return Facts(dict(cuda_libraries.collect(machine, partial(search, machine))))


def missing(facts: Facts) -> list[tuple[str, str]]:
    """Each missing file, and who asks for it."""
    return [
        (facts.need(names.LIBRARY_MISSING(stem)), facts.need(names.LIBRARY_WANTED_BY(stem)))
        for stem in facts.subjects(names.LIBRARY_MISSING)
    ]


# -- names ------------------------------------------------------------------------------------


def test_without_any_library_the_first_of_tensorflows_list_is_missing(make: Make):
    facts = facts_of(make(tensorflow("2.17.0"), search_path=(SITE,)))
    assert missing(facts) == [("libcudart.so.12", "tensorflow 2.17.0")]


@pytest.mark.parametrize("gone", list(CUDA_12))
def test_the_list_is_walked_in_its_order(make: Make, gone: str):
    there = {soname: version for soname, version in CUDA_12.items() if soname != gone}
    files = {**tensorflow("2.17.0"), **toolkit(MULTIARCH, there)}
    facts = facts_of(make(files, search_path=(SITE,)))
    assert missing(facts) == [(gone, "tensorflow 2.17.0")]


@pytest.mark.parametrize("folder", [MULTIARCH, "/lib64", "/opt/cuda/lib64"])
def test_with_all_libraries_where_the_loader_looks_none_is_missing(make: Make, folder: str):
    files = {**tensorflow("2.17.0"), **toolkit(folder, CUDA_12)}
    environ = {"LD_LIBRARY_PATH": "/opt/cuda/lib64"}
    assert missing(facts_of(make(files, environ, search_path=(SITE,)))) == []


def test_a_default_folder_that_the_cache_does_not_list_is_searched_all_the_same(make: Make):
    machine = make({**tensorflow("2.17.0"), **toolkit(MULTIARCH, CUDA_12)}, search_path=(SITE,))
    Path(f"{machine.root}/etc").mkdir(exist_ok=True)
    Path(f"{machine.root}{ldcache.PATH}").write_bytes(cache())
    assert missing(facts_of(machine)) == []


@pytest.mark.parametrize("built_with", ["11.2", "13.0"])
def test_a_tensorflow_of_another_cuda_than_googles_misses_nothing_of_the_table(
    make: Make, built_with: str
):
    machine = make(tensorflow("2.14.1", built_with=built_with), search_path=(SITE,))
    assert missing(facts_of(machine)) == []


@pytest.mark.parametrize(
    ("version", "found"), [("2.13.1", False), ("2.14.1", True)], ids=["before", "since 2.14"]
)
def test_pips_wheels_serve_tensorflow_since_it_knows_of_them(make: Make, version: str, found: bool):
    files = {
        **tensorflow(version, built_with="11.8"),
        **wheel("nvidia-cuda-runtime-cu11", "11.8.89", "cuda_runtime/lib/libcudart.so.11.0"),
    }
    first = missing(facts_of(make(files, search_path=(SITE,))))[0][0]
    assert first == ("libcublas.so.11" if found else "libcudart.so.11.0")


def test_a_toolkit_of_which_the_loader_does_not_know_does_not_serve(make: Make):
    files = {**tensorflow("2.17.0"), **toolkit("/usr/local/cuda/lib64", CUDA_12)}
    machine = make(files, {"CUDA_HOME": "/usr/local/cuda"}, search_path=(SITE,))
    assert missing(facts_of(machine)) == [("libcudart.so.12", "tensorflow 2.17.0")]


def test_conda_serves_its_own_python_only(make: Make):
    site = "/opt/conda/lib/python3.12/site-packages"
    conda = {**toolkit("/opt/conda/lib", CUDA_12), "/opt/conda/conda-meta/history": ""}
    own = make({**tensorflow("2.17.0", site), **conda}, search_path=(site,))
    assert missing(facts_of(own)) == []
    other = make(tensorflow("2.17.0"), {"CONDA_PREFIX": "/opt/conda"}, search_path=(SITE,))
    assert missing(facts_of(other)) != []


def test_onnxruntime_takes_the_libraries_of_wheels(make: Make):
    """Where the program imports torch before it or calls preload_dlls()."""
    capi = {"onnxruntime/capi/build_and_package_info.py": "cuda_version = '12.4'\n"}
    files = package("onnxruntime-gpu", "1.20.1", capi)
    assert missing(facts_of(make({**files, **CUDA_12_WHEELS}, search_path=(SITE,)))) == []


def test_onnxruntime_without_libraries_misses_the_first_of_its_list(make: Make):
    capi = {"onnxruntime/capi/build_and_package_info.py": "cuda_version = '12.4'\n"}
    facts = facts_of(make(package("onnxruntime-gpu", "1.20.1", capi), search_path=(SITE,)))
    assert missing(facts) == [("libcudart.so.12", "onnxruntime-gpu 1.20.1")]


@pytest.mark.parametrize(
    "files",
    [
        tensorflow("2.17.0", cuda=False),
        package("tensorflow-cpu", "2.17.0", {}),
        package("torch", "2.4.1+cu121", {"torch/version.py": "cuda = '12.1'\n"}),
        package("tensorflow", "9.99.0", {}),
        {},
    ],
    ids=["a CPU build", "the CPU package", "torch", "a release of which nothing is known", "none"],
)
def test_who_asks_for_nothing_misses_nothing(make: Make, files: Files):
    assert missing(facts_of(make(files, search_path=(SITE,)))) == []


def test_where_the_cache_cannot_be_read_nothing_is_said_to_be_missing(make: Make):
    files = {**tensorflow("2.17.0"), ldcache.PATH: "garbage"}
    assert missing(facts_of(make(files, search_path=(SITE,)))) == []


def test_windows_looks_in_every_folder_of_path_and_in_system32(make: Make):
    site = r"C:\venv\Lib\site-packages"
    info = '("cuda_version", "64_112"), ("is_cuda_build", True)'
    files = {
        **package(
            "tensorflow",
            "2.10.1",
            {"tensorflow/python/platform/build_info.py": f"[{info}]\n"},
            "/venv/Lib/site-packages",
        ),
        "/tools/cudart64_110.dll": "",
        "/Windows/System32/cublas64_11.dll": "",
    }
    machine = make(files, {"PATH": r"C:\none;C:\tools"}, system="Windows", search_path=(site,))
    assert missing(facts_of(machine)) == [("cublasLt64_11.dll", "tensorflow 2.10.1")]


# -- releases ---------------------------------------------------------------------------------


def torch(*pins: str) -> Files:
    lines = "".join(f"Requires-Dist: {pin}\n" for pin in pins)
    made = dict(package("torch", "2.4.1", {"torch/version.py": "cuda = '12.4'\n"}))
    made[f"{SITE}/torch-2.4.1.dist-info/METADATA"] = f"Name: torch\n{lines}"
    return made


@pytest.mark.parametrize(
    "pin",
    [
        "nvidia-nvjitlink-cu12==12.9.86",
        'nvidia-nvjitlink-cu12 (==12.9.86) ; platform_system == "Linux"',
        'nvidia-nvjitlink-cu12==12.9.86; platform_system == "Linux" and python_version >= "3.9"',
    ],
)
def test_another_release_than_torch_asks_for_is_told(make: Make, pin: str):
    facts = facts_of(make({**CUDA_12_WHEELS, **torch(pin)}, search_path=(SITE,)))
    asked = names.PACKAGE_ASKED_BY_TORCH("nvidia-nvjitlink-cu12")
    assert facts.need(asked) == Version("12.9.86")


@pytest.mark.parametrize(
    "pin",
    [
        "nvidia-nvjitlink-cu12==12.4.127",
        "nvidia-nvjitlink-cu12>=12.9",
        "nvidia-nvjitlink-cu12; python_version == '3.9'",
        "nvidia-nvjitlink-cu12==12.9.*",
        "nvidia-nvjitlink-cu12==12.9.86; extra == 'more'",
        "nvidia-cublas-cu11==11.11.3.6",
        "sympy==1.13.1",
    ],
)
def test_what_is_installed_or_not_asked_for_is_not(make: Make, pin: str):
    facts = facts_of(make({**CUDA_12_WHEELS, **torch(pin)}, search_path=(SITE,)))
    assert facts.subjects(names.PACKAGE_ASKED_BY_TORCH) == ()


# -- a copy that comes before a framework's own -------------------------------------------------

LOCAL = "/usr/local/cuda-12.1/lib64"
ROOT = f"{SITE}/torch/lib/libtorch_cuda.so"
BINARIES = {
    ROOT: library("libtorch_cuda.so", "libcublas.so.12", "libcusparse.so.12", "libcudnn.so.9",
                  rpath=":".join(f"$ORIGIN/../../nvidia/{each}/lib"
                                 for each in ("cublas", "cusparse", "cudnn"))),
    f"{SITE}/nvidia/cublas/lib/libcublas.so.12": library("libcublas.so.12"),
    f"{SITE}/nvidia/cusparse/lib/libcusparse.so.12": library(
        "libcusparse.so.12", "libnvJitLink.so.12", runpath="$ORIGIN/../../nvjitlink/lib"),
    f"{SITE}/nvidia/cudnn/lib/libcudnn.so.9": library("libcudnn.so.9", runpath="$ORIGIN"),
}  # fmt: skip


def with_torch(make: Make, files: Files, environ: Mapping[str, str]) -> Facts:
    """Facts of a machine with a torch whose files say where they look."""
    installed = {**CUDA_12_WHEELS, **torch(), **dict.fromkeys(BINARIES, "")}
    machine = make({**installed, **files}, environ, search_path=(SITE,))
    for path, content in BINARIES.items():
        Path(f"{machine.root}{path}").write_bytes(content)
    return facts_of(machine)


@needs_reader
def test_a_copy_on_ld_library_path_is_taken_where_no_rpath_comes_before_it(make: Make):
    facts = with_torch(make, toolkit(LOCAL, TOOLKIT_12_1), {"LD_LIBRARY_PATH": LOCAL})
    assert facts.need(names.LIBRARY_OWN_VERSION("nvjitlink")) == Version("12.4.127")
    assert facts.need(names.LIBRARY_VERSION("nvjitlink")) == Version("12.1.105")
    assert facts.need(names.LIBRARY_TAKEN_BY("nvjitlink")) == ("torch 2.4.1",)
    assert facts.need(names.LIBRARY_TAKEN_BY("cublas")) == ()


@needs_reader
def test_the_parts_of_cudnn_are_taken_though_cudnn_itself_is_not(make: Make):
    """It opens them by their names, and LD_LIBRARY_PATH comes before its own RUNPATH."""
    other = toolkit("/opt/cudnn", {"libcudnn.so.9": "9.5.1", "libcudnn_ops.so.9": "9.5.1"})
    facts = with_torch(make, other, {"LD_LIBRARY_PATH": "/opt/cudnn"})
    assert facts.need(names.LIBRARY_TAKEN_BY("cudnn")) == ()
    assert facts.need(names.LIBRARY_TAKEN_BY("cudnn_ops")) == ("torch 2.4.1",)


def test_a_copy_of_the_same_release_or_behind_the_own_one_is_no_doubt(make: Make):
    same = toolkit("/a", {"libnvJitLink.so.12": "12.4.127"})
    behind = toolkit(LOCAL, TOOLKIT_12_1)
    facts = with_torch(make, {**same, **behind}, {"LD_LIBRARY_PATH": "/a", "CUDA_HOME": LOCAL})
    assert facts.subjects(names.LIBRARY_OWN_VERSION) == ()


def test_without_the_reader_it_is_not_known_who_gets_it(
    make: Make, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "elftools.elf.elffile", None)
    facts = with_torch(make, toolkit(LOCAL, TOOLKIT_12_1), {"LD_LIBRARY_PATH": LOCAL})
    assert facts.fact(names.LIBRARY_TAKEN_BY("nvjitlink")) == Unknown(elf.NOT_INSTALLED)
    assert isinstance(facts.fact(names.LIBRARY_OWN_VERSION("nvjitlink")), Known)
