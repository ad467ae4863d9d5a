"""A program that goes on beside a GPU that is named, where nothing else is told."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

_STEP = "[epoch 3] step 1200 loss 1.842 it/s 4.61\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"TITAN X\n{_STEP}", "healthy"),
        (_STEP, "unknown"),
        ("TITAN X\n", "unknown"),
        (f"TITAN X\n{_STEP}It is very slow.\n", "unknown"),
        (f"TITAN X\n{_STEP}Then the machine hangs.\n", "unknown"),
        (f"TITAN X\n{_STEP}Then the machine shuts down.\n", "unknown"),
        (f"TITAN X\n{_STEP}Killed\n", "unknown"),
        (f"TITAN X\n{_STEP}My friend's card needs a tenth. What is wrong with mine?\n", "unknown"),
        (f"2x TITAN X\n{_STEP}the second sits at 0%\n", "unknown"),
        (f"TITAN X\n{_STEP}ollama ps shows 100% CPU\n", "unknown"),
        (f"MacBook M2, no TITAN X here\n{_STEP}", "unknown"),
        (f"TITAN X\n{_STEP}My GPU is not used.\n", "unknown"),
        (f"TITAN X\nRunning on cpu\n{_STEP}", "unknown"),
        (f"TITAN X\n{_STEP}NVRM: GPU at PCI:0000:01:00 has fallen off the bus.", "device-lost"),
    ],
)
def test_only_work_beside_a_gpu_without_any_complaint_is_healthy(pasted: str, cause: str):
    assert ruled(pasted) == cause


def test_the_verdict_names_the_line_and_the_gpu():
    proof = gpuprobe.explain(f"TITAN X\n{_STEP}").diagnosis.proof
    assert proof is not None
    assert "goes on with its work" in proof.sentence
    assert "TITAN X" in proof.sentence
    assert proof.source == "line 2 of the text"


_DISK_FULL = "OSError: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    ("pasted", "named"),
    [
        (f"TITAN X\n{_STEP}{_DISK_FULL}", True),
        (f"TITAN X\n{_STEP}", False),
        (f"TITAN X\n{_DISK_FULL}{_STEP}", False),
        (f"TITAN X\n>>> torch.cuda.is_available()\nTrue\n{_DISK_FULL}", True),
        (f"{_DISK_FULL}>>> torch.cuda.is_available()\nTrue\n", False),
    ],
)
def test_an_error_below_what_works_is_named(pasted: str, named: bool):
    report = gpuprobe.explain(pasted)
    assert report.verdict.value == "healthy"
    printed = " ".join(str(report).split())
    assert ("known errors: OSError: [Errno 28] No space left on device." in printed) is named
    assert "nothing fails" not in printed


@pytest.mark.parametrize(("count", "gpus"), [(1, "1 GPU"), (2, "2 GPUs")])
def test_what_nvidia_smi_lists_is_counted(count: int, gpus: str):
    row = "GPU {0}: NVIDIA A100-SXM4-40GB (UUID: GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f1{0})\n"
    proof = gpuprobe.explain(
        "$ nvidia-smi -L\n" + "".join(map(row.format, range(count)))
    ).diagnosis.proof
    assert proof is not None
    assert proof.sentence == f"the driver answers and lists {gpus}"
