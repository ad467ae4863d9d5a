"""``gpuprobe devices`` on whole machines: the driver's fakes, a child process, every form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY_H200, TWO_DIFFERENT_CARDS
from support.child import complaints, run_python
from support.machines import H200, RTX_3060, RTX_4090, Process
from support.scenario import Scenario, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

BUSY = replace(
    TWO_DIFFERENT_CARDS, processes=(Process("/home/alice/bin/train", 4711, 2048, gpu=1),)
)
FORMS = ("json", "markdown", "html")


def devices(scenario: Scenario, fakes: Fakes, folder: Path, *arguments: str) -> str:
    environment = stage(scenario, fakes, folder).environment("override")
    done = run_python(environment, "-m", "gpuprobe", "devices", *arguments)
    assert (done.returncode, complaints(done.stderr)) == (0, "")
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_what_leaves_the_terminal_is_redacted(form: str, fakes: Fakes, tmp_path: Path):
    shown = devices(BUSY, fakes, tmp_path, "--format", form, "--all")
    assert "RTX 4090" in shown
    assert RTX_4090.uuid[:12] in shown
    assert RTX_4090.uuid not in shown
    assert "alice" not in shown
    assert "train" in shown


def test_the_terminal_shows_everything_to_its_owner(fakes: Fakes, tmp_path: Path):
    shown = devices(BUSY, fakes, tmp_path, "--all")
    assert RTX_4090.uuid in shown
    assert "train (process 4711): 2048 MiB" in shown


def test_a_warning_tells_that_cuda_and_nvml_count_otherwise(fakes: Fakes, tmp_path: Path):
    assert "CUDA 0 is NVML 1, CUDA 1 is" in devices(BUSY, fakes, tmp_path)


def test_a_lost_gpu_does_not_spoil_the_other(fakes: Fakes, tmp_path: Path):
    lost = replace(RTX_3060, pci="0000:41:00.0", minor=1, lost=True)
    shown = devices(replace(HEALTHY_H200, gpus=(H200, lost)), fakes, tmp_path)
    assert "✗ cannot be used: " in shown
    assert "GPU_IS_LOST" in shown
    assert "of 140.4 GiB" in shown
    assert "does not list" not in shown


def test_without_a_driver_the_doctor_says_why(fakes: Fakes, tmp_path: Path):
    shown = devices(replace(HEALTHY_H200, driver=None, module=None), fakes, tmp_path)
    assert shown.startswith("No GPU can be shown. There is an NVIDIA GPU, but no NVIDIA driver")
    assert "`gpuprobe` tells what to do." in " ".join(shown.split())
