"""``gpuprobe verify``: every step in every form, and the exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gpuprobe.compute.ladder import Ours, rungs
from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")

RUNGS = rungs(Ours(), 0)
FORMS = ("text", "json", "markdown", "html")


@pytest.mark.parametrize("form", FORMS)
def test_command_tells_every_step(gpuprobe: Gpuprobe, form: str):
    ran = gpuprobe("verify", "--device", "cpu", "--format", form)
    assert ran.code == 0
    assert all(rung.name in ran.out.replace("\\", "") for rung in RUNGS)


def test_command_prints_json_without_infinities(gpuprobe: Gpuprobe):
    ran = gpuprobe("verify", "--device", "cpu", "--seed", "5", "--json")

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    found = json.loads(ran.out, parse_constant=refuse)
    assert (found["schema"], found["seed"], found["outcome"]) == (1, 5, "right")
    assert found["counts"] == {"right": len(RUNGS), "wrong": 0, "not run": 0}


@pytest.mark.parametrize("seed", ["-1", "1.5", "x", "", "٣"])
def test_seed_that_is_no_number_or_negative_is_a_wrong_usage(gpuprobe: Gpuprobe, seed: str):
    ran = gpuprobe("verify", "--device", "cpu", f"--seed={seed}")
    assert ran.code == 2
    assert "expected a whole number, 0 or more" in ran.err


@pytest.mark.parametrize("named", ["GPU", "cuda:0", "-1", "1.0", "", "٣"])
def test_device_that_is_neither_number_nor_uuid_is_a_wrong_usage(gpuprobe: Gpuprobe, named: str):
    ran = gpuprobe("verify", f"--device={named}")
    assert ran.code == 2
    assert "expected CUDA's number, a UUID, gpu or cpu" in ran.err


@pytest.mark.parametrize("word", ["cpu", "gpu"])
def test_every_gpu_or_the_cpu_stands_alone(gpuprobe: Gpuprobe, word: str):
    ran = gpuprobe("verify", "--device", word, "--device", "0")
    assert ran.code == 2
    assert "stand alone" in ran.err


@pytest.fixture
def _bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a GPU."""
    write_files(tmp_path, kernel_files((), None, None, nodes=False))
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))


@pytest.mark.usefixtures("_bare_machine")
@pytest.mark.parametrize("form", FORMS)
def test_without_a_gpu_no_step_runs_and_the_doctor_says_why(gpuprobe: Gpuprobe, form: str):
    ran = gpuprobe("verify", "--format", form)
    assert ran.code == 3
    assert "no NVIDIA GPU" in ran.out
    assert "allocation seen by the driver" in ran.out


@pytest.mark.usefixtures("_bare_machine")
def test_without_a_gpu_the_last_words_are_where_to_go_on(gpuprobe: Gpuprobe):
    assert gpuprobe("verify").out.endswith("not run. `gpuprobe` tells what to do.\n")
