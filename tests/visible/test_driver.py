"""The prediction against a driver that reads the value by a parser of its own (the fake's)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from gpuprobe.diagnosis.questions.visible.devices import as_foreseen
from gpuprobe.facts.answers import Answer
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.probe import Probe
from gpuprobe.facts.version import Version
from gpuprobe.knowledge.visible_devices.predictor import predict
from scenarios.healthy import HEALTHY
from support.machines import DRIVER_535
from support.scenario import Scenario, Stage, stage
from support.visible_machines import DRIVER_570, FOUR, GPUS, MIGS, SPLIT, SPLIT_GPUS, UUIDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from support.fakes import Fakes
    from support.gpu import Driver

HAND_MADE = (
    *(None, "", " ", "0", "-0", "+3", " 1", "1gpu2,2ampere", "2, +3, -0, 1", "0, 1, 2, 1", "-1"),
    *("one,two,3", "3,2,two,one", "5,0", "0,,1", ",0", "0,", "0x1", "010", '"0"', "all", "0-2"),
    *("GPU-3f6a,GPU-47", "GPU-3f", "GPU-9e8d, 2", f"{UUIDS[2]},GPU-9e8", "GPU-", "GPU-9E8D", "\t2"),
)
PARTS = ("0", "1", "2", "3", "4", "-1", "+1", " 2", "1x", "", "a", "GPU-3f6a", "GPU-47", "GPU-3f",
         UUIDS[3], "GPU-0", "MIG-1", "-0", "03")  # fmt: skip
MIG_PARTS = (*(mig.uuid for mig in MIGS), UUIDS[0], UUIDS[1], "0", "1", "2", "MIG-0", "",
             f"MIG-{UUIDS[1]}/2/0", f"MIG-{UUIDS[1]}/9/0")  # fmt: skip


def made_up(parts: Sequence[str], count: int) -> list[str]:
    """Lists of one to four parts, the same ones in each run."""
    dice = random.Random(7)
    return [",".join(dice.choices(parts, k=dice.randint(1, 4))) for _ in range(count)]


def seen(made: Stage, value: str | None) -> tuple[str | None, ...]:
    """What the driver shows under `value`, asked by the probe program."""
    variables = made.environment("override") | {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    if value is not None:
        variables["CUDA_VISIBLE_DEVICES"] = value
    probe = Probe(variables, Machine().tell)
    try:
        probe.start("cuda")
        answer = probe.answer("cuda")
    finally:
        probe.stop()
    assert isinstance(answer, Answer), answer
    return tuple(device.uuid for device in answer.devices)


@pytest.fixture(scope="module")
def four(fakes: Fakes, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    scenario = Scenario(name="four", expect=HEALTHY, gpus=FOUR, driver=DRIVER_535)
    return stage(scenario, fakes, tmp_path_factory.mktemp("four"))


@pytest.mark.parametrize("value", HAND_MADE)
def test_driver_shows_what_is_foretold(value: str | None, four: Stage) -> None:
    foretold = predict(value, GPUS, Version("525.60.13"))
    assert foretold.devices is not None
    assert seen(four, value) == tuple(each.uuid for each in foretold.devices)


def test_driver_shows_what_is_foretold_for_lists_made_by_chance(four: Stage) -> None:
    wrong = {}
    for value in made_up(PARTS, 60):
        foretold = predict(value, GPUS, Version("525.60.13"))
        shown = seen(four, value)
        if shown != tuple(each.uuid for each in foretold.devices or ()):
            wrong[value] = (shown, foretold.devices)
    assert wrong == {}


@pytest.mark.parametrize("driver", [DRIVER_535, DRIVER_570], ids=lambda each: each.version)
def test_driver_with_mig_answers_within_the_open_questions(
    driver: Driver, fakes: Fakes, tmp_path: Path
) -> None:
    gpus = (FOUR[0], SPLIT)
    scenario = Scenario(name="split", expect=HEALTHY, gpus=gpus, migs=MIGS, driver=driver)
    made = stage(scenario, fakes, tmp_path)
    wrong, lengths = {}, set()
    for value in (None, *made_up(MIG_PARTS, 30)):
        foretold = predict(value, SPLIT_GPUS, Version(driver.version))
        shown = seen(made, value)
        lengths.add(len(shown))
        if not as_foreseen(foretold, shown):
            wrong[value] = (shown, foretold.devices, foretold.others)
    assert wrong == {}
    assert {0, 1} <= lengths, "lists that show nothing, or all, would prove little"
