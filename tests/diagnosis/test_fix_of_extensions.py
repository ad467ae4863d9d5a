"""What is to be run for a compiled extension names a package that pip knows, or nothing is."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.packages import rebuild_extension

INSTALL = "pip install --force-reinstall --no-build-isolation --no-deps {}"


@pytest.mark.parametrize(
    ("extension", "package"),
    [
        ("flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so", "flash-attn"),
        ("flash_attn_2_cuda", "flash-attn"),
        ("torch_scatter", "torch-scatter"),
        ("xformers", "xformers"),
    ],
)
def test_a_module_is_named_by_its_package(extension: str, package: str):
    assert rebuild_extension(extension, "torch 2.3").commands == (INSTALL.format(package),)


@pytest.mark.parametrize(
    "extension",
    ["deform_conv_cuda.cpython-37m-x86_64-linux-gnu.so", "apex", "detectron2", "the extension"],
)
def test_nothing_is_run_for_what_pip_does_not_know(extension: str):
    assert rebuild_extension(extension, None).commands == ()
