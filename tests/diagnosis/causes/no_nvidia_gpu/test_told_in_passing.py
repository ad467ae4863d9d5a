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
