"""Fixes by what the text tells of the machine: its containers, its system, its releases."""

from __future__ import annotations

import pytest

from gpuprobe import explain


def fix_of(pasted: str) -> str:
    root = explain(pasted).diagnosis.root
    assert root is not None
    fix = root.finding.fix
    return " ".join((fix.text, *fix.commands, fix.undo or ""))


REFUSED = "{}LD_LIBRARY_PATH=/usr/local/cuda/compat\nError 804: forward compatibility was attempted"
REFUSED += " on non supported HW\nCUDA error"


def test_image_brings_the_library_that_is_refused() -> None:
    assert "In a container the image brings" in fix_of(REFUSED.format("Environment: docker\n"))
    assert "/etc/ld.so.conf.d" in fix_of(REFUSED.format(""))


NO_JAXLIB = "{}Python 3.10\nERROR: No matching distribution found for jaxlib==0.4.9+cuda12.cudnn88"


def test_windows_has_no_jax_with_cuda() -> None:
    assert "inside WSL 2" in fix_of(NO_JAXLIB.format("Windows 11\n"))
    linux = explain(NO_JAXLIB.format("Ubuntu 22.04\n")).diagnosis.root
    assert linux is None or "Windows" not in linux.finding.title


LOADED = "Loaded runtime CuDNN library: {} but source was compiled with: {}."


@pytest.mark.parametrize(
    ("loaded", "compiled", "later"),
    [("8.1.1", "8.6.0", True), ("8.9.0", "8.6.0", False), ("7.1.3", "7.0.5", False)],
)
def test_what_was_refused_is_not_advised(loaded: str, compiled: str, later: bool) -> None:
    pasted = f"tensorflow 2.11\ncuDNN: {loaded}\n" + LOADED.format(loaded, compiled)
    assert ("or a later minor version" in fix_of(pasted)) is later


def test_cudnn_8_by_apt_is_there_for_two_cudas() -> None:
    missing = (
        "OS: Ubuntu 22.04\ncuDNN: 9.2\nCould not load library libcudnn_ops_infer.so.8. Error:"
        " libcudnn_ops_infer.so.8: cannot open shared object file: No such file or directory"
    )
    assert "libcudnn8=*+cuda11.*" in fix_of(missing)
    assert "libcudnn8" not in fix_of(missing.replace("Ubuntu 22.04", "CentOS 7"))


def test_half_that_is_apexs() -> None:
    assert "NVIDIA/apex" in fix_of("torch 1.10\nModuleNotFoundError: No module named 'amp_C'")
    assert "NVIDIA/apex" in fix_of("No module named 'fused_layer_norm_cuda'")
    assert "apex" not in fix_of("No module named 'mmcv._ext'")


def test_nightly_build_goes_back_to_its_own_index() -> None:
    pasted = (
        "torch {}\nNVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the"
        " current PyTorch installation."
    )
    assert "whl/nightly/cu124" in fix_of(pasted.format("2.7.0.dev20250310+cu124"))
    assert "whl/cu124" in fix_of(pasted.format("2.6.0+cu124"))


def test_a_library_that_is_missing_has_no_tick() -> None:
    text = str(
        explain(
            "Is CUDA available: True\n"
            "libcudart.so.10.1: cannot open shared object file: No such file or directory"
        )
    )
    assert "✓ CUDA libraries" not in text


def test_driver_for_a_gpu_that_distributions_may_not_know_yet() -> None:
    missing = "Debian GNU/Linux 12 (bookworm)\nGPU: {}\nbash: nvidia-smi: command not found"
    new = fix_of(missing.format("NVIDIA GeForce RTX 5060"))
    assert "NVIDIA driver 570 or newer" in new
    assert "https://www.nvidia.com/drivers" in new
    assert "or newer" not in fix_of(missing.format("NVIDIA GeForce RTX 3060"))


def test_cudnn_of_the_torch_that_is_there() -> None:
    missing = "torch=={}\nImportError: libcudnn.so.9: cannot open shared object file: No such file"
    assert "nvidia-cudnn-cu12>=9" in fix_of(missing.format("2.9.1"))
    assert "nvidia-cudnn-cu12>=9" not in fix_of(missing.format("1.13.1"))  # of cuDNN 8
