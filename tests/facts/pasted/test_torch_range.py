"""Torch's warning of a GPU outside its range is read by its numbers, not by its words."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.questions.belied import is_belied
from gpuprobe.facts import said
from gpuprobe.facts.model import Facts, Known
from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.failures import torch_range
from gpuprobe.facts.pasted.text import Text
from support.cases import ruled

WARNING = """\
/usr/lib/python3/dist-packages/torch/cuda/__init__.py:283: UserWarning:
    Found GPU0 NVIDIA GPU which is of cuda capability {}.
    Minimum and Maximum cuda capability supported by this version of PyTorch is
    ({}) - ({})
"""
OLD = """\
    Found GPU0 GeForce GTX 760 which is of cuda capability 3.0.
    PyTorch no longer supports this GPU because it is too old.
    The minimum cuda capability supported by this library is 3.7.
"""


def stated(pasted: str) -> dict[str, object]:
    statements = torch_range.read(Text(pasted))
    return {
        key.name.removeprefix("sign."): getattr(fact, "value", None) for key, fact in statements
    }


@pytest.mark.parametrize(
    ("numbers", "cause"),
    [
        (("6.1", "7.0", "12.0"), "gpu-too-old"),
        (("12.0", "5.0", "9.0"), "gpu-too-new"),
        (("12.1", "8.0", "12.0"), "healthy"),
        (("8.9", "5.0", "8.6"), "healthy"),
    ],
)
def test_the_range_tells_on_which_side_the_gpu_is(numbers: tuple[str, ...], cause: str) -> None:
    assert ruled(WARNING.format(*numbers)) == cause
    assert ruled(" ".join(WARNING.format(*numbers).split())) == cause


def test_a_gpu_above_the_range_of_its_own_major_number_works() -> None:
    pasted = WARNING.format("12.1", "8.0", "12.0") + ">>> torch.cuda.is_available()\nTrue\n"
    assert stated(pasted) == {"noise.torch-warns-of-a-gpu-that-runs-its-code": "12.1"}
    assert ruled(pasted) == "healthy"


def test_an_older_torch_told_the_start_of_its_range_alone() -> None:
    assert stated(OLD) == {"torch-capability-too-old": "3.0"}
    assert ruled(OLD) == "gpu-too-old"


def test_a_range_far_below_is_of_something_else() -> None:
    far = OLD + "\n\n\n(1.0) - (2.0)\n"
    assert stated(far) == {"torch-capability-too-old": "3.0"}


def test_words_of_an_old_gpu_are_belied_by_a_later_one() -> None:
    stated = read(WARNING.format("12.1", "8.0", "12.0"))
    words = {said.READS_LIKE.name: Known("gpu-too-old", "line 3 of the text")}
    assert is_belied(Facts({**stated, **words}), "gpu-too-old")
    old = read(WARNING.format("6.1", "7.0", "12.0"))
    assert not is_belied(Facts({**old, **words}), "gpu-too-old")
