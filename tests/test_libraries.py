"""The survey of the CUDA libraries: who gets which copy, and what stands out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts.libraries import elf, ldcache
from gpuprobe.facts.libraries.elf import read_dynamic
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Unknown
from gpuprobe.libraries import Survey, survey
from support.cuda_libraries import (
    CUDA_12_WHEELS,
    SITE,
    TOOLKIT_12_1,
    cache,
    package,
    toolkit,
    wheel,
)
from support.elf import library
from support.trees import Files, Link, write_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

needs_reader = pytest.mark.skipif(
    isinstance(read_dynamic(Machine(), "/nowhere"), Unknown), reason=elf.NOT_INSTALLED
)

TORCH = package("torch", "2.4.1", {"torch/lib/libtorch_cuda.so": ""})
WHEELS = {**CUDA_12_WHEELS, **TORCH}
ROOT = f"{SITE}/torch/lib/libtorch_cuda.so"
CUSPARSE = f"{SITE}/nvidia/cusparse/lib/libcusparse.so.12"
LOCAL = "/usr/local/cuda-12.1/lib64"
#: torch's wheels name their libraries by RPATH, and those each other by RUNPATH.
LIBRARIES = {
    ROOT: library("libtorch_cuda.so", "libcublas.so.12", "libcusparse.so.12",
                  rpath="$ORIGIN/../../nvidia/cublas/lib:$ORIGIN/../../nvidia/cusparse/lib"),
    CUSPARSE: library("libcusparse.so.12", "libnvJitLink.so.12",
                      runpath="$ORIGIN/../../nvjitlink/lib"),
}  # fmt: skip


class Tree:
    """A folder that stands for a machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def survey(
        self,
        files: Files,
        libraries: Mapping[str, bytes] = {},
        environ: Mapping[str, str] | None = None,
        **more: str,
    ) -> Survey:
        write_files(self.root, files)
        for path, content in {ldcache.PATH: cache(), **libraries}.items():
            place = self.root / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return survey(Machine(str(self.root), environ, search_path=(SITE,)), **more)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def users_of(found: Survey, name: str) -> dict[str, tuple[str, ...]]:
    return {each.folder: each.used_by for each in found.libraries if each.name == name}


@needs_reader
def test_each_copy_tells_who_gets_it_and_how(tree: Tree):
    found = tree.survey(WHEELS, LIBRARIES)
    assert users_of(found, "cublas") == {f"{SITE}/nvidia/cublas/lib": ("torch 2.4.1 (RPATH)",)}
    assert users_of(found, "nvjitlink") == {
        f"{SITE}/nvidia/nvjitlink/lib": ("torch 2.4.1 (RUNPATH)",)
    }
    assert found.remarks == ()


@needs_reader
def test_a_copy_that_comes_before_a_frameworks_own_stands_out(tree: Tree):
    """Of nvJitLink cuSPARSE asks, whose RUNPATH comes after the variable; of cuBLAS torch."""
    files = {**WHEELS, **toolkit(LOCAL, TOOLKIT_12_1)}
    found = tree.survey(files, LIBRARIES, {"LD_LIBRARY_PATH": LOCAL})
    [remark] = found.remarks
    assert remark == (
        f"torch 2.4.1 gets libnvJitLink.so.12 12.1.105 in {LOCAL} (LD_LIBRARY_PATH), "
        f"not its own 12.4.127 in {SITE}/nvidia/nvjitlink/lib"
    )


@needs_reader
def test_a_copy_of_the_same_release_does_not(tree: Tree):
    files = {**WHEELS, **toolkit(LOCAL, {"libnvJitLink.so.12": "12.4.127"})}
    assert tree.survey(files, LIBRARIES, {"LD_LIBRARY_PATH": LOCAL}).remarks == ()


@needs_reader
def test_the_first_name_that_a_framework_does_not_find_is_told_with_the_file_that_asks(tree: Tree):
    files = package(
        "onnxruntime-gpu", "1.18.0", {"onnxruntime/capi/libonnxruntime_providers_cuda.so": ""}
    )
    provider = f"{SITE}/onnxruntime/capi/libonnxruntime_providers_cuda.so"
    found = tree.survey(files, {provider: library("x", "libcublas.so.12", "libc.so.6")})
    [remark] = found.remarks
    assert remark == (
        "onnxruntime-gpu 1.18.0 does not find libcublas.so.12, which "
        "libonnxruntime_providers_cuda.so asks for"
    )


