"""Error codes: the table against itself and, where they are, against the vendor's headers."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import re
import shutil
from pathlib import Path

import pytest

from gpuprobe.knowledge import errors
from gpuprobe.knowledge.tables import load


def header(name: str) -> str:
    """The text of a vendor's header, from a toolkit or from its package; skips without one."""
    nvcc = shutil.which("nvcc")
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    roots += [str(Path(nvcc).resolve().parents[1])] if nvcc else []
    candidates = [Path(root) / "include" / name for root in roots if root]
    for package in ("nvidia-cuda-runtime", "nvidia-nvml-dev"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            files = importlib.metadata.files(package) or []
            candidates += [Path(str(file.locate())) for file in files if file.name == name]
    for found in candidates:
        if found.is_file():
            return found.read_text(encoding="utf-8", errors="replace")
    pytest.skip(f"neither a toolkit nor a package with {name} is installed")


def assert_like_header(api: errors.Api, pattern: str, text: str) -> None:
    declared = {m[1]: int(m[2]) for m in re.finditer(pattern, text, re.MULTILINE)}
    assert declared
    known = {found.name: found.code for found in errors.codes(api)}
    assert {name: known.get(name) for name in declared} == declared


def test_driver_codes_are_those_of_cuda_h():
    text = header("cuda.h")
    assert_like_header("driver", r"^\s+(CUDA_(?:ERROR_\w+|SUCCESS))\s*=\s*(\d+)", text)


def test_runtime_codes_are_those_of_driver_types_h():
    text = header("driver_types.h")
    assert_like_header("runtime", r"^\s+(cuda(?:Error\w+|Success))\s+=\s+(\d+)", text)


def test_nvml_codes_are_those_of_nvml_h():
    assert_like_header("nvml", r"^\s+(NVML_(?:ERROR_\w+|SUCCESS))\s*=\s*(\d+)", header("nvml.h"))


@pytest.mark.parametrize("api", ["driver", "runtime", "nvml", "cudnn", "cublas"])
def test_codes_are_unique_but_for_success(api: errors.Api):
    numbers = [found.code for found in errors.codes(api) if found.code != 0]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("section", ["cuda", "nvml", "cublas"])
def test_sections_are_sorted_by_code(section: str):
    numbers = [row.integer("code") for row in load("errors").section(section)]
    assert numbers == sorted(numbers)


def test_the_codes_of_both_cudnn_majors_do_not_meet():
    by_major = {
        major: {found.code for found in errors.codes("cudnn") if found.major == major}
        for major in (8, 9)
    }
    assert by_major[8] & by_major[9] == {0}


def test_every_setup_code_has_a_meaning():
    for api in ("driver", "runtime", "nvml", "cudnn", "cublas"):
        for found in errors.codes(api):
            assert found.meaning or not found.setup, found


@pytest.mark.parametrize(
    ("api", "code", "name"),
    [
        ("driver", 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
        ("runtime", 803, "cudaErrorSystemDriverMismatch"),
        ("runtime", 35, "cudaErrorInsufficientDriver"),
        ("nvml", 18, "NVML_ERROR_LIB_RM_VERSION_MISMATCH"),
        ("cudnn", 1002, "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"),
        ("cudnn", 8, "CUDNN_STATUS_EXECUTION_FAILED"),
        ("cublas", 1, "CUBLAS_STATUS_NOT_INITIALIZED"),
    ],
)
def test_a_code_has_its_name(api: errors.Api, code: int, name: str):
    found = errors.by_code(api, code)
    assert found is not None
    assert found.name == name
    assert found in errors.by_name(name)


def test_a_code_that_one_interface_lacks_is_none_there():
    """35 is the run time's alone; the driver has nothing by that number."""
    assert errors.by_code("driver", 35) is None
    assert errors.by_code("nvml", 803) is None


def test_a_name_that_both_cudnn_majors_use_gives_both():
    found = errors.by_name("CUDNN_STATUS_EXECUTION_FAILED")
    assert {(each.major, each.code) for each in found} == {(8, 8), (9, 5000)}


def test_an_old_name_leads_to_the_new_code():
    codes = {(each.major, each.code) for each in errors.by_name("CUDNN_STATUS_ARCH_MISMATCH")}
    assert (9, 3007) in codes


def test_names_are_found_in_any_case_and_not_by_their_start():
    assert errors.by_name("cuda_error_no_device")[0].code == 100
    assert errors.by_name("CUDA_ERROR_NO") == ()


def test_set_up_codes_and_users_own_codes():
    mismatch, assertion = errors.by_code("driver", 803), errors.by_code("driver", 710)
    assert mismatch is not None
    assert assertion is not None
    assert (mismatch.setup, assertion.setup) == (True, False)
