"""How each GPU is connected: PCIe and its slot, NVLink, the fabric, the CPUs and GPUs near it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Known, Unknown, entry
from ..pci import DEVICES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine
    from ..model import Entry, Fact
    from ..nvml_details import Connection, Details, NvLink
    from .views import Gpu

#: Transfers per second and lane, in the kernel's words: PCIe's generation.
_GENERATIONS = {"2.5": 1, "5": 2, "5.0": 2, "8": 3, "8.0": 3, "16": 4, "16.0": 4, "32.0": 5}
_GENERATIONS.update({"32": 5, "64.0": 6, "64": 6})
_MOST_LANES = 32
_COLONS = 2  # in an address, 0000:00:01.0
#: nvmlGpuTopologyLevel_t
_LEVELS = {
    0: "same board",
    10: "same PCIe switch",
    20: "several PCIe switches",
    30: "same host bridge",
    40: "same NUMA node",
    50: "other NUMA node",
}
#: NVML_GPU_FABRIC_STATE_…; 0 is "not supported"
_FABRIC = {1: "Not Started", 2: "In Progress", 3: "Completed"}


def collect(machine: Machine, number: int, gpu: Gpu, gpus: tuple[Gpu, ...]) -> Iterator[Entry]:
    """All about the connections of the GPU `number` of `gpus`."""
    details = gpu.details
    if details is None:
        return
    card = _card(machine, gpu)
    yield from _pcie(machine, number, gpu, details.connection, card)
    yield entry(names.GPU_NUMA_NODE(number), _numa_node(machine, card))
    yield entry(names.GPU_CPU_AFFINITY(number), gpu.told("cpu_affinity", details.cpu_affinity))
    yield entry(names.GPU_FABRIC_STATE(number), _fabric(gpu, details.connection))
    yield from _nvlinks(number, gpu, gpus, details)
    yield entry(names.GPU_PEERS(number), gpu.told("paths", _peers(gpu, gpus, details)))


# -- PCIe -----------------------------------------------------------------------------------------


def _pcie(
    machine: Machine, number: int, gpu: Gpu, seen: Connection, card: Fact[str]
) -> Iterator[Entry]:
    slot = _slot(card)
    generation_max = gpu.told("card_generation_max", seen.card_generation_max)
    if not isinstance(generation_max, Known):
        generation_max = _or(_generation(machine, card), "pcie_generation_max", gpu,
                             seen.pcie_generation_max)  # fmt: skip
    width_max = _or(_width(machine, card), "pcie_width_max", gpu, seen.pcie_width_max)
    generation = gpu.told("pcie_generation", seen.pcie_generation)
    yield entry(names.GPU_PCIE_GENERATION(number), generation)
    yield entry(names.GPU_PCIE_GENERATION_MAX(number), generation_max)
    yield entry(names.GPU_PCIE_WIDTH(number), gpu.told("pcie_width", seen.pcie_width))
    yield entry(names.GPU_PCIE_WIDTH_MAX(number), width_max)
    yield entry(names.GPU_SLOT_GENERATION_MAX(number), _generation(machine, slot))
    yield entry(names.GPU_SLOT_WIDTH_MAX(number), _width(machine, slot))


def _or(first: Fact[int], field: str, gpu: Gpu, told: int | None) -> Fact[int]:
    """NVML's limit takes the slot into account, so what sysfs says of the card comes before it."""
    return first if isinstance(first, Known) else gpu.told(field, told)


def _card(machine: Machine, gpu: Gpu) -> Fact[str]:
    """Its folder in sysfs, behind the link by which the bus lists it."""
    if machine.system != "Linux":
        return Unknown(f"PCIe's slots are read on Linux only, not on {machine.system}")
    pci = gpu.told("pci", gpu.nvml.pci if gpu.nvml else None)
    if not isinstance(pci, Known):
        return pci
    real = machine.real_path(f"{DEVICES}/{pci.value}")
    return Unknown(f"no {real.source}") if isinstance(real, Absent) else real


def _slot(card: Fact[str]) -> Fact[str]:
    """The folder of the bridge above the card, which holds the card's own."""
    if not isinstance(card, Known):
        return card
    above = card.value.rpartition("/")[0]
    # The folder of a bridge is called by its address, that of a host bridge pci0000:00.
    if above.rpartition("/")[2].count(":") < _COLONS:
        return Absent(f"a bridge above {card.value}")
    return Known(above, card.source)


