"""Reading takes work in proportion to the text: twice the lines, twice the calls of functions.

Calls are counted and no time is taken, so that the machine and what runs beside do not matter.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts.pasted import read, signs
from gpuprobe.facts.pasted.runs import encoders_at_work, seen_at_work
from gpuprobe.facts.pasted.text import Text
from support.cases import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, ModuleType

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


def calls(text: str, reads: Callable[[str], object] = read) -> int:
    """How many functions reading a text calls."""
    count = 0

    def counting(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    reads("")  # what is made once
    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        reads(text)
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


@pytest.mark.parametrize(
    ("reader", "first", "then"),
    [
        (encoders_at_work, "Stream #0:0 -> #0:0 (h264 (native) -> h264 (libx264))\n",
         "frame=   10 fps= 5 q=28.0\n"),
        (seen_at_work, "**PERF:  12.10 (11.90)\n", "load new model: x.engine\n"),
    ],
)  # fmt: skip
def test_a_log_of_one_program_alone_takes_no_more_either(
    reader: ModuleType, first: str, then: str
) -> None:
    def reads(text: str) -> object:
        return [*reader.read(Text(text))]

    once, twice = (calls(first * count + then * count, reads) for count in (200, 400))
    assert twice <= NO_MORE * once


def test_what_a_log_repeats_is_judged_once() -> None:
    def reads(text: str) -> object:
        return [*signs.read(Text(text))]

    line = "RuntimeError: CUDA error: driver and device\n"
    reads(line)  # compiles what looks at it
    assert calls(line * 200, reads) == calls(line * 100, reads)
