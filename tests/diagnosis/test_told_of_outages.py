"""Machines and GPUs that go away while they compute, and tests that do not come back."""

from __future__ import annotations

import pytest

from support.cases import ruled

NONE = "RuntimeError: No CUDA GPUs are available\n"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
OLD = "RuntimeError: cuda runtime error (8) : invalid device function at THCTensorCopy.cu:204\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("The computer reboots by itself as soon as training starts on both GPUs", "power-thermal"),
        ("# machine powers off when both GPUs are under load", "power-thermal"),
        ("Whenever I start training, my computer shuts down immediately.", "power-thermal"),
        ("My PC shuts down a few seconds after I start training on a 3090", "power-thermal"),
        ("Random reboots during training with DataParallel", "power-thermal"),
        ("Running on both GPUs causes the whole system to reboot", "power-thermal"),
        ("一训练电脑就自动重启", "power-thermal"),
        ("nvidia-smi reports GPU 1 as lost after an hour", "device-lost"),
        ("nvidia-smi says that one of the cards is lost, and the screen is black", "device-lost"),
        ('then nvidia-smi lists a GPU as "lost"', "device-lost"),
        ("the all_reduce never returns on two GPUs, which show 100%", "nccl"),
        ("all_reduce test: both ranks say Init COMPLETE and then nothing happens", "nccl"),
        ("all_reduce_perf does not finish", "nccl"),
        ("DistributedDataParallel gets stuck in the forward pass with 2x 4090", "nccl"),
        ("CUDA out of memory: 22 GB are used by a zombie python process", "oom-other-process"),
        (SEES + "in the launcher:\n" + NONE, "hidden-by-visible-devices"),
        (OLD + "GPU: Nvidia GTX 860 M", "gpu-too-old"),
        (OLD + "Windows 10, GTX870 M", "gpu-too-old"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        ("After the machine reboots nvidia-smi fails during training setup", "unknown"),
        ("Do I have to install it again when the machine reboots before training?", "unknown"),
        ("The vllm server restarts when the model is loaded", "unknown"),
        ("You can restart the machine during training", "unknown"),
        ("The system restarts the worker when training crashes", "unknown"),
        ("The Jupyter kernel restarts when I start training", "unknown"),
        ("服务器重启后训练报错", "unknown"),
        ("nvidia-smi shows my GPU but the connection is lost", "unknown"),
        ("I updated nccl, but nothing changed", "unknown"),
        ("all_reduce does not return an error", "unknown"),
        ("How to avoid that DDP hangs when the inputs are uneven?", "unknown"),
        ("If DDP hangs, set NCCL_DEBUG=INFO", "unknown"),
        ("CUDA out of memory: 22 GB are used by the model", "oom-workload"),
        (SEES, "healthy"),
        (SEES + "inside Docker:\n" + NONE + "docker run --gpus all image", "unknown"),
    ],
)
def test_what_comes_near_is_left_alone(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict
