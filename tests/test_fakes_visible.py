"""Which devices the fakes show under CUDA_VISIBLE_DEVICES and MIG, as drivers do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY, TWO_DIFFERENT_CARDS
from support.machines import (
    A100,
    A100_1G,
    A100_3G,
    DRIVER_535,
    DRIVER_580,
    RTX_4090,
    TESLA_T4,
    Driver,
    Gpu,
    with_mig,
)
from support.scenario import Scenario, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

from support.child import printed

ONE_CARD = Scenario(name="one card", expect=HEALTHY)

#: Prints the UUIDs that CUDA shows, in its order.
SHOWN = "import json; from support.vendor import *; print(json.dumps(visible_uuids()))"


def card(number: int, uuid: str) -> Gpu:
    """Cards of falling speed, so that CUDA's order is the order of these numbers."""
    return replace(
        RTX_4090, uuid=uuid, pci=f"0000:0{9 - number}:00.0", minor=number, sms=99 - number
    )


FOUR = (
    card(0, "GPU-9e8d35e3-0000-4000-8000-000000000000"),
    card(1, "GPU-47c10b5d-0000-4000-8000-000000000001"),
    card(2, "GPU-aaaa0000-0000-4000-8000-000000000002"),
    card(3, "GPU-aaaa1111-0000-4000-8000-000000000003"),
)


@pytest.mark.parametrize(
    ("count", "value", "visible"),
    [
        (4, None, [0, 1, 2, 3]),
        (4, "", []),
        (4, "0, 1, 2, -1, 3", [0, 1, 2]),
        (4, "1gpu2,2ampere", [1, 2]),
        (4, "2, +3, -0, 1", [2, 3, 0, 1]),
        (4, "0, 1, 2, 1", []),
        (4, "one,two,3", []),
        (4, "3,2,two,one", [3, 2]),
        (2, "1, 5, 0", [1]),
        (2, "5,0", []),
        (4, "GPU-9e8d,GPU-47", [0, 1]),
        (4, "GPU-9e8d, 2", [0]),
        (4, "2,GPU-9e8d", [2]),
        (4, "GPU-aaaa", []),
        (4, "GPU-9e8d,GPU-aaaa,GPU-47", [0]),
        (4, "GPU-9e8d35e3-0000-4000-8000-000000000000,GPU-9e8", []),
        (4, "16", []),
        (4, "-1", []),
        (4, "all", []),
        (4, "0,,1", [0]),
        (4, '"0"', []),
    ],
)
def test_visible_devices_are_read_as_driver_525_reads_them(
    count: int, value: str | None, visible: list[int], fakes: Fakes, tmp_path: Path
) -> None:
    variables = {} if value is None else {"CUDA_VISIBLE_DEVICES": value}
    machine = replace(ONE_CARD, gpus=FOUR[:count], environment=variables)
    uuids = printed(
        stage(machine, fakes, tmp_path),
        SHOWN,
    )
    assert uuids == [FOUR[number].uuid for number in visible]


@pytest.mark.parametrize(("order", "first"), [(None, 1), ("FASTEST_FIRST", 1), ("PCI_BUS_ID", 0)])
def test_the_fastest_card_is_first_unless_the_bus_decides(
    order: str | None, first: int, fakes: Fakes, tmp_path: Path
) -> None:
    variables = {"CUDA_VISIBLE_DEVICES": "0"} | ({"CUDA_DEVICE_ORDER": order} if order else {})
    made = stage(replace(TWO_DIFFERENT_CARDS, environment=variables), fakes, tmp_path)
    assert printed(made, SHOWN) == [TWO_DIFFERENT_CARDS.gpus[first].uuid]


SPLIT = with_mig(A100)
BESIDE = replace(TESLA_T4, pci="0000:81:00.0", minor=1)
#: A second compute instance of the GPU instance of 3g.20gb.
SIBLING = replace(
    A100_3G, uuid="MIG-9c3d4e5f-6071-5829-ba4b-5c6d7e8f9001", compute_instance=1, place=4
)
WITH_MIG = replace(ONE_CARD, gpus=(SPLIT, BESIDE), migs=(A100_3G, SIBLING, A100_1G))
ALL = [A100_3G.uuid, A100_1G.uuid, BESIDE.uuid]
OLD_FORM = f"MIG-{SPLIT.uuid}/{A100_1G.gpu_instance}/0"


@pytest.mark.parametrize(
    ("driver", "value", "visible"),
    [
        (DRIVER_580, None, ALL),
        (DRIVER_580, A100_1G.uuid, [A100_1G.uuid]),
        (DRIVER_580, OLD_FORM, [A100_1G.uuid]),
        (DRIVER_580, f"{A100_1G.uuid},{A100_3G.uuid}", [A100_1G.uuid, A100_3G.uuid]),
        (DRIVER_580, f"{A100_3G.uuid},{SIBLING.uuid},{A100_1G.uuid}", ALL[:2]),
        (DRIVER_580, BESIDE.uuid, [BESIDE.uuid]),
        (DRIVER_580, f"{A100_1G.uuid},{BESIDE.uuid}", [A100_1G.uuid]),
        (DRIVER_580, A100_1G.uuid[:12], []),
        (DRIVER_580, SPLIT.uuid, []),
        (DRIVER_535, None, [A100_3G.uuid]),
        (DRIVER_535, f"{A100_1G.uuid},{A100_3G.uuid}", [A100_1G.uuid]),
        (DRIVER_535, BESIDE.uuid, []),
    ],
)
def test_mig_instances_stand_in_the_place_of_their_gpu(
    driver: Driver, value: str | None, visible: list[str], fakes: Fakes, tmp_path: Path
) -> None:
    """Before R570 a process sees one instance and no GPU beside it."""
    variables = {} if value is None else {"CUDA_VISIBLE_DEVICES": value}
    machine = replace(WITH_MIG, driver=driver, environment=variables)
    assert printed(stage(machine, fakes, tmp_path), SHOWN) == visible


def test_a_gpu_in_mig_mode_without_instances_is_no_cuda_device(
    fakes: Fakes, tmp_path: Path
) -> None:
    machine = replace(ONE_CARD, gpus=(SPLIT, BESIDE), driver=DRIVER_535)
    assert printed(stage(machine, fakes, tmp_path), SHOWN) == [BESIDE.uuid]
