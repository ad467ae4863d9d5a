"""The probe program's kernel; any one call of any step fails."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY, HEALTHY_H100
from support.machines import (
    A100,
    A100_1G,
    DRIVER_470,
    DRIVER_580,
    H100,
    RTX_3060,
    Driver,
    Gpu,
    Process,
    bridged_pair,
    with_mig,
)
from support.probe import Answer, alive, answer, needs_the_program, nothing_leaked, part
from support.scenario import Scenario, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes


pytestmark = needs_the_program


@pytest.mark.parametrize(
    ("driver", "gpu", "image"),
    [
        (DRIVER_580, H100, "cubin sm_90a"),
        (DRIVER_580, RTX_3060, "cubin sm_86"),
        (DRIVER_470, RTX_3060, "ptx sm_50"),
    ],
)
def test_the_kernel_runs_from_the_image_that_fits_and_is_right(
    driver: Driver, gpu: Gpu, image: str, fakes: Fakes, tmp_path: Path
) -> None:
    scenario = Scenario(name="kernel", expect=HEALTHY, driver=driver, gpus=(gpu,))
    made = stage(scenario, fakes, tmp_path)
    kernel = part(answer(made, "search", "kernel"), "kernel")
    assert (kernel["result"], kernel["image"]) == ("right", image)
    assert kernel["expected"] == kernel["got"]
    nothing_leaked(made)


@pytest.mark.parametrize("copy", [1, 2])
def test_a_wrong_bit_in_a_copy_is_a_wrong_result(copy: int, fakes: Fakes, tmp_path: Path) -> None:
    faults = {f"cuMemcpyDtoH_v2@{copy}": "flip"}
    made = stage(replace(HEALTHY_H100, faults=faults), fakes, tmp_path)
    got = answer(made, "search", "kernel")
    assert part(got, "kernel")["result"] == "wrong"
    assert part(got, "failed")["kind"] == "wrong-result"
    nothing_leaked(made)


@pytest.mark.parametrize(
    ("gpu", "why"),
    [
        (replace(H100, compute_mode=2), "PROHIBITED"),
        (replace(H100, compute_mode=3), "EXCLUSIVE_PROCESS"),
        (replace(H100, used_mib=H100.memory_mib - 599), "599 MiB"),
    ],
)
def test_a_closed_or_full_device_is_left_alone(
    gpu: Gpu, why: str, fakes: Fakes, tmp_path: Path
) -> None:
    made = stage(replace(HEALTHY_H100, gpus=(gpu,)), fakes, tmp_path)
    kernel = part(answer(made, "search", "kernel"), "kernel")
    assert kernel["result"] == "not run"
    assert why in str(kernel["why"])
    nothing_leaked(made)


def test_a_mig_instance_is_judged_by_its_own_memory(fakes: Fakes, tmp_path: Path) -> None:
    split = replace(with_mig(A100), used_mib=A100.memory_mib - 100)
    machine = replace(HEALTHY_H100, driver=DRIVER_580, gpus=(split,), migs=(A100_1G,))
    made = stage(machine, fakes, tmp_path)
    assert part(answer(made, "search", "kernel"), "kernel")["result"] == "right"


def test_just_enough_free_memory_is_enough(fakes: Fakes, tmp_path: Path) -> None:
    gpu = replace(H100, used_mib=H100.memory_mib - 600)
    made = stage(replace(HEALTHY_H100, gpus=(gpu,)), fakes, tmp_path)
    assert part(answer(made, "search", "kernel"), "kernel")["result"] == "right"


@pytest.mark.parametrize(
    "call", ["nvmlInit_v2", "nvmlDeviceGetHandleByUUID", "nvmlDeviceGetMemoryInfo"]
)
def test_where_nvml_does_not_tell_the_free_memory_the_kernel_runs(
    call: str, fakes: Fakes, tmp_path: Path
) -> None:
    made = stage(replace(HEALTHY_H100, faults={call: CODE}), fakes, tmp_path)
    kernel = part(answer(made, "search", "kernel"), "kernel")
    assert kernel["result"] == "right", kernel["why"]


# -- any one call fails -----------------------------------------------------------------------

CODE = 999

#: What can no longer be given back when the call that gives it back fails.
LEFT_BY = {
    "cuMemFree_v2": "allocations",
    "cuModuleUnload": "modules",
    "cuDevicePrimaryCtxRelease_v2": "contexts",
    "nvmlShutdown": "initialised",
}
#: Calls whose failure need not be told: the first has a newer twin, the others only describe the
#: device, which the step "kernel" leaves to the step "cuda".
NOT_NEEDED = {
    "nvml": set[str](),
    "cuda": {"cuDeviceGetUuid"},
    "kernel": {
        "cuDeviceGetName",
        "cuDeviceGetUuid",
        "cuDeviceGetUuid_v2",
        "cuDeviceGetPCIBusId",
        "cuDeviceGetAttribute",
        "cuDeviceTotalMem_v2",
    },
}


#: Two cards of which each list has something: links, instances, processes.
_PAIR = bridged_pair(A100, links=1)
RICH = replace(
    HEALTHY_H100,
    gpus=(with_mig(_PAIR[0]), _PAIR[1]),
    migs=(A100_1G,),
    processes=(Process("python", 4242, 512, gpu=1),),
)


@pytest.mark.parametrize(
    ("step", "machine"),
    [("nvml", HEALTHY_H100), ("nvml", RICH), ("cuda", HEALTHY_H100), ("kernel", HEALTHY_H100)],
    ids=["nvml", "nvml with everything", "cuda", "kernel"],
)
def test_any_one_call_may_fail_and_is_named_and_nothing_leaks(
    step: str, machine: Scenario, fakes: Fakes, tmp_path: Path
) -> None:
    """One call more is let through each time, until the step ends before the one that fails."""
    calls = "nvml*" if step == "nvml" else "cu*"
    got: Answer = {}
    for nth in count(1):
        (tmp_path / str(nth)).mkdir()
        scenario = replace(machine, faults={f"{calls}@{nth}": CODE})
        made = stage(scenario, fakes, tmp_path / str(nth))
        got = answer(made, "search", step)
        called = "".join(str(report["failed"]) for report in made.reports())
        if not called:
            break
        assert alive(made) == {LEFT_BY[called]} if called in LEFT_BY else not alive(made), called
        for device in got.get("devices") or []:  # type: ignore[attr-defined]
            told = [name for name in device["unread"] if device.get(name) is not None]
            assert told == [], (nth, called)
        if not got["ok"]:
            failed = part(got, "failed")
            assert (failed["call"], failed["code"]) == (called, CODE), (nth, called)
            if part(got, "times_ms").get("context"):  # the kernel was begun, and not left out
                assert part(got, "kernel")["result"] == "failed", (nth, called)
        elif called not in NOT_NEEDED[step]:
            assert f": {CODE}" in json.dumps(got), (nth, called)
    assert got["ok"]
    assert nth > 10


@pytest.mark.parametrize("code", [700, 719])
def test_the_first_error_wins_over_those_of_the_clean_up(
    code: int, fakes: Fakes, tmp_path: Path
) -> None:
    made = stage(replace(HEALTHY_H100, faults={"cuCtxSynchronize@1": code}), fakes, tmp_path)
    failed = part(answer(made, "search", "kernel"), "failed")
    assert (failed["call"], failed["code"]) == ("cuCtxSynchronize", code)
    # The code is sticky: the context answers nothing else, not even a free. It is released.
    assert "contexts" not in {
        name for report in made.reports() for name, number in report.items() if number
    }
