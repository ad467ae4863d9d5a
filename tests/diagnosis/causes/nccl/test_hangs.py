"""A run that stands still on several GPUs, in the words of people."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Confidence
from support.cases import ruled
from support.pasted import finding


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The multi-gpu DataParallel tutorial hangs for good, kill -9 can't end it.", "nccl"),
        ("Training freezes when I use more than one GPU; with one it runs.", "nccl"),
        ("With two GPUs the training hangs after the first epoch.", "nccl"),
        ("It no longer hangs with multiple GPUs.", "unknown"),
        ("It doesn't hang on 2 GPUs.", "unknown"),
        ("The data loader hangs; DataParallel is not used.", "unknown"),
        ("With all GPUs the loss froze at 0.3.", "unknown"),
    ],
)
def test_work_that_stands_on_several_gpus(told: str, cause: str):
    assert ruled(f"GPU: several P40\n{told}\n") == cause


HANGS = "Training with DataParallel hangs for good on two P40.\n"


@pytest.mark.parametrize(
    ("told", "sure"),
    [
        ("With input_size 500 it goes through. With only one GPU as well.", True),
        ("On a single GPU everything works.", True),
        ("It works fine with one GPU.", True),
        ("Does it work with one GPU?", False),
        ("I work with one GPU.", False),
    ],
)
def test_what_hangs_on_several_gpus_goes_on_with_one(told: str, sure: bool):
    found = finding(HANGS + told)
    assert (found.confidence is Confidence.LIKELY) == sure, found.title


@pytest.mark.parametrize(
    "told", ["With one GPU it doesn't work either.", "It hangs with one GPU as well."]
)
def test_what_hangs_on_one_gpu_as_well_is_no_matter_of_several(told: str):
    assert ruled(HANGS + told) == "unknown"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("With one GPU it trains fine, with two it hangs at the first epoch.", "nccl"),
        ("Training works on a single GPU but hangs on 2 GPUs.", "nccl"),
        ("If I use more than one GPU the training freezes; one GPU is fine.", "nccl"),
        ("num_gpus=1 works, but with num_gpus=2 it gets stuck at step 0", "nccl"),
        ("Single-card training runs normally, multi-card training hangs", "nccl"),
        ("With a single card it trains normally, with 2 or 3 it freezes.", "nccl"),
        ("With one GPU it trains fine, with two it is not twice as fast.", "unknown"),
        ("With one GPU it hangs, with two it works", "unknown"),
        ("It used to hang with two GPUs, now one GPU works and two as well", "unknown"),
        ("Does it hang with two GPUs if one GPU works?", "unknown"),
    ],
)
def test_a_program_goes_on_with_one_gpu_alone(told: str, cause: str) -> None:
    assert ruled(f"2x RTX A6000\n{told}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("--tensor-parallel-size 2 hangs at startup. --tensor-parallel-size 1 works fine.", "nccl"),
        ("With 2 GPUs training freezes; on a single GPU it trains without problems.", "nccl"),
        ("DDP on four A100 gets stuck.\nIt works with one GPU.", "nccl"),
        ("With both GPUs llama.cpp hangs while loading. Either card alone is fine.", "nccl"),
        ("It hangs in some call that has to do with nccl.", "nccl"),
        # One alone stands as well, nobody knows of one alone, or something else fails.
        ("It hangs on a single GPU as well. With two GPUs it hangs too.", "unknown"),
        ("With two GPUs it hangs. On one GPU it does not work either.", "unknown"),
        ("Why does it get stuck with two GPUs? On one GPU it works.", "unknown"),
        ("With 2 GPUs it hangs.\nRuntimeError: CUDA out of memory.\nOn one GPU it works.",
         "oom-workload"),
    ],
)  # fmt: skip
def test_a_run_that_stands_on_several_gpus_and_goes_on_one_each(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "h:9:9 [0] NCCL INFO Bootstrap : Using eno1:10.0.0.1<0>\nIt hangs after the "
                "last line.\n"
            ),
            "nccl",
        ),
        ("It stops here and never moves on:\nx:25:223 [0] NCCL INFO rank 0 nranks 3\n", "nccl"),
        ("It stops here and never moves on:\nEpoch 1/24\n", "unknown"),
        (
            (
                "h:9:9 [0] NCCL INFO Bootstrap : Using eno1:10.0.0.1<0>\nAll is well after the "
                "last line.\n"
            ),
            "unknown",
        ),
        ("SSL pretraining hangs, one node, 4 GPUs.\n", "nccl"),
        ("vLLM, two GPUs; it hangs\n", "nccl"),
        ("vLLM, two GPUs; it works\n", "unknown"),
    ],
)
def test_a_run_that_stops_where_nccl_has_begun(text: str, cause: str):
    assert ruled(text) == cause
