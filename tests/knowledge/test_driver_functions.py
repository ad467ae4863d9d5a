"""With which CUDA a function of libcuda came."""

from __future__ import annotations

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge.driver_functions import (
    arrived,
    changed,
    first_cuda,
    first_driver,
)
from gpuprobe.knowledge.tables import load


@pytest.mark.parametrize(
    ("function", "cuda"),
    [
        ("cuMemAllocAsync", "11.2"),
        ("cuMemAllocAsync_ptsz", "11.2"),
        ("cuGetProcAddress_v2", "11.3"),
        ("cuTensorMapEncodeTiled", "12.0"),
        ("cuTensorMapEncodeIm2colWide", "12.8"),
    ],
)
def test_a_function_and_its_later_forms_came_with_a_cuda(function: str, cuda: str):
    assert first_cuda(function) == Version(cuda)


@pytest.mark.parametrize("function", ["cuInit", "cuCtxCreate_v2", "cudaMalloc", "cuNothing"])
def test_what_is_older_or_no_function_of_the_driver_has_none(function: str):
    assert first_cuda(function) is None


@pytest.mark.parametrize(
    ("function", "driver"),
    [
        ("nvmlInit_v2", "319"),
        ("nvmlDeviceGetMigMode", "450"),
        *(("nvmlInit", None), ("nvmlInit_v3", None), ("cuInit", None)),
    ],
)
def test_a_function_of_nvml_came_with_a_branch_of_drivers(function: str, driver: str | None):
    assert first_driver(function) == (driver and Version(driver))


def test_no_function_came_twice():
    names = [name for row in load("driver_functions").section("functions")
             for name in row.texts("names")]  # fmt: skip
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("told", "name", "cuda", "last"),
    [
        ("cuCtxCreate_v4", "cuCtxCreate", "13.0", "12.9"),
        ("memoryClockRate", "memoryClockRate", "13.0", "12.9"),
        ("texture", "texture", "12.0", "11.8"),
    ],
)
def test_what_sources_use_changed_with_a_cuda(told: str, name: str, cuda: str, last: str):
    assert changed(told) == (name, Version(cuda), Version(last))


def test_what_did_not_change_has_no_cuda():
    assert changed("cuInit") is None
    assert changed("") is None


@pytest.mark.parametrize(
    ("name", "cuda", "alone"),
    [
        ("__ballot_sync", "9.0", True),
        ("cudaMallocAsync", "11.2", True),
        ("__nv_bfloat16", "11.0", False),
        ("__match_any_sync", "9.0", False),
        ("cuMulticastCreate", "12.1", False),
    ],
)
def test_a_name_that_sources_use_came_with_a_cuda(name: str, cuda: str, alone: bool):
    assert arrived(name) == (Version(cuda), alone)


def test_an_older_name_came_with_none():
    assert arrived("__syncthreads") is None
    assert arrived("") is None
