"""A fault that somebody made, or only simulated, accuses no machine."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

FAULTY = """{told}
$ compute-sanitizer ./demo
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     Address 0x7f1d58c00001 is misaligned
========= ERROR SUMMARY: 3 errors
"""
REPAIRED = """
$ compute-sanitizer ./repaired
========= COMPUTE-SANITIZER
{found}
========= ERROR SUMMARY: {errors}
"""
PURPOSE = "The example is faulty on purpose."
NO_CALL = "========= Error: Target application terminated before first instrumented API call"


@pytest.mark.parametrize(
    ("told", "below", "cause"),
    [
        (PURPOSE, REPAIRED.format(found="Sync: no error", errors="0 errors"), "healthy"),
        (
            "A deliberately broken kernel:",
            REPAIRED.format(found="Sync: no error", errors="0 errors"),
            "healthy",
        ),
        # Nothing is seen to work: no run, one with faults, one that never called CUDA.
        (PURPOSE, "", "user-code"),
        (PURPOSE, REPAIRED.format(found="", errors="1 error"), "user-code"),
        (PURPOSE, REPAIRED.format(found=NO_CALL, errors="0 errors"), "user-code"),
        # Valgrind's last line is another one.
        (PURPOSE, "==12== ERROR SUMMARY: 0 errors from 0 contexts\n", "user-code"),
        # Whose fault it was, nobody says.
        ("My kernel:", REPAIRED.format(found="", errors="0 errors"), "unknown"),
        ("It is not faulty by accident", REPAIRED.format(found="", errors="0 errors"), "unknown"),
    ],
)
def test_a_kernel_that_is_to_fail(told: str, below: str, cause: str) -> None:
    assert ruled(FAULTY.format(told=told) + below) == cause


def test_another_fault_is_none_the_less_one() -> None:
    text = FAULTY.format(told=PURPOSE) + REPAIRED.format(found="", errors="0 errors")
    lost = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n"
    assert ruled(text + lost) == "device-lost"


HIDDEN_FOR_A_TRIAL = """{told}
$ CUDA_VISIBLE_DEVICES= python -c "import torch; print(torch.cuda.is_available())"
False
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The new case, simulated by hiding the card for one process:", "unknown"),
        ("I simulate it by hiding all GPUs:", "unknown"),
        ("The card is simulated in a game:", "hidden-by-visible-devices"),
        ("It prints:", "hidden-by-visible-devices"),
    ],
)
def test_a_gpu_that_is_hidden_to_see_what_happens(told: str, cause: str) -> None:
    assert ruled(HIDDEN_FOR_A_TRIAL.format(told=told)) == cause


def test_what_is_simulated_is_still_told() -> None:
    report = gpuprobe.explain(HIDDEN_FOR_A_TRIAL.format(told="Simulated by hiding the card:"))
    assert report.diagnosis.root is None
    assert "Told to be simulated: " in report.text()


def test_a_simulation_mends_no_build() -> None:
    text = HIDDEN_FOR_A_TRIAL.format(told="Simulated by hiding the card:")
    failed = "RuntimeError: CUDA error: device-side assert triggered\n"
    assert ruled(text + failed) != "unknown"
