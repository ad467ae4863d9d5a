"""The probe program on every scenario, by override and through the real library search."""

from __future__ import annotations

import json
import signal
import subprocess
from dataclasses import replace
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import pytest

from gpuprobe.facts.nvml_details import Connection, Health, State
from scenarios import SCENARIOS
from scenarios.driver import CRASH, HANG, LIBRARY_MISMATCH, NVML_HANG, STUB_FIRST
from scenarios.healthy import HEALTHY, HEALTHY_H100, TWO_DIFFERENT_CARDS
from support.machines import (
    A100,
    A100_1G,
    A100_2G,
    DRIVER_470,
    DRIVER_580,
    H100,
    H200,
    RTX_3060,
    RTX_4090,
    TESLA_T4,
    Driver,
    Gpu,
    Process,
    bridged_pair,
    nvswitch_machine,
    with_mig,
)
from support.scenario import WAYS, Scenario, Stage, Way, stage
from support.vendor import is_installed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from support.fakes import Fakes

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Answer: TypeAlias = "dict[str, Json]"

PROGRAM = Path(str(files("gpuprobe"))) / "_probe" / "gpuprobe-probe"

pytestmark = pytest.mark.skipif(
    not PROGRAM.is_file(), reason="gpuprobe is installed without its probe program"
)

DEADLINE_S = 60.0  # against a probe that hangs; no test waits for it


def run(
    made: Stage, way: Way, *arguments: str, timeout: float = DEADLINE_S
) -> subprocess.CompletedProcess[str]:
    if way == "search" and made.scenario.driver is None and is_installed("libcuda.so.1"):
        pytest.skip("this machine's own libcuda would be found")
    return subprocess.run(
        (str(PROGRAM), *arguments),
        check=False,
        capture_output=True,
        text=True,
        env=made.environment(way),
        timeout=timeout,
    )


def answer(made: Stage, way: Way, *arguments: str) -> Answer:
    done = run(made, way, *arguments)
    assert done.returncode == 0, (done.returncode, done.stderr)
    [line] = done.stdout.splitlines()
    return cast("Answer", json.loads(line))


def part(value: Mapping[str, Json], name: str) -> Answer:
    found = value[name]
    assert isinstance(found, dict), (name, found)
    return found


def devices(value: Answer) -> list[Answer]:
    return cast("list[Answer]", value["devices"])


def nothing_leaked(made: Stage) -> None:
    assert not alive(made), made.reports()


def alive(made: Stage) -> set[str]:
    """The kinds of object that are still there at the end of a process, each of them once."""
    counts = [
        (name, number)
        for report in made.reports()
        for name, number in report.items()
        if name not in {"library", "calls", "failed"} and number != 0
    ]
    assert all(number == 1 for _, number in counts), counts
    return {name for name, _ in counts}


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
        assert library["via"] == way
        library.pop("via")
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
    got = answer(stage(scenario, fakes, tmp_path), "override", "nvml")
    if scenario.driver is None:
        assert part(got, "failed")["kind"] == "library"
    elif "nvmlInit_v2" in scenario.faults:
        failed = part(got, "failed")
        assert (failed["kind"], failed["call"], failed["code"]) == (
            "nvml",
            "nvmlInit_v2",
            scenario.faults["nvmlInit_v2"],
        )
    else:
        assert [each["uuid"] for each in devices(got)] == [gpu.uuid for gpu in scenario.gpus]
        assert [each["pci"] for each in devices(got)] == [gpu.pci for gpu in scenario.gpus]


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


# -- what NVML tells beyond the identity ---------------------------------------------------------


def first_of(made: Stage) -> Answer:
    return devices(answer(made, "search", "nvml"))[0]


def test_numbers_are_those_of_the_card(fakes: Fakes, tmp_path: Path) -> None:
    card = replace(
        TESLA_T4, throttle=0x28, utilization=97, ecc_corrected=11, ecc_uncorrected_total=2,
        pages_single_bit=4, pages_double_bit=1, pages_pending=1, pcie_width=4, power=69.5,
    )  # fmt: skip
    device = first_of(stage(replace(HEALTHY_H100, gpus=(card,)), fakes, tmp_path))
    assert {key: value for key, value in device.items() if isinstance(value, int)} == {
        "index": 0, "minor": 0, "memory_total_bytes": 15360 << 20, "compute_mode": 0,
        "memory_free_bytes": 15360 << 20, "memory_used_bytes": 0, "persistence_mode": 0,
        "clock_sm_mhz": 345, "clock_sm_max_mhz": 1590, "clock_memory_mhz": 5001,
        "clock_memory_max_mhz": 5001, "power_milliwatts": 69500, "power_limit_milliwatts": 70000,
        "power_limit_default_milliwatts": 70000, "power_limit_max_milliwatts": 70000,
        "temperature_c": 34, "temperature_slowdown_c": 90, "throttle_bits": 0x28,
        "utilization_percent": 97, "ecc_mode": 1, "ecc_corrected": 11, "ecc_uncorrected": 0,
        "ecc_uncorrected_total": 2, "pages_single_bit": 4, "pages_double_bit": 1,
        "pages_pending": 1, "pcie_generation": 3, "pcie_generation_max": 3,
        "card_generation_max": 3, "pcie_width": 4, "pcie_width_max": 16, "nvlink_errors": 0,
    }  # fmt: skip
    unread = part(device, "unread")
    assert set(unread.values()) == {3}
    assert {"mig_mode", "rows_pending", "fabric_state"} < set(unread)


