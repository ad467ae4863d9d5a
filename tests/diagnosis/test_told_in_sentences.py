"""Faults that somebody tells in a sentence: they decide where a text states nothing else."""

from __future__ import annotations

import pytest

from support.cases import ruled

REPORT = "I have a problem with my new machine.\n"


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("nvidia-smi works on the host but not inside the docker container.", "container-no-gpu"),
        ("Docker container cannot access the GPU", "container-no-gpu"),
        ("My container doesn't detect the GPU, while the host does", "container-no-gpu"),
        ("GPU isn't being passed through to the container", "container-no-gpu"),
        ("the pods can't see the GPU of the node", "container-no-gpu"),
        ("The device plugin did not register the GPUs", "container-no-gpu"),
        ("CUDA is not available inside the container", "container-no-gpu"),
        ("docker GPU passthrough not working", "container-no-gpu"),
        ("nvidia-smi only works with sudo", "device-nodes"),
        ("GPU disappears from the container after systemctl daemon-reload", "device-nodes"),
        ("/dev/nvidia-uvm is missing until I run nvidia-modprobe", "device-nodes"),
        ("After a kernel upgrade the nvidia driver stopped working", "driver-not-loaded"),
        ("kernel update broke nvidia driver", "driver-not-loaded"),
        ("nouveau is loaded instead of nvidia", "driver-not-loaded"),
        ("Secure boot prevents the nvidia module from loading", "driver-not-loaded"),
        ("lsmod shows no nvidia modules", "driver-not-loaded"),
        ("nvidia-smi can't communicate with the driver", "driver-not-loaded"),
        ("It turned out that the nvidia driver was not installed", "driver-missing"),
        ("The host has no nvidia driver", "driver-missing"),
        ("The NVIDIA drivers disappeared after the update", "driver-missing"),
        ("nvidia-smi does not exist", "driver-missing"),
        ("one of the GPUs disappeared from nvidia-smi", "device-lost"),
        ("only 7 of 8 GPUs are detected", "device-lost"),
        ("gpu-1-8 came up short a GPU", "device-lost"),
        (
            "`CUDA_VISIBLE_DEVICES=$0 ./demo.py` says: no CUDA-capable device is detected",
            "hidden-by-visible-devices",
        ),
        ("The graphics card is no longer in the device manager", "device-lost"),
        ("my NVIDIA driver is too old for it", "driver-too-old"),
        ("driver and library version mismatch after apt upgrade", "driver-library-mismatch"),
        ("the fabricmanager version doesn't match the driver version", "fabric-manager"),
        ("MIG mode enabled but no instances created", "mig"),
        ("WSL2 cannot see the GPU", "wsl"),
        ("GPU memory is still occupied after the process was killed", "oom-other-process"),
        ("After the job was killed the GPU memory is not released", "oom-other-process"),
    ],
)
def test_cause_is_named(sentence: str, cause: str) -> None:
    assert ruled(REPORT + sentence) == cause


@pytest.mark.parametrize(
    "sentence",
    [
        "Docker Engine does not natively support NVIDIA GPUs with containers.",
        "The docker build does not get access to the GPU, so kernels are compiled before",
        "Fixed that containers no longer use GPU 0 by default",
        "The tests are skipped because there is no nvidia-smi on CI",
        "nvidia drivers are not installed in the image; the host provides them",
        "NVIDIA drivers are not installed by this script.",
        "This program works on machines with no NVIDIA drivers installed",
        "If the container does not see the GPU, start it with --gpus all",
        "Does the container not see the GPU?",
        "Docker can't find the image nvidia/cuda:12.0-base",
        "the docker container can not find the CUDA headers",
        "the pods do not use GPU sharing",
        "If the process is killed, GPU memory is not released",
        "memory is still allocated for the cache, the program runs on",
        "The container does not get enough shared memory, GPU utilization is low",
        "The GPU worker does not exit inside the container",
        "Nouveau is loaded by default on Ubuntu",
        "lsmod shows nvidia and no nvidia_fs",
        "nvidia-apex does not build",
        "NVIDIA DALI fails to build from source with gcc 13",
        "The user is not in the video group of the meeting",
        "the card is missing from the deck",
        "we are short of GPU time",
        "`CUDA_VISIBLE_DEVICES=$0 ./demo.py` prints the help",
    ],
)
def test_advice_and_kin_name_no_cause(sentence: str) -> None:
    assert ruled(REPORT + sentence) == "unknown"


def test_sentence_of_nobody_decides_nothing() -> None:
    assert ruled("Docker container cannot access the GPU") == "unknown"


def test_words_of_a_program_decide_before_a_sentence() -> None:
    words = "AssertionError: Torch not compiled with CUDA enabled"
    text = f"{REPORT}My container cannot access the GPU\n{words}"
    assert ruled(text) == "cpu-only-build"


def test_sentence_beside_a_proof_is_no_alarm() -> None:
    text = REPORT + "My container doesn't detect the GPU.\n>>> torch.cuda.is_available()\nTrue"
    assert ruled(text) == "healthy"
