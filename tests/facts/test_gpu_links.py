"""PCIe and its slot, NVLink, the fabric, what is near."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.gpus import devices
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from support.machines import DRIVER_535, H100
from support.trees import kernel_files, write_files

from .played import NOT_RUN, OTHER_UUID, answered, link, nvml_device

if TYPE_CHECKING:
    from pathlib import Path

    from support.gpu import Gpu

    from .played import Part

SLOT = "/sys/devices/pci0000:00/0000:00:01.0"
CARD = f"{SLOT}/0000:01:00.0"
LISTED = "/sys/bus/pci/devices/0000:01:00.0"


def facts_of(*listed: dict[str, Part], machine: Machine | None = None) -> Facts:
    nvml = answered("nvml", devices=list(listed))
    return Facts(dict(devices.collect(machine or Machine("/nowhere"), NOT_RUN, nvml)))


def machine_with(gpu: Gpu, root: Path) -> Machine:
    write_files(root, kernel_files((gpu,), "nvidia", DRIVER_535, nodes=True))
    return Machine(str(root))


# -- PCIe -----------------------------------------------------------------------------------------


def test_card_and_slot_have_limits_of_their_own(tmp_path: Path):
    gpu = replace(H100, slot_generation_max=4, slot_width_max=8)
    device = nvml_device(
        pcie_generation=1, pcie_generation_max=4, card_generation_max=5,
        pcie_width=8, pcie_width_max=8,
    )  # fmt: skip
    facts = facts_of(device, machine=machine_with(gpu, tmp_path))
    assert facts.need(names.GPU_PCIE_GENERATION(0)) == 1
    assert facts.need(names.GPU_PCIE_WIDTH(0)) == 8
    assert facts.need(names.GPU_PCIE_GENERATION_MAX(0)) == 5
    assert facts.fact(names.GPU_PCIE_WIDTH_MAX(0)) == Known(16, f"{CARD}/max_link_width")
    assert facts.fact(names.GPU_SLOT_GENERATION_MAX(0)) == Known(4, f"{SLOT}/max_link_speed")
    assert facts.fact(names.GPU_SLOT_WIDTH_MAX(0)) == Known(8, f"{SLOT}/max_link_width")


def test_without_sysfs_the_limit_is_nvmls():
    device = nvml_device(pcie_generation_max=4, pcie_width_max=8, unread={"card_generation_max": 3})
    facts = facts_of(device)
    assert facts.fact(names.GPU_PCIE_GENERATION_MAX(0)) == Known(4, "NVML device 0")
    assert facts.fact(names.GPU_PCIE_WIDTH_MAX(0)) == Known(8, "NVML device 0")
    assert facts.fact(names.GPU_SLOT_WIDTH_MAX(0)) == Unknown(f"no {LISTED}")
    assert facts.fact(names.GPU_NUMA_NODE(0)) == Unknown(f"no {LISTED}")


def test_a_card_without_a_bridge_has_no_slot(tmp_path: Path):
    """As in a virtual machine that is handed a card."""
    folder = tmp_path / "sys/devices/pci0000:00/0000:01:00.0"
    folder.mkdir(parents=True)
    (tmp_path / "sys/bus/pci/devices").mkdir(parents=True)
    (tmp_path / LISTED.lstrip("/")).symlink_to("../../../devices/pci0000:00/0000:01:00.0")
    facts = facts_of(nvml_device(), machine=Machine(str(tmp_path)))
    absent = Absent("a bridge above /sys/devices/pci0000:00/0000:01:00.0")
    assert facts.fact(names.GPU_SLOT_WIDTH_MAX(0)) == absent


@pytest.mark.parametrize(
    ("speed", "generation"),
    [("2.5 GT/s PCIe", 1), ("5 GT/s", 2), ("8.0 GT/s PCIe", 3), ("16 GT/s", 4), ("64.0 GT/s", 6)],
)
def test_a_generation_is_known_by_its_speed(speed: str, generation: int, tmp_path: Path):
    machine = machine_with(H100, tmp_path)
    (tmp_path / SLOT.lstrip("/") / "max_link_speed").write_text(f"{speed}\n")
    facts = facts_of(nvml_device(), machine=machine)
    assert facts.need(names.GPU_SLOT_GENERATION_MAX(0)) == generation


@pytest.mark.parametrize(
    ("file", "text", "key"),
    [
        ("max_link_speed", "Unknown", names.GPU_SLOT_GENERATION_MAX(0)),
        ("max_link_width", "0", names.GPU_SLOT_WIDTH_MAX(0)),
        ("max_link_width", "255", names.GPU_SLOT_WIDTH_MAX(0)),
        ("max_link_width", "", names.GPU_SLOT_WIDTH_MAX(0)),
    ],
)
def test_a_limit_that_the_kernel_does_not_know_is_unknown(
    file: str, text: str, key: object, tmp_path: Path
):
    machine = machine_with(H100, tmp_path)
    (tmp_path / SLOT.lstrip("/") / file).write_text(f"{text}\n")
    facts = facts_of(nvml_device(), machine=machine)
    assert facts.fact(key) == Unknown(f"{SLOT}/{file} says {text!r}")  # type: ignore[arg-type]


def test_the_numa_node_is_that_of_the_slot(tmp_path: Path):
    machine = machine_with(replace(H100, numa_node=1), tmp_path)
    assert facts_of(nvml_device(), machine=machine).need(names.GPU_NUMA_NODE(0)) == 1
    (tmp_path / CARD.lstrip("/") / "numa_node").write_text("-1\n")
    facts = facts_of(nvml_device(), machine=machine)
    assert facts.fact(names.GPU_NUMA_NODE(0)) == Absent(f"{CARD}/numa_node")


def test_on_windows_the_slot_is_not_looked_at():
    facts = facts_of(nvml_device(pcie_width_max=16), machine=Machine("/nowhere", system="Windows"))
    assert facts.need(names.GPU_PCIE_WIDTH_MAX(0)) == 16
    assert isinstance(facts.fact(names.GPU_SLOT_WIDTH_MAX(0)), Unknown)


# -- NVLink and other GPUs ------------------------------------------------------------------------


def to_gpu(number: int, address: str) -> dict[str, Part]:
    return link(number, remote_kind=0, remote=address)


def test_links_that_are_down_are_told_with_the_reason():
    links: list[Part] = [
        link(0),
        link(1, active=0, remote_kind=None),
        link(4, active=None, remote_kind=None, unread={"active": 999}),
    ]
    facts = facts_of(nvml_device(nvlinks=links, nvlink_errors=12))
    assert facts.need(names.GPU_NVLINKS(0)) == 3
    assert facts.need(names.GPU_NVLINKS_DOWN(0)) == ("link 1: inactive", "link 4: code 999")
    assert facts.need(names.GPU_NVLINK_PEERS(0)) == ("switch x1",)
    assert facts.need(names.GPU_NVLINK_ERRORS(0)) == 12


def test_a_card_without_nvlink_has_none():
    facts = facts_of(nvml_device())
    assert facts.need(names.GPU_NVLINKS(0)) == 0
    assert facts.need(names.GPU_NVLINKS_DOWN(0)) == ()
    assert facts.need(names.GPU_PEERS(0)) == ()


def test_links_that_could_not_be_listed_are_unknown():
    facts = facts_of(nvml_device(nvlinks=None, unread={"nvlinks": 15}))
    unknown = Unknown("NVML device 0 does not say (code 15, the GPU is lost)")
    assert facts.fact(names.GPU_NVLINKS(0)) == unknown
    assert facts.fact(names.GPU_NVLINKS_DOWN(0)) == unknown
    assert facts.fact(names.GPU_NVLINK_PEERS(0)) == unknown


def path(index: int, level: int | None, **fields: Part) -> dict[str, Part]:
    return {"index": index, "level": level, "unread": {}, **fields}


def test_peers_are_reached_by_nvlink_or_by_the_pcie_tree():
    other, third = "0000:41:00.0", "0000:81:00.0"
    first: list[Part] = [to_gpu(0, other), to_gpu(1, other), to_gpu(2, "0000:99:00.0")]
    facts = facts_of(
        nvml_device(0, nvlinks=first, paths=[path(1, 50), path(2, 20)]),
        nvml_device(
            1, uuid=OTHER_UUID, pci=other, paths=[path(0, 50), path(2, None, unread={"level": 3})]
        ),
        nvml_device(2, uuid=f"{OTHER_UUID}3", pci=third, paths=[path(0, 20), path(1, 35)]),
    )
    assert facts.need(names.GPU_PEERS(0)) == ("GPU 1: NVLink x2", "GPU 2: several PCIe switches")
    assert facts.need(names.GPU_NVLINK_PEERS(0)) == ("GPU 1 x2", "0000:99:00.0 x1")
    peers = ("GPU 0: other NUMA node", "GPU 2: not told (code 3)")
    assert facts.need(names.GPU_PEERS(1)) == peers
    assert facts.need(names.GPU_PEERS(2)) == ("GPU 0: several PCIe switches", "GPU 1: level 35")


def test_through_switches_two_gpus_have_the_links_of_the_poorer():
    many: list[Part] = [link(number) for number in range(18)]
    facts = facts_of(
        nvml_device(0, nvlinks=many, paths=[path(1, 50)]),
        nvml_device(1, uuid=OTHER_UUID, pci="0000:41:00.0", nvlinks=many[:17], paths=[path(0, 50)]),
    )
    assert facts.need(names.GPU_PEERS(0)) == ("GPU 1: NVLink x17",)
    assert facts.need(names.GPU_PEERS(1)) == ("GPU 0: NVLink x17",)


@pytest.mark.parametrize(
    ("state", "status", "fact"),
    [
        (0, 0, Absent("NVML device 0")),
        (1, 0, Known("Not Started", "NVML device 0")),
        (2, 27, Known("In Progress", "NVML device 0")),
        (3, 0, Known("Completed", "NVML device 0")),
        (3, 999, Known("Completed (code 999)", "NVML device 0")),
        (7, 0, Known("state 7", "NVML device 0")),
        (None, None, Unknown("NVML device 0 does not say (code 3, not supported)")),
    ],
)
def test_the_place_in_a_fabric_has_the_words_of_nvidia_smi(
    state: int | None, status: int | None, fact: object
):
    device = nvml_device(fabric_state=state, fabric_status=status, unread={"fabric_state": 3})
    assert facts_of(device).fact(names.GPU_FABRIC_STATE(0)) == fact
