"""Every copy of a CUDA library in every layout: where, which version, by which way."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import names
from gpuprobe.facts.installed.distributions import search
from gpuprobe.facts.libraries import cuda_libraries, ldcache
from gpuprobe.facts.libraries import file_names as library_names
from gpuprobe.facts.libraries import maps as library_maps
from gpuprobe.facts.model import Absent, Facts, Unknown
from gpuprobe.facts.version import Version
from support.cuda_libraries import (
    CUDA_12_WHEELS,
    CUDA_13_WHEELS,
    MULTIARCH,
    SITE,
    TOOLKIT_12_1,
    cache,
    package,
    toolkit,
    wheel,
)
from support.trees import BASE, Link

if TYPE_CHECKING:
    from gpuprobe.facts.machine import Machine

    from .conftest import Make

LOCAL = "/usr/local/cuda-12.1"
CUDA_12_1 = toolkit(f"{LOCAL}/lib64", TOOLKIT_12_1)


def facts_of(machine: Machine) -> Facts:
    return Facts(dict(cuda_libraries.collect(machine, partial(search, machine))))


def seen(facts: Facts, stem: str) -> tuple[str, str, str]:
    """Version, folder and way of the copy that is found first."""
    version = str(facts.need(names.LIBRARY_VERSION(stem)))
    folder = facts.need(names.LIBRARY_PATH(stem)).rpartition("/")[0]
    return version, folder, facts.need(names.LIBRARY_FOUND_BY(stem))


def write_cache(machine: Machine, *entries: tuple[str, str]) -> None:
    place = Path(f"{machine.root}{ldcache.PATH}")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(cache(*entries))


# -- layouts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stem", "version", "folder"),
    [
        ("cudart", "12.4.127", "cuda_runtime"),
        ("cublas", "12.4.5.8", "cublas"),
        ("cublaslt", "12.4.5.8", "cublas"),
        ("cufft", "11.2.1.3", "cufft"),
        ("curand", "10.3.5.147", "curand"),
        ("cusolver", "11.6.1.9", "cusolver"),
        ("cusparse", "12.3.1.170", "cusparse"),
        ("nvrtc", "12.4.127", "cuda_nvrtc"),
        ("nvjitlink", "12.4.127", "nvjitlink"),
        ("cudnn", "9.1.0.70", "cudnn"),
        ("cudnn_ops", "9.1.0.70", "cudnn"),
        ("nccl", "2.21.5", "nccl"),
        ("nvtx", "12.4.127", "nvtx"),
    ],
)
def test_a_wheel_of_cuda_12_has_a_folder_and_its_version(
    make: Make, stem: str, version: str, folder: str
):
    facts = facts_of(make(CUDA_12_WHEELS, search_path=(SITE,)))
    assert seen(facts, stem) == (version, f"{SITE}/nvidia/{folder}/lib", "pip")
    assert isinstance(facts.fact(names.LIBRARY_COPIES(stem)), Unknown)


@pytest.mark.parametrize(
    ("stem", "version", "folder"),
    [
        ("cudart", "13.0.96", "cu13"),
        ("cublaslt", "13.1.0.3", "cu13"),
        ("cusparse", "12.6.3.3", "cu13"),
        ("cudnn", "9.13.0.50", "cudnn"),
    ],
)
def test_wheels_of_cuda_13_share_a_folder(make: Make, stem: str, version: str, folder: str):
    facts = facts_of(make(CUDA_13_WHEELS, search_path=(SITE,)))
    assert seen(facts, stem) == (version, f"{SITE}/nvidia/{folder}/lib", "pip")


def test_wheels_of_two_cuda_in_one_folder_are_told_apart_by_the_number(make: Make):
    files = {
        **wheel("nvidia-cublas-cu11", "11.11.3.6", "cublas/lib/libcublas.so.11"),
        **wheel("nvidia-cublas-cu12", "12.4.5.8", "cublas/lib/libcublas.so.12"),
    }
    facts = facts_of(make(files, search_path=(SITE,)))
    assert facts.need(names.LIBRARY_COPIES("cublas")) == (
        f"11.11.3.6 in {SITE}/nvidia/cublas/lib (pip nvidia-cublas-cu11 11.11.3.6)",
        f"12.4.5.8 in {SITE}/nvidia/cublas/lib (pip nvidia-cublas-cu12 12.4.5.8)",
    )


def test_two_packages_that_wrote_one_file_leave_its_version_unknown(make: Make):
    files = {
        **wheel("nvidia-cudnn-cu12", "9.1.0.70", "cudnn/lib/libcudnn.so.9"),
        **wheel("nvidia-cudnn-cu13", "9.13.0.50"),
    }
    facts = facts_of(make(files, search_path=(SITE,)))
    assert isinstance(facts.fact(names.LIBRARY_VERSION("cudnn")), Absent)


def test_a_wheels_folder_on_ld_library_path_keeps_its_version(make: Make):
    """As people who run TensorFlow set it."""
    folder = f"{SITE}/nvidia/cudnn/lib"
    facts = facts_of(make(CUDA_12_WHEELS, {"LD_LIBRARY_PATH": folder}, search_path=(SITE,)))
    assert seen(facts, "cudnn") == ("9.1.0.70", folder, "LD_LIBRARY_PATH")
    assert facts.subjects(names.LIBRARY_OWN_VERSION) == ()


def test_packages_in_another_folder_do_not_tell_a_version(make: Make):
    files = {
        **wheel("nvidia-nccl-cu12", "2.21.5", "nccl/lib/libnccl.so.2"),
        **wheel("nvidia-nccl-cu12", "2.18.1", site="/usr/lib/python3/dist-packages"),
    }
    facts = facts_of(make(files, search_path=("/usr/lib/python3/dist-packages", SITE)))
    assert seen(facts, "nccl")[0] == "2.21.5"


def test_what_a_framework_brings_within_itself_is_seen(make: Make):
    """PyTorch before CUDA 11.7, whose copies carry a hash in their names."""
    files = package(
        "torch",
        "1.12.1+cu113",
        {
            "torch/lib/libcudart-a7b20f20.so.11.0": "",
            "torch/lib/libcudnn.so.8": "",
            "torch/lib/libtorch_cuda.so": "",
        },
    )
    facts = facts_of(make(files, search_path=(SITE,)))
    assert facts.need(names.LIBRARY_FOUND_BY("cudart")) == "bundled with torch"
    assert isinstance(facts.fact(names.LIBRARY_VERSION("cudart")), Absent)


def test_the_library_of_tensorrt_is_seen(make: Make):
    files = package("tensorrt-cu12-libs", "10.3.0", {"tensorrt_libs/libnvinfer.so.10": ""})
    assert facts_of(make(files, search_path=(SITE,))).need(names.LIBRARY_FOUND_BY("nvinfer")) == (
        "pip"
    )


def test_conda_is_seen_by_its_variable(make: Make):
    conda = toolkit("/opt/conda/envs/a/lib", {"libcublas.so.12": "12.1.3.1"})
    facts = facts_of(make(conda, {"CONDA_PREFIX": "/opt/conda/envs/a"}))
    assert seen(facts, "cublas") == ("12.1.3.1", "/opt/conda/envs/a/lib", "conda")


def test_conda_is_seen_by_the_python_that_runs(make: Make):
    site = "/opt/conda/lib/python3.12/site-packages"
    files = {
        **toolkit("/opt/conda/lib", {"libcublas.so.12": "12.1.3.1"}),
        "/opt/conda/conda-meta/history": "",
        f"{site}/x": "",
    }
    assert seen(facts_of(make(files, search_path=(site,))), "cublas")[2] == "conda"


def test_the_packages_that_conda_keeps_aside_are_no_copies(make: Make):
    files = toolkit("/opt/conda/pkgs/libcublas-12.1.3.1-0/lib", {"libcublas.so.12": "12.1.3.1"})
    facts = facts_of(make(files, {"CONDA_PREFIX": "/opt/conda"}))
    assert facts.subjects(names.LIBRARY_PATH) == ()


def test_a_folder_lib_of_another_python_is_no_conda(make: Make):
    files = {**toolkit("/venv/lib", {"libcublas.so.12": "12.1.3.1"}), f"{SITE}/x": ""}
    assert facts_of(make(files, search_path=(SITE,))).subjects(names.LIBRARY_PATH) == ()


@pytest.mark.parametrize("variable", ["CUDA_HOME", "CUDA_PATH"])
def test_a_toolkit_is_seen_by_its_variable(make: Make, variable: str):
    files = toolkit("/opt/cuda/lib64", TOOLKIT_12_1)
    assert seen(facts_of(make(files, {variable: "/opt/cuda"})), "cudart") == (
        ("12.1.105", "/opt/cuda/lib64", variable)
    )


def test_a_toolkit_under_usr_local_is_seen_once_though_a_link_leads_to_it(make: Make):
    files = {**CUDA_12_1, "/usr/local/cuda": Link("cuda-12.1")}
    facts = facts_of(make(files))
    assert seen(facts, "cudart") == ("12.1.105", "/usr/local/cuda/lib64", "/usr/local")
    assert isinstance(facts.fact(names.LIBRARY_COPIES("cudart")), Unknown)


def test_the_loaders_cache_names_copies(make: Make):
    machine = make(toolkit(MULTIARCH, {"libcudart.so.11.0": "11.5.117"}))
    write_cache(machine, ("libcudart.so.11.0", f"{MULTIARCH}/libcudart.so.11.0"),
                ("libcurl.so.4", f"{MULTIARCH}/libcurl.so.4"))  # fmt: skip
    facts = facts_of(machine)
    assert seen(facts, "cudart") == ("11.5.117", MULTIARCH, "ld.so.cache")
    assert facts.subjects(names.LIBRARY_PATH) == ("cudart",)


def test_without_a_cache_the_default_folders_are_listed(make: Make):
    facts = facts_of(make(toolkit(MULTIARCH, {"libcudart.so.11.0": "11.5.117"})))
    assert seen(facts, "cudart") == ("11.5.117", MULTIARCH, "default folders")


def test_with_a_cache_they_are_not(make: Make):
    machine = make(toolkit(MULTIARCH, {"libcudart.so.11.0": "11.5.117"}))
    write_cache(machine, ("libcurl.so.4", f"{MULTIARCH}/libcurl.so.4"))
    assert facts_of(machine).subjects(names.LIBRARY_PATH) == ()


# -- order ------------------------------------------------------------------------------------


def test_copies_come_in_the_order_of_the_search(make: Make):
    files = {
        **CUDA_12_WHEELS,
        **CUDA_12_1,
        **toolkit("/opt/old/lib", {"libcudart.so.12": "12.0.76"}),
        **toolkit(MULTIARCH, {"libcudart.so.12": "12.2.53"}),
        **toolkit("/opt/conda/lib", {"libcudart.so.12": "12.3.101"}),
    }
    environ = {"LD_LIBRARY_PATH": ":/none:/opt/old/lib/", "CONDA_PREFIX": "/opt/conda"}
    machine = make(files, environ, search_path=(SITE,))
    write_cache(machine, ("libcudart.so.12", f"{MULTIARCH}/libcudart.so.12"))
    assert facts_of(machine).need(names.LIBRARY_COPIES("cudart")) == (
        "12.0.76 in /opt/old/lib (LD_LIBRARY_PATH)",
        f"12.2.53 in {MULTIARCH} (ld.so.cache)",
        f"12.4.127 in {SITE}/nvidia/cuda_runtime/lib (pip nvidia-cuda-runtime-cu12 12.4.127)",
        "12.3.101 in /opt/conda/lib (conda)",
        f"12.1.105 in {LOCAL}/lib64 (/usr/local)",
    )


def test_the_first_folder_of_ld_library_path_wins(make: Make):
    files = {
        **toolkit("/a", {"libnccl.so.2": "2.18.1"}),
        **toolkit("/b", {"libnccl.so.2": "2.21.5"}),
    }
    assert seen(facts_of(make(files, {"LD_LIBRARY_PATH": "/b:/a"})), "nccl")[1] == "/b"


# -- what is no copy ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "file", ["libcublas.so", "libcurl.so.4", "libcublas.so.12.bak", "libcublas_static.a", "libcu"]
)
def test_a_name_for_the_linker_or_of_another_library_is_none(make: Make, file: str):
    facts = facts_of(make({f"/a/{file}": ""}, {"LD_LIBRARY_PATH": "/a"}))
    assert facts.subjects(names.LIBRARY_PATH) == ()


def test_a_folder_or_a_pipe_that_is_called_like_one_is_none(make: Make):
    """Docker makes a folder of a file that it is to mount and that is not there."""
    machine = make(CUDA_12_1, {"LD_LIBRARY_PATH": "/a"})
    folder = Path(f"{machine.root}/a")
    (folder / "libcublas.so.12").mkdir(parents=True)
    os.mkfifo(folder / "libnvJitLink.so.12")
    facts = facts_of(machine)
    assert seen(facts, "cublas")[1] == f"{LOCAL}/lib64"
    assert seen(facts, "nvjitlink")[1] == f"{LOCAL}/lib64"


def test_a_link_that_leads_nowhere_is_none(make: Make):
    files = {"/a/libcublas.so.12": Link("gone"), "/a/libnccl.so.2": Link("libnccl.so.2")}
    facts = facts_of(make(files, {"LD_LIBRARY_PATH": "/a"}))
    assert facts.subjects(names.LIBRARY_PATH) == ()


def test_a_machine_without_any_tells_only_where_was_searched(make: Make):
    facts = facts_of(make(BASE))
    assert list(facts) == [names.LIBRARIES_SEARCHED.name]
    assert facts.need(names.LIBRARIES_SEARCHED) == ("ld.so.cache", "default folders")


def test_where_the_cache_cannot_be_read_the_search_is_not_done(make: Make):
    facts = facts_of(make({ldcache.PATH: "garbage"}))
    reason = f"{ldcache.PATH}: not a loader cache of glibc"
    assert facts.fact(names.LIBRARIES_SEARCHED) == Unknown(reason)


# -- Windows ----------------------------------------------------------------------------------


def test_windows_path_is_searched_in_its_order(make: Make):
    files = {
        "/CUDA/v11.2/bin/cudart64_110.dll": "",
        "/CUDA/v12.4/bin/cudart64_12.dll": "",
        "/CUDA/v12.4/bin/cublas64_12.dll": "",
    }
    path = r"C:\tools;C:\CUDA\v12.4\bin;C:\CUDA\v11.2\bin"
    facts = facts_of(make(files, {"PATH": path}, system="Windows"))
    assert facts.need(names.LIBRARY_PATH("cudart")) == r"C:\CUDA\v12.4\bin\cudart64_12.dll"
    assert facts.need(names.LIBRARY_COPIES("cudart")) == (
        r"cudart64_12.dll in C:\CUDA\v12.4\bin (PATH)",
        r"cudart64_110.dll in C:\CUDA\v11.2\bin (PATH)",
    )


def test_windows_wheels_have_a_folder_bin(make: Make):
    site = r"C:\venv\Lib\site-packages"
    tree = "/venv/Lib/site-packages"
    files = {
        **wheel("nvidia-cublas-cu12", "12.4.5.8", "cublas/bin/cublas64_12.dll", site=tree),
        **wheel("nvidia-cuda-runtime", "13.0.96", "cu13/bin/x86_64/cudart64_13.dll", site=tree),
        **package("torch", "2.4.1+cu121", {"torch/lib/cudnn64_9.dll": ""}, site=tree),
    }
    facts = facts_of(make(files, system="Windows", search_path=(site,)))
    assert facts.need(names.LIBRARY_PATH("cublas")) == (
        rf"{site}\nvidia\cublas\bin\cublas64_12.dll"
    )
    assert facts.need(names.LIBRARY_VERSION("cublas")) == Version("12.4.5.8")
    assert facts.need(names.LIBRARY_VERSION("cudart")) == Version("13.0.96")
    assert facts.need(names.LIBRARY_FOUND_BY("cudnn")) == "bundled with torch"


# -- what a process has mapped ----------------------------------------------------------------

MAPS = f"""\
55d0c0000000-55d0c0001000 r--p 00000000 fd:01 1 /usr/bin/python3.12
7f0000000000-7f0000001000 r-xp 00000000 fd:01 2 {SITE}/nvidia/cublas/lib/libcublas.so.12
7f0000001000-7f0000002000 rw-p 00001000 fd:01 2 {SITE}/nvidia/cublas/lib/libcublas.so.12
7f0000003000-7f0000004000 r-xp 00000000 fd:01 3 /opt/a b/libcublas.so.12.1.3.1 (deleted)
7f0000005000-7f0000006000 rw-p 00000000 00:00 0
7ffd00000000-7ffd00001000 rw-p 00000000 00:00 0 [stack]
"""


def test_two_copies_in_one_process_are_both_told(make: Make):
    facts = facts_of(make({"/proc/self/maps": MAPS}))
    assert facts.need(names.LIBRARY_MAPPED("cublas")) == (
        f"{SITE}/nvidia/cublas/lib/libcublas.so.12",
        "/opt/a b/libcublas.so.12.1.3.1 (deleted)",
    )


def test_a_process_without_any_has_no_fact(make: Make):
    facts = facts_of(make({"/proc/self/maps": MAPS.partition("\n")[0]}))
    assert facts.subjects(names.LIBRARY_MAPPED) == ()


def test_maps_that_cannot_be_read_are_no_fact(make: Make):
    machine = make({"/proc/self/maps/folder": ""})
    assert isinstance(facts_of(machine).fact(names.LIBRARY_MAPPED("cublas")), Unknown)
    assert not isinstance(facts_of(machine).fact(names.LIBRARY_MAPPED("cublas")), Absent)


MAPPED = st.sampled_from(["/a/libcublas.so.12", "/a/libcublas.so", "/a b (deleted)", "[heap]", ""])
LINES = st.builds("7f00-7fff r-xp 0 fd:01 {} {}".format, st.integers(0), MAPPED) | st.text()


@given(st.lists(LINES).map("\n".join).map(str.encode) | st.binary())
def test_whatever_stands_in_maps_names_libraries_or_nothing(maps: bytes):
    for stem, files in library_maps.files_of(maps).items():
        assert stem
        assert files
        assert all(file.startswith("/") for file in files)


@given(st.text() | st.builds("{}{}{}".format, st.sampled_from(
    ["libcublas.so.", "cudart64_", "libcudnn_", "nvJitLink_"]), st.text(), st.sampled_from(
    ["", ".dll", ".so.9", ".9"])))  # fmt: skip
def test_a_name_of_any_file_is_one_of_ours_or_none(file: str):
    name = library_names.parse(file)
    if name is not None:
        assert name.stem in library_names.STEMS or name.stem.startswith(library_names.PART)
        assert all(part.isdigit() for part in name.version.split("."))
        assert name.number


def test_a_number_without_an_end_is_no_release(make: Make):
    """Python refuses to read it; the name of the file is all that is told."""
    file = f"libnccl.so.{'9' * 200}"
    facts = facts_of(make({f"/a/{file}": ""}, {"LD_LIBRARY_PATH": "/a"}))
    assert facts.need(names.LIBRARY_PATH("nccl")) == f"/a/{file}"
    assert isinstance(facts.fact(names.LIBRARY_VERSION("nccl")), Absent)


def test_a_folder_with_more_names_than_we_read_is_no_reason_to_break(
    make: Make, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gpuprobe.facts.machine.MAX_NAMES", 3)
    files = {f"/a/{number}": "" for number in range(5)}
    facts = facts_of(make({**files, "/a/libnccl.so.2": ""}, {"LD_LIBRARY_PATH": "/a"}))
    assert facts.subjects(names.LIBRARY_PATH) == ()
