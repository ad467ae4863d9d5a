"""NVIDIA's own boards are told by their name and by their system's."""

from __future__ import annotations

import pytest

from support.pasted import told


@pytest.mark.parametrize(
    ("pasted", "model"),
    [
        ("Hardware: NVIDIA Jetson AGX Orin 64GB", "Jetson AGX Orin"),
        ("I run it on a jetson-nano", "Jetson nano"),
        ("It is an AGX Xavier", "Jetson AGX Xavier"),
        ("# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref", "Tegra"),
        ("uname -r: 5.10.104-tegra", "Tegra"),
        ("JetPack 4.6.1 [L4T 32.7.1]", "Tegra"),
    ],
)
def test_board_is_recognised(pasted: str, model: str):
    assert told(pasted)["tegra.model"] == model


@pytest.mark.parametrize(
    "pasted", ["Jetson is a family", "a jetpack", "REVISION: 4.1", "tegra", "AGX", "DRIVE Orin"]
)
def test_words_that_name_no_board(pasted: str):
    assert "tegra.model" not in told(pasted)