def test_every_number_that_python_reads_is_written(fakes: Fakes, tmp_path: Path) -> None:
    """A name that differs would be read as "does not say"."""
    written = set(first_of(stage(HEALTHY_H100, fakes, tmp_path)))
    assert {*State._fields, *Health._fields, *Connection._fields} <= written


def test_eight_gpus_on_switches_tell_their_links_and_paths(fakes: Fakes, tmp_path: Path) -> None:
    gpus = nvswitch_machine(H200)
    down = replace(gpus[3], nvlinks_up=gpus[3].nvlinks_up & ~0b100, nvlink_errors=17)
    scenario = replace(HEALTHY_H100, gpus=(*gpus[:3], down, *gpus[4:]))
    found = devices(answer(stage(scenario, fakes, tmp_path), "search", "nvml"))
    assert len(found) == 8
    third = found[3]
    links = cast("list[Answer]", third["nvlinks"])
    assert [link["link"] for link in links if link["active"] == 0] == [2]
    assert {link["remote_kind"] for link in links if link["active"] == 1} == {2}
    assert (len(links), third["nvlink_errors"]) == (18, 17)
    assert (third["fabric_state"], third["cpu_affinity"]) == (3, "0-47")
    levels = {path["index"]: path["level"] for path in cast("list[Answer]", third["paths"])}
    assert levels == {0: 40, 1: 40, 2: 10, 4: 50, 5: 50, 6: 50, 7: 50}


def test_a_bridge_leads_to_the_other_card(fakes: Fakes, tmp_path: Path) -> None:
    pair = bridged_pair(RTX_3060, links=4)
    made = stage(replace(HEALTHY_H100, gpus=pair), fakes, tmp_path)
    links = cast("list[Answer]", first_of(made)["nvlinks"])
    assert [link["remote"] for link in links] == [pair[1].pci] * 4


def test_mig_instances_are_listed_past_empty_places(fakes: Fakes, tmp_path: Path) -> None:
    scenario = replace(HEALTHY_H100, gpus=(with_mig(A100),), migs=(A100_2G, A100_1G))
    made = stage(scenario, fakes, tmp_path)
    device = first_of(made)
    assert device["mig_devices"] == [
        {
            "place": each.place,
            "name": each.name,
            "uuid": each.uuid,
            "memory_bytes": each.memory_mib << 20,
            "gpu_instance": each.gpu_instance,
            "compute_instance": 0,
            "unread": {},
        }
        for each in (A100_1G, A100_2G)
    ]
    listed = devices(answer(made, "search", "cuda"))
    assert [each["uuid"] for each in listed] == [A100_2G.uuid, A100_1G.uuid]
    assert [each["sms"] for each in listed] == [28, 14]
    nothing_leaked(made)


def test_a_gpu_that_may_be_split_and_is_not_has_no_instances(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(replace(HEALTHY_H100, gpus=(A100,)), fakes, tmp_path)
    assert (first_of(made)["mig_mode"], first_of(made)["mig_devices"]) == (0, [])


def test_processes_of_all_users_are_listed_however_many(fakes: Fakes, tmp_path: Path) -> None:
    many = tuple(Process(f"worker{n}", 5000 + n, 10) for n in range(40))
    told_not = Process("Xwayland", 77, None, draws=True)
    made = stage(replace(HEALTHY_H100, processes=(*many, told_not)), fakes, tmp_path)
    processes = cast("list[Answer]", first_of(made)["processes"])
    assert [each["pid"] for each in processes] == [*range(5000, 5040), 77]
    assert (processes[0]["name"], processes[0]["used_bytes"]) == ("worker0", 10 << 20)
    assert processes[-1]["used_bytes"] is None


def test_a_gpu_lost_while_it_is_asked_spoils_no_other(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(
        replace(TWO_DIFFERENT_CARDS, faults={"nvmlDeviceGetPowerUsage@2": 15}), fakes, tmp_path
    )
    first, second = devices(answer(made, "search", "nvml"))
    assert (first["power_milliwatts"], second["power_milliwatts"]) == (12700, None)
    assert part(second, "unread")["power_milliwatts"] == 15
    assert second["temperature_c"] == 34


@pytest.mark.parametrize("call", ["nvmlDeviceGetUtilizationRates", "nvmlDeviceGetNvLinkState"])
def test_an_optional_call_that_hangs_is_the_last_one_announced(
    call: str, fakes: Fakes, tmp_path: Path
) -> None:
    made = stage(replace(HEALTHY_H100, faults={call: "hang 60"}), fakes, tmp_path)
    with pytest.raises(subprocess.TimeoutExpired) as caught:
        run(made, "search", "nvml", timeout=1.0)
    said = cast("bytes", caught.value.stderr).decode()
    assert said.splitlines()[-1] == f"> {call}"


# -- the kernel -------------------------------------------------------------------------------


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


def test_just_enough_free_memory_is_enough(fakes: Fakes, tmp_path: Path) -> None:
    gpu = replace(H100, used_mib=H100.memory_mib - 600)
    made = stage(replace(HEALTHY_H100, gpus=(gpu,)), fakes, tmp_path)
    assert part(answer(made, "search", "kernel"), "kernel")["result"] == "right"


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
        if not got["ok"]:
            failed = part(got, "failed")
            assert (failed["call"], failed["code"]) == (called, CODE), (nth, called)
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
