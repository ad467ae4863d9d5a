"""Clocks that fall and links of an older generation, as tools show them and people tell of them."""

from __future__ import annotations

import pytest

from support.cases import ruled

HEAD = """\
# gpu    pwr  gtemp     sm    mem   mclk   pclk
# Idx      W      C      %      %    MHz    MHz
    0     60     65      8      0   7001   1500
"""
ROW = "    0     12     58    {}      5    405    {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (HEAD + 3 * ROW.format(99, 210), "power-thermal"),
        (HEAD + 2 * ROW.format(99, 210), "unknown"),
        (HEAD + 3 * ROW.format(30, 210), "unknown"),
        ("nvtop: 100% usage, but only 480 MHz and 91°C\n", "power-thermal"),
        ("nvtop: 100% usage, 1480 MHz and 91°C\n", "unknown"),
        ("Its clock dropped from 1900 MHz to 1450 MHz at 92 C\n", "power-thermal"),
        ("Its clock dropped from 1900 MHz to 1450 MHz at 62 C\n", "unknown"),
        ("| 90 s | **thermal slowdown active** | 1100 MHz |\n", "power-thermal"),
        ("| 90 s | thermal slowdown not active | 1100 MHz |\n", "unknown"),
        ("The PCIe link of my 3090 was downgraded from gen 4 to gen 1\n", "power-thermal"),
        ("The card computes at Gen2 x16 with 7 GB/s instead of 28.\n", "power-thermal"),
        ("When idle PCIe is downgraded from gen 4 to gen 1\n", "unknown"),
        ("When a job uses both cards, the computer switches itself off.\n", "power-thermal"),
        ("When nobody uses it, the computer switches itself off.\n", "unknown"),
    ],
)
def test_a_gpu_at_work_is_slowed_down(text: str, cause: str) -> None:
    """A GPU that rests has a low clock and a slow link as well."""
    assert ruled(text) == cause
