"""``gpuprobe memory`` on whole machines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY_H200, TWO_DIFFERENT_CARDS
from support.child import complaints, run_python
from support.machines import Process
from support.scenario import Scenario, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

BUSY = replace(
    TWO_DIFFERENT_CARDS, processes=(Process("/home/alice/bin/train", 4711, 2048, gpu=1),)
)


def memory(scenario: Scenario, fakes: Fakes, folder: Path, *arguments: str) -> str:
    environment = stage(scenario, fakes, folder).environment("override")
    done = run_python(environment, "-m", "gpuprobe", "memory", *arguments)
    assert (done.returncode, complaints(done.stderr)) == (0, "")
    return done.stdout


def test_each_gpu_has_its_holders(fakes: Fakes, tmp_path: Path):
    shown = memory(BUSY, fakes, tmp_path)
    assert [line for line in shown.splitlines() if line.startswith("GPU ")] == [
        f"GPU {number} {gpu.name}" for number, gpu in enumerate(BUSY.gpus)
    ]
    assert shown.count("no process is listed") == 1
    assert shown.count("train (process 4711): 2048 MiB") == 1


@pytest.mark.parametrize("form", ["json", "markdown", "html"])
def test_what_leaves_the_terminal_is_redacted(form: str, fakes: Fakes, tmp_path: Path):
    shown = memory(BUSY, fakes, tmp_path, "--format", form)
    assert "train" in shown
    assert "alice" not in shown
    assert BUSY.gpus[0].uuid not in shown


def test_page_draws_how_much_is_in_use(fakes: Fakes, tmp_path: Path):
    assert memory(BUSY, fakes, tmp_path, "--format", "html").count('class="gauge memory"') == 2


def test_json_has_numbers(fakes: Fakes, tmp_path: Path):
    document = json.loads(memory(BUSY, fakes, tmp_path, "--json"))
    assert document["schema"] == 1
    assert [gpu["process_bytes"] for gpu in document["gpus"]] == [0, 2 << 30]
    assert [gpu["processes"] for gpu in document["gpus"]] == [
        [],
        [
            {
                "pid": 4711,
                "name": "train",
                "held_bytes": 2 << 30,
                "words": "train (process 4711): 2048 MiB",
            }
        ],
    ]
    assert "CUDA is not started" in document["gpus"][0]["unknown"]["ordinal"]


def test_without_a_driver_there_is_nothing_to_show(fakes: Fakes, tmp_path: Path):
    machine = replace(HEALTHY_H200, driver=None, module=None)
    assert memory(machine, fakes, tmp_path).startswith("No GPU can be shown. ")
