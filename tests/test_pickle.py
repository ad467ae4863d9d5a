"""What a worker process of the user's own gives back, or ends with, comes through whole."""

from __future__ import annotations

import pickle
from typing import TypeVar

import pytest

import gpuprobe
from gpuprobe.compute.failures import Unsupported
from gpuprobe.diagnosis.rules.hardware import gpu_lost
from gpuprobe.facts.model import Missing
from gpuprobe.memory import DriverError, Holders, OutOfMemory, Shortage
from support.samples import broken

T = TypeVar("T")
SHORTAGE = Shortage(True, 1, 2, 3, 4, 5)


def sent(value: T) -> T:
    """`value` as another process has it."""
    back: T = pickle.loads(pickle.dumps(value))  # noqa: S301  ours
    return back


@pytest.mark.parametrize(
    "error",
    [
        OutOfMemory(1, SHORTAGE, Holders(1, unknown={"name": "nobody looked"})),
        DriverError("cuInit failed", "cuInit"),
        Missing("gpu.0.name", "nobody looked", "nvidia-smi"),
        Unsupported("matmul", ["native: no kernel", "cublas: it is not there"]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_an_error_keeps_its_words_and_its_attributes(error: Exception):
    """A pool of processes that cannot read one is broken for good."""
    back = sent(error)
    assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))


def test_a_report_and_the_error_that_has_one_come_back():
    report = gpuprobe.explain("NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.")
    back = sent(report)
    assert back.to_dict() == report.to_dict()
    assert back.diagnosis.placed[0].rule is gpu_lost
    error = sent(gpuprobe.GpuUnavailable("no GPU", report))
    assert (str(error), error.report.to_dict()) == ("no GPU", report.to_dict())
    assert sent(report.facts) == report.facts


def test_a_comparison_comes_back():
    found = gpuprobe.diff(broken(), broken())
    assert sent(found) == found
