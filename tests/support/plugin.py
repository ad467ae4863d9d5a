"""What the tests of the pytest plug-in share: the run of another pytest, and small test files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pytest

    from .scenario import Scenario

#: Hypothesis would be imported anew by every pytest, and none of them uses it.
LEAN = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")

ONE_OF_EACH = """
import pytest

@pytest.mark.needs_gpu
def test_marked():
    pass

def test_with_fixture(gpu):
    assert gpu.ordinal == 0

def test_plain():
    pass
"""


class Run(Protocol):
    """Runs pytest in a process of its own on another machine."""

    def __call__(self, scenario: Scenario, text: str, *arguments: str) -> pytest.RunResult: ...


NEEDS = """
import pytest

@pytest.mark.needs_gpu({needs})
def test_gpu(gpu):
    print("got", gpu.name)
"""


INSTANCE = """
import os, pytest

@pytest.mark.needs_gpu(min_memory=4 * 2**30)
def test_instance(gpu):
    print("got", gpu.ordinal, gpu.uuid[:12], gpu.memory_bytes >> 20, gpu.sms)
    print("worker sees", os.environ.get("CUDA_VISIBLE_DEVICES", "all")[:12])
"""
