"""Forms without a message, boards, solvers of conda, hosts of Singularity; each with its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

WINDOWS = "TensorFlow version: {}\nOS: {}\nGPU model and memory: RTX 3060 12 GB\n{}"
JETSON = "JetPack Version: 6.0, L4T 36.3.0\n{}>>> torch.cuda.is_available()\nFalse\n"
SMI = "| NVIDIA-SMI 440.33.01    Driver Version: 440.33.01    CUDA Version: 10.2     |\n"
HEALTH = "ERROR [[Health]] Detected a WARNING: 'Detected {} due to {} violation in GPU 2.'"
PLAN = "  {0}  conda-forge/linux-64::{0}-{1}-h6406543_6\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (WINDOWS.format("2.16", "Windows 11", ""), "cpu-only-build"),
        (
            (
                "TensorFlow version\n2.18.0\n\nOS platform and distribution\nWindows 11\n"
                "GPU model and memory\nRTX 4080\n"
            ),
            "cpu-only-build",
        ),
        (JETSON.format(""), "cpu-only-build"),
        (SMI + PLAN.format("cudatoolkit", "11.1.1"), "driver-too-old"),
        (SMI + "  └─ __cuda >=11.4 *, which is missing on the system.", "driver-too-old"),
        (
            "error    libmamba nothing provides __cuda >=11.8 needed by tensorflow-2.12.1-cuda118",
            "driver-missing",
        ),
        ("WARNING: Could not find any nv files on this host!", "driver-missing"),
        ("INFO:    Could not find any NVIDIA binaries on this host!", "driver-missing"),
        (HEALTH.format("clocks event", "thermal"), "power-thermal"),
        (HEALTH.format("clock throttling", "power"), "power-thermal"),
    ],
)
def test_cause_is_named(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        WINDOWS.format("2.10.1", "Windows 11", ""),  # the last release with a GPU there
        WINDOWS.format("2.16", "Ubuntu 22.04", ""),
        WINDOWS.format("2.16", "Windows 11 (WSL2)", ""),
        WINDOWS.format("2.16", "Windows 11", "Torch: 2.3.0"),  # which of the two is it about?
        "TensorFlow version: 2.16\nOS: Windows 11\n",  # nobody speaks of a GPU
        JETSON.format("torch 2.1.0a0+41361538.nv23.06\n"),  # NVIDIA's own build
        SMI + PLAN.format("cudatoolkit", "10.2.89"),
        "       virtual packages : __cuda=12.2=0",
        "INFO: Could not find any libraries on this host!",
        HEALTH.format("a license", "policy"),
        "TensorFlow version\n\n\n2.18.0\n",
    ],
)
def test_kin_of_these_texts_names_no_such_cause(pasted: str):
    assert ruled(pasted) in ("unknown", "healthy")
