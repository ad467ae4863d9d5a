"""Machines without a card of NVIDIA's, as people tell of them in passing."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "On my laptop (it doesn't have a GPU) it ends.\nRuntimeError: No CUDA GPUs are "
                "available\n"
            ),
            "no-nvidia-gpu",
        ),
        (
            (
                "On an EC2 instance (without a GPU) it ends.\nRuntimeError: No CUDA GPUs are "
                "available\n"
            ),
            "no-nvidia-gpu",
        ),
        (
            (
                "I have an AMD CPU and no longer have a GPU in the server.\nRuntimeError: No "
                "CUDA GPUs are available\n"
            ),
            "no-nvidia-gpu",
        ),
        (
            "Display Adapter: Intel(R) Iris(R) Xe Graphics\nbut no CUDA devices available\n",
            "no-nvidia-gpu",
        ),
        ("I run an AMD card.\nRuntimeError: No CUDA GPUs are available\n", "no-nvidia-gpu"),
    ],
)
def test_machines_without_a_card_in_brackets_and_in_passing(text: str, cause: str):
    assert ruled(text) == cause


NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"Can I run it with a Radeon card?\n{NO_DRIVER}", "no-nvidia-gpu"),
        (f"Is there a way with ROCm?\n{NO_DRIVER}", "no-nvidia-gpu"),
        (
            f"Will there be support for AMD GPUs?\nMine is an RTX 3060.\n{NO_DRIVER}",
            "driver-missing",
        ),
        (f"I asked about an AMD GPU before.\n{NO_DRIVER}", "driver-missing"),
        ("Does it run on AMD processors?\n" + NO_DRIVER, "driver-missing"),
        ("Can it use AMD GPUs?\n", "unknown"),
    ],
)
def test_who_asks_for_another_makers_card_and_misses_the_driver_has_one(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("How should I run this on an AMD GPU?", "no-nvidia-gpu"),
        ("Is there a way to use it with Radeon cards?", "no-nvidia-gpu"),
        ("How should I run this on an AMD EPYC?", "driver-too-old"),
        ("How should I run this on an AMD GPU? On my RTX 3060 I get:", "driver-too-old"),
        ("How should I run this on an AMD GPU?\nDriver Version: 450.80.02", "driver-too-old"),
    ],
)
def test_a_question_about_amds_cards_tells_why_cuda_finds_no_driver(told: str, cause: str) -> None:
    failed = "CUDA error 35 (CUDA driver version is insufficient for CUDA runtime version)"
    assert ruled(f"{told}\n{failed}\n") == cause
