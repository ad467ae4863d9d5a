"""Results that are no numbers, two versions of a driver, a runtime that TensorFlow did not find."""

from __future__ import annotations

import pytest

from support.cases import ruled

LOADED = "libcuda reported version is: {}\nkernel reported version is: {}"
STUB = "InternalError: cudaGetDevice() failed. Status: cudaGetErrorString symbol not found."


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("tensorflow: 1.15\nGPU: RTX 3090\nLoss is inf. : Tensor had NaN values", "gpu-too-new"),
        ("torch==1.4.0+cu101\nGPU: RTX 3090\ng_loss: nan", "gpu-too-new"),
        ("GPU: GTX 1070\nCUDA 7.5\nthe outputs are all nan", "gpu-too-new"),
        (LOADED.format("450.142.0", "450.66.0"), "driver-library-mismatch"),
        (f"cuda: 10.1\n{STUB}", "framework-cuda-mismatch"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("torch==2.1.0+cu121\nGPU: RTX 3090\nloss: nan", "unknown"),
        ("torch==1.13.1+cu117\nGPU: RTX 4090\nloss: nan", "unknown"),
        ("torch==1.4.0+cu101\nloss: nan", "unknown"),
        ("torch==1.4.0+cu101\nGPU: RTX 3090\nthe loss is not nan", "unknown"),
        (LOADED.format("450.142.0", "418.67.0"), "unknown"),
        (LOADED.format("450.66.0", "450.66.0"), "unknown"),
        ("cudaGetDevice() failed. Status: symbol table not found", "unknown"),
    ],
)
def test_kin_names_none(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause
