"""Two or three lines that tell only together how the work on a GPU goes, or that none does."""

from __future__ import annotations

import pytest

from support.cases import ruled

ALIKE = """GPUs: 2x {name}
$ nvidia-smi dmon -c 1
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk
# Idx     W     C     C     %     %     %     %   MHz   MHz
    0   130    61    58    62    20     0     0   877  1380
    1    80    {heat}    86    {busy}    15     0     0   877   {clock}
"""


@pytest.mark.parametrize(
    ("name", "heat", "busy", "clock", "cause"),
    [
        ("Tesla V100-PCIE-16GB", 89, 99, 345, "power-thermal"),
        ("Tesla V100-PCIE-16GB", 89, 99, 1245, "healthy"),
        ("Tesla V100-PCIE-16GB", 52, 99, 345, "healthy"),
        ("Tesla V100-PCIE-16GB", 89, 0, 135, "healthy"),
    ],
)
def test_one_gpu_is_hot_and_far_slower_than_its_like(
    name: str, heat: int, busy: int, clock: int, cause: str
):
    assert ruled(ALIKE.format(name=name, heat=heat, busy=busy, clock=clock)) == cause


def test_clocks_of_two_products_are_not_compared():
    shown = ALIKE.format(name="GPU", heat=89, busy=99, clock=345)
    named = "GPU 0: Tesla V100-PCIE-16GB\nGPU 1: Tesla K80\n"
    assert ruled(named + shown.partition("\n")[2]) != "power-thermal"
