"""Under pytest-xdist each worker has a GPU of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.hardware import NO_DEVICE
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from scenarios.mig import MIG_TWO_INSTANCES
from scenarios.several_gpus import EIGHT_H200
from support.machines import DRIVER_580, H100
from support.plugin import INSTANCE, NEEDS, ONE_OF_EACH, Run

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("xdist")

pytest_plugins = ["pytester"]


WHICH = """
import os, pytest

@pytest.mark.parametrize("number", range(8))
def test_which(gpu, number):
    print("worker sees", os.environ["CUDA_VISIBLE_DEVICES"], "of", gpu.name)
"""


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (None, {"0 of NVIDIA GeForce RTX 4090", "1 of NVIDIA GeForce RTX 3060"}),
        ("1,0", {"0 of NVIDIA GeForce RTX 4090", "1 of NVIDIA GeForce RTX 3060"}),
    ],
)
def test_each_worker_has_a_gpu_of_the_callers_list(
    run: Run, monkeypatch: pytest.MonkeyPatch, listed: str | None, expected: set[str]
):
    if listed is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", listed)
    result = run(TWO_DIFFERENT_CARDS, WHICH, "-n", "2", "-rP", "--dist=each")
    result.assert_outcomes(passed=16)
    seen = {line[12:] for line in result.outlines if line.startswith("worker sees ")}
    assert seen == expected


def test_each_worker_has_a_mig_instance(run: Run):
    both = replace(MIG_TWO_INSTANCES, driver=DRIVER_580)  # older ones give a program one alone
    result = run(both, INSTANCE, "-n", "2", "-rP", "--dist=each")
    seen = {line[12:] for line in result.outlines if line.startswith("worker sees ")}
    assert seen == {"MIG-6f0a1b2c", "MIG-7a1b2c3d"}


def test_gpu_beside_mig_instances_goes_to_a_worker_too(run: Run):
    """CUDA's number of it is 2, and as an entry of the list 1: entries count GPUs."""
    beside = replace(H100, pci="0000:c1:00.0", minor=1)
    made = replace(MIG_TWO_INSTANCES, gpus=(*MIG_TWO_INSTANCES.gpus, beside), driver=DRIVER_580)
    result = run(made, INSTANCE, "-n", "3", "-rP", "--dist=each")
    seen = {line[12:] for line in result.outlines if line.startswith("worker sees ")}
    assert seen == {"MIG-6f0a1b2c", "MIG-7a1b2c3d", H100.uuid[:12]}


def test_single_gpu_is_shared_by_the_workers(run: Run):
    text = (
        ONE_OF_EACH
        + """
def test_list_is_left_alone(gpu):
    import os
    assert "CUDA_VISIBLE_DEVICES" not in os.environ
"""
    )
    run(HEALTHY_H100, text, "-n", "2").assert_outcomes(passed=4)


def test_no_worker_looks_where_all_are_off(run: Run, asked: Path):
    result = run(TWO_DIFFERENT_CARDS, ONE_OF_EACH, "-n", "1", "--gpuprobe=off")
    result.assert_outcomes(skipped=2, passed=1)
    assert not asked.exists()


@pytest.mark.parametrize(("mode", "outcome"), [("auto", "skipped"), ("require", "errors")])
def test_gpus_that_only_xdist_hides_are_not_called_missing(run: Run, mode: str, outcome: str):
    text = NEEDS.format(needs="count=2")
    result = run(TWO_DIFFERENT_CARDS, text, "-n", "1", "-rs", f"--gpuprobe={mode}")
    result.assert_outcomes(**{outcome: 1})
    result.stdout.fnmatch_lines(["*needs 2 GPUs; under pytest-xdist each worker sees one GPU*"])


def test_gpus_that_are_nowhere_are_missing_under_xdist_too(run: Run):
    text = NEEDS.format(needs="count=3")
    result = run(TWO_DIFFERENT_CARDS, text, "-n", "1", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*needs 3 GPUs; there is: *RTX 3060*; *RTX 4090*"])


def test_every_worker_tells_equal_gpus_once_and_in_the_same_words(run: Run):
    result = run(EIGHT_H200, NEEDS.format(needs="count=9"), "-n", "2", "--dist=each")
    told = "the test needs 9 GPUs; there is: 8 x NVIDIA H200, compute capability 9.0, *GiB"
    result.stdout.fnmatch_lines([f"2 skipped, absent: {told}"])
    result.stdout.no_fnmatch_line("*GPU-9e8d35e3*")


def test_wrong_marker_is_told_by_the_workers_of_xdist_too(run: Run):
    text = NEEDS.format(needs="dtype='float64'") + "\ndef test_plain():\n    pass\n"
    result = run(NO_DEVICE, text, "-n", "1")
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(["*test_gpu: needs_gpu(dtype=*) cannot be judged yet*"])


OWN_FIXTURE = """
import os, pytest

@pytest.fixture
def gpu():
    return "theirs"

def test_theirs(gpu):
    assert gpu == "theirs"
    assert "CUDA_VISIBLE_DEVICES" not in os.environ
"""
OWN_PARAMETER = """
import os, pytest

@pytest.mark.parametrize("gpu", [False, True])
def test_with_and_without(gpu):
    assert "CUDA_VISIBLE_DEVICES" not in os.environ
"""


@pytest.mark.parametrize("text", [OWN_FIXTURE, OWN_PARAMETER], ids=["fixture", "parameter"])
def test_gpu_of_the_project_is_left_alone(run: Run, text: str):
    assert run(TWO_DIFFERENT_CARDS, text, "-n", "1").ret == pytest.ExitCode.OK
