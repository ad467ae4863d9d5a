"""Reading takes work in proportion to the text: twice the lines, twice the calls of functions.

Calls are counted and no time is taken, so that the machine and what runs beside do not matter.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts.pasted import read
from support.cases import load

if TYPE_CHECKING:
    from types import FrameType

#: Readers that compare one line of a text with others: a row of what each looks for.
ROWS = (
    "$ sudo python3 a{n}.py\nTrue\n$ python3 a{n}.py\n",
    "t{n} = torch.ones(3, requires_grad=True).cuda()\nz.grad\n",
    "datetime.now() .cuda(\n0:02:01.451538\n",
    "  *-display\n       vendor: NVIDIA\n       product: card {n}\n",
    "Graphics:  Device-{n}: NVIDIA GP107M driver: nvidia v: 535.54\n",
    "[{n}] Tesla V100-SXM2-16GB | 44'C,   0 % | 15836 / 16130 MB | user(15820M)\n",
    "$ echo $CUDA_VISIBLE_DEVICES\n{n}\n",
    "pip install torch==2.{n}.0\nimport torch\n",
    "export LD_LIBRARY_PATH=/usr/local/cuda-{n}/lib64:$LD_LIBRARY_PATH\n",
    "ImportError: liba{n}.so: undefined symbol: _ZN3c10{n}\n",
)
SOME = [*load("found")[::200], *load("open")[::10]]
FEW = 40
#: Twice, and room for windows of lines that the shorter text does not fill.
NO_MORE = 2.3


def calls(text: str) -> int:
    """How many functions reading a text calls."""
    count = 0

    def counting(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    read("")  # what is made once
    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return count


def rows(row: str, count: int) -> str:
    return "".join(row.replace("{n}", str(number)) for number in range(count))


@pytest.mark.parametrize("row", [*ROWS, *(case.text + "\n" for case in SOME)])
def test_twice_the_text_takes_no_more_than_twice_the_work(row: str) -> None:
    read(rows(row, 2 * FEW))  # imports, compiles, and keeps what it found of single lines
    once, twice = calls(rows(row, FEW)), calls(rows(row, 2 * FEW))
    assert twice <= NO_MORE * once
