"""What pip, uv and conda put in the place of a build that served the GPU."""

from __future__ import annotations

import pytest

from support.cases import ruled

SEES = '{}python -c "import torch; print(torch.cuda.is_available())"\n{}\n'
ON_WINDOWS = SEES.format("PS C:\\work> ", False)
ON_LINUX = SEES.format("$ ", False)
TAKEN = (
    "    Found existing installation: torch {0}\n    Uninstalling torch-{0}:\n"
    "      Successfully uninstalled torch-{0}\n"
)
DONE = "Successfully installed accelerate-0.30.0 torch-{}\n"
SUPERSEDED = (
    "  pytorch  pytorch::pytorch-1.10.0-py3.9_cuda11.3_cudnn8.2.0_0 --> "
    "pkgs/main::pytorch-1.10.2-cpu_py39hfa7516b_0\n"
)
SERVED = "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_75 sm_86 sm_90.\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (TAKEN.format("2.1.0+cu121") + DONE.format("2.3.0") + ON_WINDOWS, "cpu-only-build"),
        (DONE.format("2.1.0+cu121") + DONE.format("2.3.0") + ON_WINDOWS, "cpu-only-build"),
        (" - torch==2.6.0+cu124\n + torch==2.6.0+cpu\n" + ON_LINUX, "cpu-only-build"),
        (SUPERSEDED + ON_LINUX, "cpu-only-build"),
        (
            "I uninstalled torch 2.1.0+cu121 and have torch 2.1.0+cpu now\n" + ON_LINUX,
            "cpu-only-build",
        ),
        ("my list says pytorch 1.12.1 py3.9_cpu_0 pytorch\n" + ON_LINUX, "cpu-only-build"),
        ("torch.version.cuda None\ntorch.cuda.is_available() False", "cpu-only-build"),
        (SERVED + "If you want to use the RTX 5080 GPU with PyTorch, please", "gpu-too-new"),
        (TAKEN.format("2.0.1+cpu") + DONE.format("2.0.1+cu118") + ON_LINUX, "unknown"),
        (DONE.format("2.3.0+cpu") + DONE.format("2.3.0+cu121") + ON_LINUX, "unknown"),
        ("- torch==2.6.0+cu124\n- numpy==1.26\n" + ON_LINUX, "unknown"),
        (SERVED + "If you want to use the RTX 3080 GPU with PyTorch, please", "unknown"),
    ],
)
def test_what_was_put_there_last_is_what_there_is(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause
