"""GPUs that CUDA_VISIBLE_DEVICES hides: which values hide all, and how many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.questions.visible.values import hides_all
from support.examples import machine

if TYPE_CHECKING:
    from gpuprobe.diagnosis.model import Diagnosis


@pytest.mark.parametrize("value", ["", " ", "-1", " -2,0", ",0", "-01", "all"])
def test_value_that_hides_every_gpu_on_any_machine(value: str):
    assert hides_all(value)


@pytest.mark.parametrize("value", ["0", "0,-1", "-0", "+3", "7", "GPU-9e8d35e3", "0,,1"])
def test_value_that_may_leave_a_gpu(value: str):
    assert not hides_all(value)


@pytest.mark.parametrize(
    ("lines", "hidden"),
    [
        (("cuda.device_count_unmasked = 1",), "the only GPU"),
        (("cuda.device_count_unmasked = 8",), "all 8 GPUs"),
        (
            ("cuda.device_count_unmasked = 1", "gpu.0.mig = true", "gpu.0.mig_instances = 7"),
            "all 7 MIG instances",
        ),
        (
            (
                *("cuda.device_count_unmasked = 2", "gpu.1.mig = false"),
                *("gpu.0.mig = true", "gpu.0.mig_instances = 7"),
            ),
            "all 8 devices",
        ),
    ],
)
def test_hidden_devices_are_counted_by_instances(lines: tuple[str, ...], hidden: str):
    refused = ("cuda.init.code = 100", "cuda.device_count = 0", "env.CUDA_VISIBLE_DEVICES = -1")
    found = diagnose(machine("cuInit fails", *refused, *lines), rules()).root
    assert found is not None
    assert f" hides {hidden}: " in found.finding.title


SPLIT = ("gpu.0.nvml_index = 0", "gpu.0.mig = true", "gpu.0.mig_instances = 0")
BESIDE = (
    *("gpu.1.nvml_index = 1", "gpu.1.uuid = GPU-b1c2d3e4-1b7e-4c3d-9e0f-a1b2c3d4e5f6"),
    *("gpu.1.mig = true", "gpu.1.mig_instances = 1", "mig.0.gpu = 1"),
    "mig.0.uuid = MIG-c1c2d3e4-1b7e-4c3d-9e0f-a1b2c3d4e5f6",
)


def of_split(value: str, *more: str) -> Diagnosis:
    """A machine whose first GPU is in MIG mode without an instance; CUDA was not asked."""
    lines = (*SPLIT, "gpu.0.uuid = GPU-a1b2c3d4-1b7e-4c3d-9e0f-a1b2c3d4e5f6", *more)
    asked = ("probe.level = quick", "cuda.init.outcome = not run", "nvml.device_count = 1")
    shown = ("driver.version = 535.104.05", f"env.CUDA_VISIBLE_DEVICES = {value}")
    return diagnose(machine("cuInit fails", *asked, *shown, *lines), rules())


def root(found: Diagnosis) -> str | None:
    return found.root and found.root.rule.name


@pytest.mark.parametrize("value", ["0", "-1", "MIG-a1b2c3d4-1b7e-4c3d-9e0f-a1b2c3d4e5f6"])
def test_a_split_gpu_without_an_instance_is_hidden_by_no_value(value: str):
    assert root(of_split(value)) == "mig"
    if value != "0":
        assert root(of_split(value, *BESIDE)) == "visible-devices-hide-all"


@pytest.mark.parametrize(
    ("value", "advised"),
    [
        ("MIG-a1b2c3d4-1b7e-4c3d-9e0f-a1b2c3d4e5f6", "export CUDA_VISIBLE_DEVICES=MIG-UUID"),
        ("GPU-a1b2c3d4-1b7e-4c3d-9e0f-a1b2c3d4e5f6", "export CUDA_VISIBLE_DEVICES=MIG-UUID"),
        ("GPU-d1b2c3d4-1b7e-4c3d-9e0f-a1b2c3d4e5f6", "unset CUDA_VISIBLE_DEVICES"),
    ],
)
def test_who_fails_at_an_instance_is_to_name_one(value: str, advised: str):
    found = of_split(value, *BESIDE).root
    assert found is not None
    assert found.finding.fix.commands[-1] == advised
