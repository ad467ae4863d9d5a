"""The names of cards as people write them, those of laptops among them."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted import gpu_names
from support.pasted import told


def test_a_name_of_a_laptop_is_one():
    assert told("ThinkPad P14s Gen 6, RTX PRO 1000 Blackwell").get("machine.laptop") is True
    assert "machine.laptop" not in told("Workstation P620, RTX PRO 1000 Blackwell")


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("1060m", ("GeForce GTX 1060 Mobile",)),
        ("rtx4060m", ("rtx 4060 Mobile",)),
        ("3070tim", ()),
        ("3060MB", ()),
        ("GTX 970M", ("GTX 970M",)),
        ("1050gtx ti", ("gtx 1050 ti",)),
        ("2x 1080 GTX", ("GTX 1080",) * 2),
        ("RTX 3090 GTX 1080", ("RTX 3090",)),  # no 3090 GTX
        ("4x RTX Quadro 5000 16GB", ("Quadro RTX 5000",) * 4),
        ("FX 2800M", ("FX 2800M",)),
        ("AMD FX 8350", ()),
    ],
)
def test_names_are_written_short_and_turned_round(typed: str, named: tuple[str, ...]):
    assert gpu_names.typed(typed) == named


def test_a_size_of_memory_is_no_card_of_a_laptop():
    assert list(gpu_names.mentioned("GPU 3050M of 4096M used")) == []
    assert list(gpu_names.mentioned("it runs on my 3050m")) == ["GeForce RTX 3050"]
