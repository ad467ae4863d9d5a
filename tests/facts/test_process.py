"""What of CUDA's variable a process was given when it began."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import process
from gpuprobe.facts.model import Absent, Fact, Known, Unknown

if TYPE_CHECKING:
    from .conftest import Make

ENVIRON = "/proc/self/environ"


def at_start(make: Make, block: bytes) -> Fact[str]:
    return process.at_start(make({ENVIRON: block}))


def test_the_variable_is_read_as_it_was_given(make: Make):
    given = at_start(make, b"PATH=/usr/bin\0CUDA_VISIBLE_DEVICES=1=\xff\0")
    assert given == Known("1=\udcff", ENVIRON)


@pytest.mark.parametrize("block", [b"", b"PATH=/usr/bin\0", b"A=1\0\0\0B=2\0"])
def test_what_was_not_given_is_absent(make: Make, block: bytes):
    assert at_start(make, block) == Absent(ENVIRON)


@pytest.mark.parametrize("block", [b"\0" * 64, b"ray::Worker" + b"\0" * 64], ids=["all", "title"])
def test_a_block_that_a_programs_title_has_overwritten_tells_nothing(make: Make, block: bytes):
    """As setproctitle does: it takes the room of the environment, and fills it up with zeros."""
    assert isinstance(at_start(make, block), Unknown)
