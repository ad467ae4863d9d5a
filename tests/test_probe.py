"""The probe program on every scenario, by override and through the real library search."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from scenarios import SCENARIOS
from scenarios.driver import CRASH, HANG, LIBRARY_MISMATCH, NVML_HANG, STUB_FIRST
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from support.machines import H100, RTX_3060, RTX_4090
from support.probe import (
    DEADLINE_S,
    PROGRAM,
    answer,
    devices,
    needs_the_program,
    nothing_leaked,
    part,
    run,
)
from support.scenario import WAYS, Scenario, Way, stage
from support.trees import WSL_LIBRARIES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import BufferedReader
    from pathlib import Path

    from support.fakes import Fakes
    from support.machines import Gpu


pytestmark = needs_the_program

#: Without these NVML lists nothing.
NEEDED = ("nvmlInit_v2", "nvmlDeviceGetCount_v2")
ANSWERING = [each for each in SCENARIOS if each not in (HANG, NVML_HANG, CRASH)]


@pytest.mark.parametrize("step", ["nvml", "cuda"])
@pytest.mark.parametrize("scenario", ANSWERING, ids=lambda each: each.name)
def test_both_ways_to_a_library_give_the_same_answer(
    scenario: Scenario, step: str, fakes: Fakes, tmp_path: Path
) -> None:
    made = stage(scenario, fakes, tmp_path)
    override, search = (answer(made, way, step) for way in WAYS)
    for each, way in ((override, "override"), (search, "search")):
        each.pop("times_ms")
        library = part(each, "library")
        of_windows = scenario.driver_files() == WSL_LIBRARIES  # which are taken by their path
        assert library.pop("via") == ("wsl" if of_windows and way == "search" else way)
        if library["path"] is None:  # the loader's words differ: a path, or a bare name
            text = library.pop("error")
            assert "cannot open shared object file" in str(text)
            assert part(each, "failed").pop("text") == text
    assert override == search
    nothing_leaked(made)


@pytest.mark.parametrize("scenario", ANSWERING, ids=lambda each: each.name)
def test_the_answer_lists_the_scenario_s_devices_or_says_why_not(
    scenario: Scenario, fakes: Fakes, tmp_path: Path
) -> None:
    got, faults = answer(stage(scenario, fakes, tmp_path), "override", "nvml"), scenario.faults
    if scenario.driver is None:
        assert part(got, "failed")["kind"] == "library"
    elif call := next((each for each in NEEDED if each in faults), None):
        failed = part(got, "failed")
        assert (failed["kind"], failed["call"], failed["code"]) == ("nvml", call, faults[call])
    else:
        told = [
            (gpu.uuid, gpu.pci) if is_opened(gpu, nth, faults) else (None, None)
            for nth, gpu in enumerate(scenario.gpus, 1)
        ]
        assert [(each["uuid"], each["pci"]) for each in devices(got)] == told


def is_opened(gpu: Gpu, nth: int, faults: Mapping[str, object]) -> bool:
    """Whether NVML hands out the handle without which a GPU has no name."""
    return not gpu.lost and f"nvmlDeviceGetHandleByIndex_v2@{nth}" not in faults


def test_cuda_and_nvml_count_two_cards_in_different_orders(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(TWO_DIFFERENT_CARDS, fakes, tmp_path)
    by_bus = [RTX_3060.uuid, RTX_4090.uuid]
    assert [each["uuid"] for each in devices(answer(made, "search", "nvml"))] == by_bus
    assert [each["uuid"] for each in devices(answer(made, "search", "cuda"))] == by_bus[::-1]


def test_a_device_is_described_to_the_last_field(fakes: Fakes, tmp_path: Path) -> None:
    [device] = devices(answer(stage(HEALTHY_H100, fakes, tmp_path), "search", "cuda"))
    assert device == {
        "ordinal": 0,
        "name": "NVIDIA H100 80GB HBM3",
        "uuid": H100.uuid,
        "pci": "0000:01:00.0",
        "capability": [9, 0],
        "sms": 132,
        "memory_bytes": 81559 << 20,
        "integrated": False,
        "compute_mode": 0,
        "unread": {},
        "failed": None,
    }


def test_a_code_comes_with_its_call_name_and_text(fakes: Fakes, tmp_path: Path) -> None:
    got = answer(stage(LIBRARY_MISMATCH, fakes, tmp_path), "search", "cuda")
    assert got["ok"] is False
    assert got["failed"] == {
        "kind": "cuda",
        "call": "cuInit",
        "code": 803,
        "name": "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        "text": "system has unsupported display driver / cuda driver combination",
    }
    assert str(part(got, "library")["path"]).endswith("/libcuda.so.535.183.01")


def test_a_stub_has_a_code_and_no_version(fakes: Fakes, tmp_path: Path) -> None:
    got = answer(stage(STUB_FIRST, fakes, tmp_path), "search", "cuda")
    failed = part(got, "failed")
    assert (failed["code"], failed["name"]) == (34, "CUDA_ERROR_STUB_LIBRARY")
    assert got["driver_version"] is None


@pytest.mark.parametrize("way", WAYS)
def test_a_hanging_call_is_the_last_one_announced(way: Way, fakes: Fakes, tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired) as caught:
        run(stage(HANG, fakes, tmp_path), way, "cuda", timeout=0.5)
    said = cast("bytes", caught.value.stderr).decode()
    assert said.splitlines()[-1] == "> cuInit"


@pytest.mark.parametrize("way", WAYS)
def test_a_crashing_call_is_the_last_one_announced(way: Way, fakes: Fakes, tmp_path: Path) -> None:
    done = run(stage(CRASH, fakes, tmp_path), way, "cuda")
    assert done.returncode == -signal.SIGSEGV
    assert (done.stdout, done.stderr.splitlines()[-1]) == ("", "> cuInit")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_probe_that_hangs_ends_with_the_parent_that_is_killed(fakes: Fakes, tmp_path: Path):
    """Nobody is left to kill it then. Both hold the pipe: it ends with the last of them."""
    parent = subprocess.Popen(
        ("sh", "-c", '"$@"; exit 1', "sh", str(PROGRAM), "cuda"),
        env=stage(HANG, fakes, tmp_path).environment("override"),
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert b"> cuInit\n" in cast("BufferedReader", parent.stderr)  # reads so far
        parent.kill()
        parent.communicate(timeout=DEADLINE_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)


def test_one_bad_device_does_not_spoil_the_list(fakes: Fakes, tmp_path: Path) -> None:
    gpus = (TWO_DIFFERENT_CARDS.gpus[0], replace(TWO_DIFFERENT_CARDS.gpus[1], lost=True))
    made = stage(replace(TWO_DIFFERENT_CARDS, gpus=gpus), fakes, tmp_path)
    good, lost = devices(answer(made, "search", "nvml"))
    assert (good["name"], good["failed"]) == (RTX_3060.name, None)
    assert part(lost, "failed")["code"] == 15


def test_a_field_that_cannot_be_read_is_null_and_has_its_code(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(HEALTHY_H100, faults={"nvmlDeviceGetMigMode": 3}), fakes, tmp_path)
    [device] = devices(answer(made, "search", "nvml"))
    assert (device["mig_mode"], part(device, "unread")["mig_mode"]) == (None, 3)
    assert device["name"] == H100.name
