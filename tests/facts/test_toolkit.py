"""The toolkit of those who compile, and what conda recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.installed import conda, toolkit
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from support.trees import Link

if TYPE_CHECKING:
    from gpuprobe.facts.machine import Machine

    from .conftest import Make


def found(collector: object, machine: Machine) -> Facts:
    return Facts(dict(collector.collect(machine)))  # type: ignore[attr-defined]


# -- the toolkit -------------------------------------------------------------------------------

CUDA = "/usr/local/cuda-12.4"
VERSION_JSON = """\
{
  "cuda" : {
    "name" : "CUDA SDK",
    "version" : "12.4.1"
  },
  "cuda_nvcc" : {
    "version" : "12.4.131"
  }
}
"""
TOOLKIT = {
    f"{CUDA}/bin/nvcc": "",
    f"{CUDA}/version.json": VERSION_JSON,
    "/usr/local/cuda": Link("cuda-12.4"),
    "/usr/bin/gcc": Link("gcc-12"),
    "/usr/bin/gcc-12": Link("x86_64-linux-gnu-gcc-12"),
    "/usr/bin/x86_64-linux-gnu-gcc-12": "",
}


def test_the_default_toolkit_and_its_compiler_are_found(make: Make) -> None:
    facts = found(toolkit, make(TOOLKIT, {"PATH": "/usr/bin:/bin"}))
    assert facts.need(names.TOOLKIT_PATH) == "/usr/local/cuda"
    assert facts.need(names.TOOLKIT_VERSION) == Version("12.4.1")
    assert facts.need(names.HOST_COMPILER) == "gcc 12"


@pytest.mark.parametrize(
    "environ",
    [
        {"CUDA_HOME": "/opt/cuda/", "PATH": f"{CUDA}/bin"},
        {"CUDA_HOME": "/nowhere", "CUDA_PATH": "/opt/cuda"},
        {"PATH": f"/nowhere:/opt/cuda/bin:{CUDA}/bin"},
    ],
)
def test_a_build_takes_the_variable_then_the_path(make: Make, environ: dict[str, str]) -> None:
    files = {**TOOLKIT, "/opt/cuda/bin/nvcc": "", "/opt/cuda/version.txt": "CUDA Version 10.2.89\n"}
    facts = found(toolkit, make(files, environ))
    assert facts.need(names.TOOLKIT_PATH) == "/opt/cuda"
    assert facts.need(names.TOOLKIT_VERSION) == Version("10.2.89")


def test_the_runtimes_file_name_tells_the_release(make: Make) -> None:
    files = {"/opt/cuda/bin/nvcc": "", "/opt/cuda/lib64/libcudart.so.11.8.89": "",
             "/opt/cuda/lib64/libcudart.so.11.0": ""}  # fmt: skip
    facts = found(toolkit, make(files, {"CUDA_HOME": "/opt/cuda"}))
    assert facts.need(names.TOOLKIT_VERSION) == Version("11.8.89")


def test_a_toolkit_that_tells_no_release_is_unknown(make: Make) -> None:
    facts = found(toolkit, make({"/opt/cuda/bin/nvcc": ""}, {"CUDA_HOME": "/opt/cuda"}))
    assert isinstance(facts.fact(names.TOOLKIT_VERSION), Unknown)


def test_a_folder_without_nvcc_is_no_toolkit(make: Make) -> None:
    files = {"/usr/local/cuda/lib64/libcudart.so.12.4.127": ""}
    facts = found(toolkit, make(files, {"PATH": "/usr/bin"}))
    assert isinstance(facts.fact(names.TOOLKIT_PATH), Absent)
    assert isinstance(facts.fact(names.TOOLKIT_VERSION), Absent)
    assert isinstance(facts.fact(names.HOST_COMPILER), Unknown)


def test_a_compiler_without_a_number_is_known_by_its_folder(make: Make) -> None:
    files = {"/usr/local/cuda/bin/nvcc": "", "/usr/bin/gcc": "",
             "/usr/lib/gcc/x86_64-redhat-linux/11/cc1": ""}  # fmt: skip
    facts = found(toolkit, make(files, {"PATH": "/usr/bin"}))
    assert facts.need(names.HOST_COMPILER) == "gcc 11"


def test_of_two_folders_nobody_knows_which(make: Make) -> None:
    files = {"/usr/local/cuda/bin/nvcc": "", "/usr/bin/gcc": "",
             "/usr/lib/gcc/x86_64-redhat-linux/11/cc1": "",
             "/usr/lib/gcc/x86_64-redhat-linux/13/cc1": ""}  # fmt: skip
    facts = found(toolkit, make(files, {"PATH": "/usr/bin"}))
    assert isinstance(facts.fact(names.HOST_COMPILER), Unknown)


# -- conda -------------------------------------------------------------------------------------

SITE = "/opt/conda/envs/a/lib/python3.11/site-packages"
META = "/opt/conda/envs/a/conda-meta"


def test_what_conda_recorded_is_read_off_its_file_names(make: Make) -> None:
    files = {f"{META}/pytorch-2.1.0-py3.11_cuda12.1_cudnn8.9.2_0.json": "",
             f"{META}/pytorch-mutex-1.0-cuda.json": "", f"{META}/history": ""}  # fmt: skip
    facts = found(conda, make(files, search_path=(SITE,)))
    assert dict(facts) == {
        "package.torch.conda": Known(
            "2.1.0 py3.11_cuda12.1_cudnn8.9.2_0",
            f"{META}/pytorch-2.1.0-py3.11_cuda12.1_cudnn8.9.2_0.json",
        )
    }


def test_without_conda_nothing_is_said(make: Make) -> None:
    assert dict(found(conda, make(search_path=("/usr/lib/python3/dist-packages",)))) == {}
