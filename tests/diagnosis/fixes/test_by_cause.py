"""The usual repair of a cause, and the circumstances that change it."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.by_cause import repair_here, usual_repair
from gpuprobe.diagnosis.inquiry.choose import telling
from gpuprobe.facts import said
from gpuprobe.facts.model import Facts, Known
from gpuprobe.facts.pasted import read


@pytest.mark.parametrize(
    ("cause", "circumstance", "word"),
    [
        ("container-no-gpu", said.ABOUT("kubernetes").name, "nvidia.com/gpu: 1"),
        ("hidden-by-visible-devices", said.SIGN("ray-without-request").name, "num_gpus=1"),
    ],
)
def test_usual_repair_in_a_cluster(cause: str, circumstance: str, word: str) -> None:
    there = Facts({circumstance: Known(1, "line 1 of the text")})
    assert word in repair_here(there, cause)[0].text
    assert word not in repair_here(Facts({}), cause)[0].text
    assert word not in repair_here(there, "driver-missing")[0].text


@pytest.mark.parametrize(
    ("cause", "command"), [("power-thermal", "-d PERFORMANCE"), ("mixed-installs", "pip list")]
)
def test_what_makes_sure_decides(cause: str, command: str) -> None:
    step = telling(Facts({}), cause)
    assert step is not None
    assert command in " ".join(step.commands)


@pytest.mark.parametrize(
    ("cause", "line", "near"),
    [
        (
            "oom-other-process",
            "[<0>] uvm_spin_loop+0xb4/0x100 [nvidia_uvm]",
            "kill -9 freed the GPU",
        ),
        (
            "oom-other-process",
            "a process is left which ignores even kill -9",
            "I ended it with kill -9",
        ),
        (
            "nccl",
            "XGBoostError: ... running on same CUDA device is not supported",
            "running on the same CUDA device is supported",
        ),
    ],
)
def test_what_a_text_only_reads_like_has_the_repair_of_its_statement(
    cause: str, line: str, near: str
):
    fix, told = repair_here(read(line), cause)
    assert fix != usual_repair(cause)
    assert told
    assert repair_here(read(near), cause) == (usual_repair(cause), ())
