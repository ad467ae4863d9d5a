"""A machine without an NVIDIA GPU, on which somebody starts a container."""

from __future__ import annotations

import pytest

from support.cases import ruled

IN_WSL = """{}
Docker Desktop with WSL 2
nvidia-container-cli: initialization error: WSL environment detected but no adapters were found
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Graphics card: Intel Iris Xe", "no-nvidia-gpu"),
        ("I have an AMD card in this PC, an RX 6700 XT.", "no-nvidia-gpu"),
        ("My laptop has no NVIDIA GPU.", "no-nvidia-gpu"),
        ("GPU: AMD Radeon 680M and RTX 3060", "wsl"),
        ("0a5f:00:00.0 3D controller: Microsoft Corporation Device 008e", "wsl"),  # WSL's own bus
    ],
)
def test_wsl_without_adapters_has_the_card_that_its_owner_names(told: str, cause: str):
    assert ruled(IN_WSL.format(told)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("A server with the driver's packages, but no graphics card in it.", "no-nvidia-gpu"),
        ("The node has the driver and the toolkit, and no GPU inside it.", "no-nvidia-gpu"),
        ("This is a workstation without a GPU in it.", "no-nvidia-gpu"),
        ("The host has driver 535, but no GPU in it is shown to the container.", "device-nodes"),
        ("The host has eight GPUs, and the container has no GPU in it.", "device-nodes"),
    ],
)
def test_a_machine_has_no_card_in_it(told: str, cause: str):
    failed = "nvidia-container-cli: initialization error: cuda error: unknown error"
    assert ruled(f"{told}\n{failed}\n") == cause
