"""The real card: it is described, the doctor calls it healthy, its arithmetic is right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gpuprobe
from gpuprobe.facts import names
from scenarios.healthy import HEALTHY_H100
from support.scenario import stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuprobe import Device
    from support.fakes import Fakes


def test_device_is_described_whole(gpu: Device):
    told = {"name", "uuid", "pci", "capability", "architecture", "memory_bytes", "ordinal"}
    assert told.isdisjoint(gpu.unknown), gpu.unknown
    assert gpu.name
    assert gpu.uuid is not None
    assert gpu.uuid.startswith("GPU-")
    assert gpu.capability is not None
    assert gpu.capability >= (5, 0)
    assert gpu.memory_bytes is not None
    assert 0 < (gpu.memory_free_bytes or 0) <= gpu.memory_bytes


def test_device_agrees_with_nvidia_smi(gpu: Device):
    if shutil.which("nvidia-smi") is None:
        pytest.skip("nvidia-smi is not installed: nothing to compare with")
    fields = "name,uuid,compute_cap,memory.total"
    printed = subprocess.run(
        [
            "nvidia-smi",
            f"--query-gpu={fields}",
            "--format=csv,noheader,nounits",
            f"--id={gpu.uuid}",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    name, uuid, capability, memory_mib = printed.split(", ")
    assert (gpu.name, gpu.uuid) == (name, uuid)
    assert gpu.capability == tuple(map(int, capability.split(".")))
    assert gpu.memory_bytes is not None
    assert gpu.memory_bytes // 2**20 == int(memory_mib)


def test_doctor_proves_a_kernel():
    report = gpuprobe.doctor()
    assert report.facts.known(names.KERNEL_OUTCOME) == "right", report.text()
    assert report.verdict.value in {"healthy", "degraded"}


def test_hash_is_that_of_the_host(fakes: Fakes, tmp_path: Path):
    """The same kernels, compiled for the host, give the same bits on a fake card."""
    here = kernel_answer(os.environ)
    host = kernel_answer(stage(HEALTHY_H100, fakes, tmp_path).environment("override"))
    assert here["result"] == host["result"] == "right"
    assert here["got"] == host["got"]
    assert here["elements"] == host["elements"]
    assert int(str(here["got"]), 16) != 0


def kernel_answer(environ: Mapping[str, str]) -> Mapping[str, object]:
    """What the probe's step `kernel` says."""
    done = subprocess.run(
        [probe_program(), "kernel"], check=True, capture_output=True, text=True, env=environ
    )
    answer: Mapping[str, object] = json.loads(done.stdout)["kernel"]
    return answer


def probe_program() -> Path:
    """The installed probe program; an editable install keeps it beside the sources."""
    programs = (Path(folder) / "_probe" / "gpuprobe-probe" for folder in gpuprobe.__path__)
    return next(program for program in programs if program.is_file())
