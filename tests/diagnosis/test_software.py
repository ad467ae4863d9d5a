"""Libraries, builds and packages: what the pages do not show, over all of the tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gpuprobe.diagnosis
from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.facts.pasted.signs import table
from support.examples import machine

if TYPE_CHECKING:
    from gpuprobe.diagnosis.model import Diagnosis

SOURCES = sorted(Path(gpuprobe.diagnosis.__file__).parent.rglob("*.py"))


def judge(name: str, *lines: str) -> Diagnosis:
    return diagnose(machine(name, *lines), rules())


def codes(diagnosis: Diagnosis) -> list[str]:
    return [each.rule.code for each in diagnosis.placed]


# -- statements ---------------------------------------------------------------------------------


def asked_signs() -> set[str]:
    """The texts in the modules of the diagnosis that have the look of a statement's id."""
    dashed = re.compile(r'"((?:[a-z0-9]+-)+[a-z0-9]+)"')
    calls = re.compile(r"(?:statements|value|value_words|SIGN)\(([^)]*)\)", re.DOTALL)
    found = set()
    for source in SOURCES:
        for arguments in calls.findall(source.read_text(encoding="utf-8")):
            found |= set(dashed.findall(arguments))
    return found


def read_signs() -> set[str]:
    """Those that a reader states by more than one wording, which the table cannot tell."""
    readers = Path(gpuprobe.__file__).parent.rglob("facts/pasted/**/*.py")
    stated = re.compile(r'say\(said\.SIGN\("([a-z0-9-]+)"\)')
    return {id_ for reader in readers for id_ in stated.findall(reader.read_text(encoding="utf-8"))}


def test_every_statement_that_a_rule_asks_for_is_recognised():
    known = {sign.id for sign in table()} | read_signs()
    assert len(asked_signs() & known) > 30
    assert asked_signs() - known == set()


# -- fixes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asker", "command"),
    [
        ("tensorflow 2.18.0", 'pip install "tensorflow[and-cuda]==2.18.0"'),
        ("onnxruntime-gpu 1.22.0", 'pip install "onnxruntime-gpu[cuda,cudnn]==1.22.0"'),
        ("tensorflow 2.13.1", "pip install nvidia-cuda-runtime-cu12"),  # it has no such extra
        ("onnxruntime-gpu 1.20.1", "pip install nvidia-cuda-runtime-cu12"),
        ("libcusolver.so.11", "pip install nvidia-cuda-runtime-cu12"),
    ],
)
def test_a_framework_that_misses_its_first_library_gets_all_of_them(asker: str, command: str):
    told = f"library.cudart.wanted_by = {asker}"
    found = judge("healthy", "library.cudart.missing = libcudart.so.12", told).root
    assert found is not None
    assert found.finding.fix is not None
    assert found.finding.fix.commands[0] == command


# -- several faults at once -----------------------------------------------------------------------


def test_wrong_cuda_comes_before_the_cudnn_that_is_missing_with_it():
    diagnosis = judge(
        "healthy",
        "cuda.kernel.outcome is unknown: not asked",
        "cuda.device_count is unknown: not asked",
        "library.cudart.missing = libcudart.so.11.0",
        "library.cudnn.missing = libcudnn.so.8",
        "toolkit.version = 12.4",
    )
    assert codes(diagnosis)[:2] == ["GP602", "GP501"]


def test_missing_run_time_comes_before_its_siblings():
    diagnosis = judge(
        "healthy",
        "cuda.kernel.outcome is unknown: not asked",
        "cuda.device_count is unknown: not asked",
        "library.cublas.missing = libcublas.so.11",
        "library.cudart.missing = libcudart.so.11.0",
        "library.cufft.missing = libcufft.so.10",
    )
    assert codes(diagnosis) == ["GP401", "GP402"]


def test_build_for_an_older_architecture_comes_before_the_library_that_it_lacks():
    diagnosis = judge(
        "healthy",
        "cuda.kernel.outcome is unknown: not asked",
        "cuda.device_count is unknown: not asked",
        "gpu.0.capability = 8.6",
        "package.paddlepaddle-gpu.version = 2.1.0",
        "package.paddlepaddle-gpu.cuda = 10.2",
        "error.CUDA_ERROR_NO_BINARY_FOR_GPU = no kernel image is available",
        "library.cudnn.missing = libcudnn.so.7",
    )
    assert codes(diagnosis)[0] == "GP604"


def test_gpu_that_is_served_beside_one_that_is_not_leaves_a_warning():
    diagnosis = judge(
        "healthy",
        "gpu.1.name = Tesla K80",
        "gpu.1.capability = 3.7",
        "package.torch.version = 2.3.0+cu121",
        "package.torch.build = cuda",
        "package.torch.cuda = 12.1",
    )
    assert [(each.rule.code, each.finding.severity.value) for each in diagnosis.placed] == [
        ("GP603", "warning")
    ]


@pytest.mark.parametrize(
    ("version", "torchvision"),
    [
        ("2.4.1+cu121", "0.19.1"),
        ("2.9.0+cu128", "0.24.0"),
        ("2.6.0+cu124", "0.21.0"),
        ("2.7.0+cu118", "0.22.1"),
    ],
)
def test_current_builds_of_torch_raise_no_alarm_on_an_ampere_gpu(version: str, torchvision: str):
    tag = version.partition("+cu")[2]
    diagnosis = judge(
        "healthy",
        f"package.torch.version = {version}",
        "package.torch.build = cuda",
        f"package.torch.cuda = {tag[:2]}.{tag[2]}",
        f"package.torchvision.version = {torchvision}",
        "toolkit.version = 11.5",
        "toolkit.host_compiler = gcc 13.2.0",
        "env.LD_LIBRARY_PATH = /usr/local/cuda-11.5/lib64",
    )
    assert {each.finding.severity.value for each in diagnosis.placed} <= {"note"}
