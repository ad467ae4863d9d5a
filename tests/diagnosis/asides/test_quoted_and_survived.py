"""A fault that is quoted, rehearsed or survived accuses no machine that is seen to work."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import explained, ruled

NOTHING = "unknown", "healthy"
LOST = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n"
OUT = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 39.42 GiB"
    " total capacity; 36.11 GiB already allocated; 1.20 GiB free; 37.05 GiB reserved in total by"
    " PyTorch)\n"
)
LISTED = "$ nvidia-smi -L\nGPU 0: Tesla T4 (UUID: GPU-1)\n"


@pytest.mark.parametrize(
    "introduced",
    ["In June I posted here:\n", "Yesterday's output was\n", "The manual says:\n"],
)
def test_what_is_quoted_is_a_note_where_the_broken_link_works(introduced: str):
    assert explained(f"{introduced}{LOST}\n{LISTED}") in NOTHING
    assert explained(f"{LISTED}{introduced}{LOST}") in NOTHING
    assert ruled(f"{introduced}{LOST}\n") == "device-lost"  # nothing is seen to work
    assert ruled(f"{introduced}{LOST}\n{LISTED}{LOST}") == "device-lost"  # it failed here, too
    assert ruled(f"{introduced}{OUT}\n{LISTED}") == "oom-workload"  # a list is no work


def test_a_quoted_fault_is_still_told():
    report = gpuprobe.explain(f"In June I posted here:\n{LOST}\n{LISTED}")
    assert "Told aside: " in report.text()
    assert "fallen off the bus" in report.text()
    assert report.diagnosis.root is None


ASSERT = "RuntimeError: CUDA error: device-side assert triggered\n"


def test_another_fault_remains():
    text = f"In June I posted here:\n{LOST}\n{LISTED}{ASSERT}"
    assert ruled(text) == "user-code"


STEPS = "step 100 loss 2.31 tokens/s 41877\nstep 200 loss 2.09 tokens/s 41902\n"


@pytest.mark.parametrize(
    "told",
    [
        "resumed from checkpoint 40\n",
        "goes down by halves until it fits\n",
        "it halves the batch until it fits\n",
        "-> batch size 16\n",
        "retrying with batch size 16\n",
        "The trial was requeued.\n",
    ],
)
def test_a_program_that_goes_on_has_survived(told: str):
    assert explained(f"{OUT}{told}{STEPS}") in NOTHING
    assert ruled(f"{STEPS}{told}{OUT}") == "oom-workload"  # it ended so
    assert ruled(f"{OUT}{told}") == "oom-workload"


def test_without_a_word_of_it_the_failure_counts():
    assert ruled(f"{OUT}{STEPS}") == "oom-workload"


def test_a_passed_test_provoked_it():
    suite = "============ test session starts ============\ncollected 5 items\n{}{}\n"
    passed = "============ 5 passed in 3.10s ============"
    failed = "============ 1 failed, 4 passed in 3.10s ============"
    assert explained(suite.format(ASSERT, passed)) in NOTHING
    assert ruled(suite.format(ASSERT, failed)) == "user-code"
    assert ruled(suite.format("", passed) + ASSERT) == "user-code"


def test_code_that_raises_did_not():
    raises = '    raise RuntimeError("CUDA out of memory.")\n'
    assert explained(f"def raise_fake():\n{raises}") in NOTHING
    assert ruled(f'  File "a.py", line 3, in f\n{raises}{OUT}') == "oom-workload"


def test_a_part_that_fails_is_no_passed_suite():
    lines = "tests/a.py::test_a PASSED\ntests/a.py::test_b FAILED\n"
    assert ruled(f"{lines}{ASSERT}Yesterday: 5 passed in 3.10s\n") == "user-code"


def test_who_has_another_error_now_has_not_solved_it():
    told = "Solved one error, now I get this one:\n"
    assert ruled(f"{told}{OUT}The other one runs:\n{STEPS}") == "oom-workload"


def test_xids_that_somebody_makes():
    assert ruled("Injected XID 79 via logger on the driver's pod\nXid 79 was found\n") == "unknown"
    assert ruled("the exporter keeps old errors (e.g., XID 31)\n") == "unknown"
    assert ruled(LOST) == "device-lost"


RENDERED = """{told} "CUDA error: Out of memory in cuMemAlloc" {behind}

I1218 15:02:10.244171 9120 device.cpp:177] Added device "NVIDIA GeForce RTX 2080 SUPER" with id \
"CUDA_NVIDIA GeForce RTX 2080 SUPER_0000:09:00".
I1218 15:02:10.250984 9120 device.cpp:89] Added OptiX device "NVIDIA GeForce RTX 2080 SUPER" with \
id "CUDA_NVIDIA GeForce RTX 2080 SUPER_0000:09:00_OptiX".
{below}
"""
SAVED = "Saved: 'D:\\render\\glass0001.png'"


@pytest.mark.parametrize(
    ("told", "behind", "below", "cause"),
    [
        ("I'd read", "threads where people get dark glass", SAVED, "healthy"),
        ("I have seen", "posts where others complain", SAVED, "healthy"),
        ("I'd read", "threads where people get dark glass", "", "oom-workload"),  # nothing came
        ("I get", "where people get an image", SAVED, "unknown"),
        ("I get", "where people get an image", "", "oom-workload"),
    ],
)
def test_what_stands_in_others_threads(told: str, behind: str, below: str, cause: str):
    assert ruled(RENDERED.format(told=told, behind=behind, below=below)) == cause