def _generation(machine: Machine, folder: Fact[str]) -> Fact[int]:
    speed = _attribute(machine, folder, "max_link_speed")
    if not isinstance(speed, Known):
        return speed
    found = _GENERATIONS.get(speed.value.partition(" ")[0])
    return _known(found, speed)


def _width(machine: Machine, folder: Fact[str]) -> Fact[int]:
    lanes = _attribute(machine, folder, "max_link_width")
    if not isinstance(lanes, Known):
        return lanes
    found = int(lanes.value) if lanes.value.isascii() and lanes.value.isdigit() else 0
    return _known(found if 0 < found <= _MOST_LANES else None, lanes)


def _known(value: int | None, read: Known[str]) -> Fact[int]:
    if value is None:
        return Unknown(f"{read.source} says {read.value!r}")
    return Known(value, read.source)


def _attribute(machine: Machine, folder: Fact[str], name: str) -> Fact[str]:
    if not isinstance(folder, Known):
        return folder
    found = machine.read_text(f"{folder.value}/{name}", limit=4096)
    return Known(found.value.strip(), found.source) if isinstance(found, Known) else found


def _numa_node(machine: Machine, card: Fact[str]) -> Fact[int]:
    node = _attribute(machine, card, "numa_node")
    if not isinstance(node, Known):
        return node
    if node.value == "-1":
        return Absent(node.source)
    return _known(int(node.value) if node.value.isdigit() else None, node)


# -- NVLink and other GPUs ------------------------------------------------------------------------


def _fabric(gpu: Gpu, seen: Connection) -> Fact[str]:
    state, status = seen.fabric_state, seen.fabric_status
    if state == 0:
        return Absent(f"NVML device {gpu.nvml.number if gpu.nvml else 0}")
    told = None if state is None else _FABRIC.get(state, f"state {state}")
    if told == _FABRIC[3] and status:
        told = f"{told} (code {status})"
    return gpu.told("fabric_state", told)


def _nvlinks(number: int, gpu: Gpu, gpus: tuple[Gpu, ...], details: Details) -> Iterator[Entry]:
    links = details.nvlinks
    count = down = peers = None
    if links is not None:
        count = len(links)
        down = tuple(f"link {link.number}: {_why_down(link)}" for link in links if not link.active)
        ends = [_end(link, gpus) for link in links if link.active]
        peers = tuple(f"{end} x{ends.count(end)}" for end in dict.fromkeys(ends))
    yield entry(names.GPU_NVLINKS(number), gpu.told("nvlinks", count))
    yield entry(names.GPU_NVLINKS_DOWN(number), gpu.told("nvlinks", down))
    yield entry(names.GPU_NVLINK_PEERS(number), gpu.told("nvlinks", peers))
    errors = gpu.told("nvlink_errors", details.connection.nvlink_errors)
    yield entry(names.GPU_NVLINK_ERRORS(number), errors)


def _why_down(link: NvLink) -> str:
    return "inactive" if link.active is not None else f"code {link.code}"


def _end(link: NvLink, gpus: tuple[Gpu, ...]) -> str:
    """What an active link leads to."""
    if link.to_switch:
        return "switch"
    for number, other in enumerate(gpus):
        if link.remote and other.nvml and other.nvml.pci == link.remote:
            return f"GPU {number}"
    return link.remote or "unknown"


def _peers(gpu: Gpu, gpus: tuple[Gpu, ...], details: Details) -> tuple[str, ...]:
    numbers = {other.nvml.number: number for number, other in enumerate(gpus) if other.nvml}
    told = []
    for path in details.paths:
        number = numbers.get(path.to, path.to)
        lanes = _links_between(gpu, gpus[number]) if number < len(gpus) else 0
        if lanes:
            way = f"NVLink x{lanes}"
        elif path.level is None:
            way = f"not told (code {path.code})"
        else:
            way = _LEVELS.get(path.level, f"level {path.level}")
        told.append(f"GPU {number}: {way}")
    return tuple(told)


def _links_between(gpu: Gpu, other: Gpu) -> int:
    """Those that lead from one to the other; through switches, as many as both have to them."""
    address = other.nvml.pci if other.nvml else None
    direct = sum(link.remote == address for link in _up(gpu)) if address else 0
    return direct or min(_to_switches(gpu), _to_switches(other))


def _to_switches(gpu: Gpu) -> int:
    return sum(link.to_switch for link in _up(gpu))


def _up(gpu: Gpu) -> Iterator[NvLink]:
    links = gpu.details.nvlinks if gpu.details else None
    return (link for link in links or () if link.active)
