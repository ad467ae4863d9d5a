"""What the probe program tells of NVML beyond the identity of a GPU."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from gpuprobe.facts.nvml_details import Connection, Health, State
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from support.machines import (
    A100,
    A100_1G,
    A100_2G,
    H200,
    RTX_3060,
    TESLA_T4,
    Process,
    bridged_pair,
    nvswitch_machine,
    with_mig,
)
from support.probe import Answer, answer, devices, needs_the_program, nothing_leaked, part, run
from support.scenario import Stage, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes


pytestmark = needs_the_program


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
    assert [(link["link"], link["remote_kind"]) for link in links if link["active"] == 0] == [
        (2, None)
    ]
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
