"""GPUs that CUDA_VISIBLE_DEVICES hides: which values hide all, and how many they are."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.questions.visible.values import hides_all
from support.examples import machine


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
