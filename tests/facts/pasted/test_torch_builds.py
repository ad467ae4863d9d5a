"""The CUDA of PyTorch's build, as people write it beside its release."""

from __future__ import annotations

import pytest

from support.pasted import told


@pytest.mark.parametrize(
    ("line", "cuda"),
    [
        ("torch==2.5.1 (index cu121)", "12.1"),
        ("torch: 1.13.0 (pip, cu117)", "11.7"),
        ("pytorch 0.4.1, cuda92", "9.2"),
        ("torch: 1.2.0 (py3.7_cuda10.0.130_cudnn7.6.2_0)", "10.0"),
        ("torch 1.8.1 py3.8_cuda11.1_cudnn8.0.5_0, conda", "11.1"),
        ("- PyTorch version: 2.1.0 (CUDA 11.8)", "11.8"),
        ("torch: 2.1.0, built for CUDA 12.1", "12.1"),
        ("torch: nightly cu130", "13.0"),
        ("torch: cu118", "11.8"),
    ],
)
def test_the_build_stands_beside_the_release(line: str, cuda: str) -> None:
    assert str(told(line).get("package.torch.cuda")) == cuda


@pytest.mark.parametrize(
    "line",
    [
        "torch-scatter 2.0.4 (wheel for torch 1.4.0 cu101)",
        "torch: 2.0.1 (CUDA 11.7, and 11.8)",
        "torch 2.5 with cu124 instead of cu121",
        "torch 2.5, tried cu124",
        "torch 2.1.0 on a machine with 2 cuda devices",
        "it needs torch 2.5 (cu124)",
        "torch: 2.0.1 (cu117)\ntorch: 2.1.0 (cu118)",
    ],
)
def test_what_is_no_build_or_several_tells_none(line: str) -> None:
    assert "package.torch.cuda" not in told(line)
