"""What is to be run names a package that pip knows, and a program that the system has."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.fixes.extensions import rebuild_extension
from gpuprobe.diagnosis.fixes.framework import undo_of

INSTALL = "pip install --force-reinstall --no-cache-dir --no-build-isolation --no-deps {}"


@pytest.mark.parametrize(
    ("extension", "package"),
    [
        ("flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so", "flash-attn"),
        ("flash_attn_2_cuda", "flash-attn"),
        ("torch_scatter", "torch-scatter"),
        ("libpyg.so", "pyg-lib"),
    ],
)
def test_a_module_is_named_by_its_package(extension: str, package: str):
    assert rebuild_extension(extension, "torch 2.3").commands == (INSTALL.format(package),)


@pytest.mark.parametrize(
    "extension",
    ["deform_conv_cuda.cpython-37m-x86_64-linux-gnu.so", "sgl_kernel", "the extension"],
)
def test_nothing_is_run_for_what_pip_does_not_know(extension: str):
    assert rebuild_extension(extension, None).commands == ()


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("Could not load dynamic library 'cudart64_101.dll'", "where cudart64_101.dll"),
        ("Could not load dynamic library 'cublas64_10.dll'", "where cublas64_10.dll"),
        ("Could not load dynamic library 'libcudart.so.10.1'", "ldconfig -p | grep libcudart"),
    ],
)
def test_a_dll_is_looked_for_as_on_windows(missing: str, command: str):
    root = gpuprobe.explain(f"{missing}; dlerror: not found\n").diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert command in root.finding.fix.commands


def test_pip_brings_back_what_is_its_own():
    assert undo_of("cupy", "13.6.0") == "pip install cupy==13.6.0"
    assert undo_of("cuda-jl", "5.8.3") is None