@needs_reader
def test_a_wheel_that_onnxruntime_does_not_look_into_is_told_with_the_way_to_it(tree: Tree):
    files = package(
        "onnxruntime-gpu", "1.20.0", {"onnxruntime/capi/libonnxruntime_providers_cuda.so": ""}
    )
    provider = f"{SITE}/onnxruntime/capi/libonnxruntime_providers_cuda.so"
    asks = library("x", "libcublas.so.12", "libcurand.so.10", "libcudnn.so.8")
    [remark] = tree.survey({**files, **CUDA_12_WHEELS}, {provider: asks}).remarks
    assert remark == (
        "onnxruntime-gpu 1.20.0 does not find libcublas.so.12, which "
        f"libonnxruntime_providers_cuda.so asks for, though it lies in {SITE}/nvidia/cublas/lib; "
        "nor libcurand.so.10, libcudnn.so.8 (unless the program calls "
        "onnxruntime.preload_dlls() or imports torch before)"
    )


@needs_reader
def test_jax_gets_what_its_plugin_opens_by_name_and_misses_nothing_that_it_can_do_without(
    tree: Tree,
):
    plugin = f"{SITE}/jax_plugins/xla_cuda12/xla_cuda_plugin.so"
    content = library("", "libc.so.6", rpath="$ORIGIN/../../nvidia/cudnn/lib:/opt/no")
    found = tree.survey(
        {**CUDA_12_WHEELS, **package("jax-cuda12-pjrt", "0.5.0", {})}, {plugin: content}
    )
    assert users_of(found, "cudnn") == {
        f"{SITE}/nvidia/cudnn/lib": ("jax-cuda12-pjrt 0.5.0 (RPATH)",)
    }
    assert found.remarks == ()


@needs_reader
@pytest.mark.parametrize(("release", "users"), [("13.6.0", ()), ("14.0.0", ("its own search",))])
def test_cupy_looks_into_the_wheels_since_its_release_14(
    tree: Tree, release: str, users: tuple[str, ...]
):
    folder = f"{SITE}/cupy_backends/cuda/libs"
    content = {
        f"{folder}/cublas.so": library("", "libcublas.so.12"),
        f"{folder}/nccl.so": library("", "libnccl.so.9"),  # without it CuPy works as well
    }
    found = tree.survey({**CUDA_12_WHEELS, **package("cupy-cuda12x", release, {})}, content)
    told = tuple(f"cupy-cuda12x {release} ({way})" for way in users)
    assert users_of(found, "cublas") == {f"{SITE}/nvidia/cublas/lib": told}
    assert ["libnccl" in remark for remark in found.remarks] == [False] * (1 - len(users))


def test_a_wheel_of_another_python_states_its_release_as_well(tree: Tree):
    other = "/other/lib/python3.12/site-packages"
    brought = wheel(
        "nvidia-cuda-runtime-cu12", "12.1.105", "cuda_runtime/lib/libcudart.so.12", site=other
    )
    found = tree.survey(brought, environ={"LD_LIBRARY_PATH": f"{other}/nvidia/cuda_runtime/lib"})
    [copy] = found.libraries
    assert (copy.version, copy.package) == ("12.1.105", "nvidia-cuda-runtime-cu12 12.1.105")


@needs_reader
def test_what_tensorflow_opens_by_name_is_looked_for(tree: Tree):
    files = package("tensorflow", "2.17.0", {"tensorflow/libtensorflow_framework.so.2": ""})
    framework = f"{SITE}/tensorflow/libtensorflow_framework.so.2"
    content = library("libtensorflow_framework.so.2", runpath="$ORIGIN/../nvidia/cuda_runtime/lib")
    files = {**files, **wheel("nvidia-cuda-runtime-cu12", "12.3.101",
                              "cuda_runtime/lib/libcudart.so.12")}  # fmt: skip
    found = tree.survey(files, {framework: content})
    assert users_of(found, "cudart") == {
        f"{SITE}/nvidia/cuda_runtime/lib": ("tensorflow 2.17.0 (RUNPATH)",)
    }
    assert found.remarks[0].startswith("tensorflow 2.17.0 does not find libcublas.so.12")


@needs_reader
def test_a_copy_that_only_the_framework_knows_of_is_listed(tree: Tree):
    content = library("libtorch_cuda.so", "libcublas.so.12", rpath="/opt/hidden")
    found = tree.survey(TORCH, {ROOT: content, "/opt/hidden/libcublas.so.12": library("x")})
    [copy] = found.libraries
    assert (copy.folder, copy.found_by) == ("/opt/hidden", "RPATH")


