"""A short run of the fuzzer of texts, the same in every run; `.ci/thorough` has the long one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.corrupt import RELEASES, corrupted
from fuzz.fuzz_explain import check, seeds

STARTS = seeds()
#: Words of the tools, put together at random: hypothesis makes a failing text small.
WORDS = sorted({word for text in STARTS for word in text.split() if len(word) < 40})


@pytest.mark.parametrize("seed", range(200))
def test_text_after_accidents_breaks_nothing(seed: int):
    check(corrupted(STARTS, random.Random(seed)))


PINS = ("{}=={}", "- {}={}", "{}   {}   h6bb024c_0", "__cuda>={1}, {0}")


@pytest.mark.parametrize("release", RELEASES)
def test_no_release_that_somebody_pins_breaks_anything(release: str):
    driver = "NVIDIA-SMI 390.30    Driver Version: 390.30    CUDA Version: 9.1\n"
    for package in ("cudatoolkit", "cuda-version", "torch", "cudnn", "numpy"):
        for pin in PINS:
            check(driver + pin.format(package, release))


@settings(max_examples=100)
@given(st.text())
def test_any_text_breaks_nothing(text: str):
    check(text)


@settings(max_examples=100)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=12))
def test_words_of_the_tools_in_any_order_break_nothing(lines: list[str]):
    check("\n".join(lines))