def test_without_the_reader_the_copies_are_listed_and_the_reason_is_told(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "elftools.elf.elffile", None)
    found = tree.survey(WHEELS, LIBRARIES)
    assert len(found.libraries) > 10
    assert found.unknown == (f"torch 2.4.1: {elf.NOT_INSTALLED}",)


def test_parts_of_cudnn_of_several_releases_stand_out(tree: Tree):
    files = toolkit("/opt/cudnn/lib", {"libcudnn.so.9": "9.1.0", "libcudnn_ops.so.9": "9.5.1"})
    found = tree.survey(files, environ={"LD_LIBRARY_PATH": "/opt/cudnn/lib"})
    assert found.remarks == (
        "cuDNN in /opt/cudnn/lib is mixed: libcudnn.so.9 is of 9.1.0, libcudnn_ops.so.9 of 9.5.1",
    )


def test_parts_of_another_major_beside_them_are_no_mix(tree: Tree):
    files = toolkit(
        "/opt/cudnn/lib", {"libcudnn.so.9": "9.1.0", "libcudnn_ops_infer.so.8": "8.9.7"}
    )
    assert tree.survey(files, environ={"LD_LIBRARY_PATH": "/opt/cudnn/lib"}).remarks == ()


def test_what_a_process_has_mapped_is_marked_and_two_copies_stand_out(tree: Tree):
    own = f"{SITE}/nvidia/cublas/lib/libcublas.so.12"
    maps = "".join(
        f"7f0{number}00-7f0{number}ff r-xp 0 fd:01 {number} {path}\n"
        for number, path in enumerate((own, "/opt/x/libcublas.so.12.1.3.1"))
    )
    found = tree.survey({**WHEELS, "/proc/77/maps": maps}, process="77")
    assert [each.real for each in found.libraries if each.mapped] == [own]
    assert any("2 copies of cublas mapped" in remark for remark in found.remarks)


def test_a_folder_of_the_configuration_that_the_cache_leaves_out_stands_out(tree: Tree):
    files: Files = {
        **toolkit("/opt/cuda/lib64", {"libcudart.so.12": "12.4.127"}),
        "/etc/ld.so.conf": "include /etc/ld.so.conf.d/*.conf\n",
        "/etc/ld.so.conf.d/cuda.conf": "# the toolkit\n/opt/cuda/lib64\n",
        "/etc/ld.so.conf.d/again.conf": "include ld.so.conf.d/again.conf\n",
    }
    [remark] = tree.survey(files).remarks
    assert remark == (
        "/etc/ld.so.conf.d/cuda.conf names /opt/cuda/lib64, and the loader's cache has no "
        "libcudart.so.12: run ldconfig"
    )


def test_a_folder_of_the_configuration_that_the_cache_has_does_not(tree: Tree):
    at = "/opt/cuda/lib64"
    files: Files = {**toolkit(at, {"libcudart.so.12": "12.4.127"}), "/etc/ld.so.conf": f"{at}\n"}
    cached = cache(("libcudart.so.12", f"{at}/libcudart.so.12"))
    assert tree.survey(files, {ldcache.PATH: cached}).remarks == ()


def test_one_library_is_told_with_its_parts_and_what_is_said_of_it(tree: Tree):
    files = toolkit("/opt/cudnn/lib", {"libcudnn.so.9": "9.1.0", "libcudnn_ops.so.9": "9.5.1"})
    whole = tree.survey({**files, **WHEELS}, environ={"LD_LIBRARY_PATH": "/opt/cudnn/lib"})
    part = whole.of("libcudnn.so.9")
    assert {each.name for each in part.libraries} == {"cudnn", "cudnn_ops", "cudnn_graph"}
    assert part.remarks
    assert whole.of("cuBLAS").remarks == ()


def test_a_name_that_is_no_librarys_is_refused_with_the_nearest(tree: Tree):
    with pytest.raises(ValueError, match=r"called 'cublass'; did you mean 'cublas'"):
        tree.survey(WHEELS).of("cublass")


def test_default_folders_and_links_that_go_in_circles_are_survived(tree: Tree):
    files: Files = {
        "/usr/lib/libcudart.so.12": Link("libcudart.so.12"),
        "/lib64": Link("/lib64"),
        "/opt/a/libnccl.so.2": Link("/opt/b/libnccl.so.2"),
        "/opt/b/libnccl.so.2": Link("/opt/a/libnccl.so.2"),
    }
    assert tree.survey(files, environ={"LD_LIBRARY_PATH": "/opt/a"}).libraries == ()
