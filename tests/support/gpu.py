"""What a scenario says of a GPU, its MIG instances, processes and driver.

Each class gives the keys of its section in the scenario file; tests/fakes/common/gpu_keys.def says
what the fakes make of them. None: the product does not have it, and NVML answers "not supported".
"""

from __future__ import annotations

from dataclasses import dataclass, fields

MIB = 1 << 20
NVIDIA = 0x10DE

Keys = dict[str, int | str]


@dataclass(frozen=True, slots=True)
class Gpu:
    """One NVIDIA GPU, as the kernel, NVML and CUDA show it."""

    name: str
    device_id: int  # PCI
    capability: int  # 90 for 9.0
    sms: int
    memory_mib: int
    uuid: str
    pci: str = "0000:01:00.0"
    minor: int = 0
    used_mib: int = 0
    compute_mode: int = 0  # 2 prohibited, 3 exclusive process
    persistence: int = 0
    integrated: bool = False  # a Tegra: on no PCI bus
    lost: bool = False
    vmm: bool | None = None  # virtual memory management; None: as the driver has it
    granularity: int | None = None  # bytes of a page of it; None: 2 MiB
    display: bool = False  # a VGA controller with a sound function; else a 3D controller

    mig: bool | None = None
    mig_most: int | None = None  # places for instances

    clock_sm: int | None = None  # MHz
    clock_sm_max: int | None = None
    clock_memory: int | None = None
    clock_memory_max: int | None = None
    power: float | None = None  # watts
    power_limit: float | None = None
    power_limit_default: float | None = None
    power_limit_max: float | None = None
    temperature: int | None = None  # degrees Celsius
    temperature_slowdown: int | None = None
    throttle: int | None = 1  # bits of nvmlClocksEventReason…: 1 idle, 4 power cap, 8 hardware …
    utilization: int | None = 0

    ecc: bool | None = None
    ecc_corrected: int | None = None
    ecc_uncorrected: int | None = None
    ecc_uncorrected_total: int | None = None
    rows_corrected: int | None = None  # None: none of the four
    rows_uncorrected: int = 0
    rows_pending: int = 0
    rows_failed: int = 0
    pages_single_bit: int | None = None
    pages_double_bit: int | None = None
    pages_pending: int | None = None

    pcie_generation: int | None = None
    pcie_generation_max: int | None = None  # of card and slot together
    card_generation_max: int | None = None  # of the card alone
    pcie_width: int | None = None
    pcie_width_max: int | None = None  # of card and slot together
    card_width_max: int | None = None  # of the card alone; sysfs only
    slot_generation_max: int | None = None  # sysfs only
    slot_width_max: int | None = None
    nvlinks: int | None = None  # that the card has
    nvlinks_up: int = 0  # bit N: link N
    nvlink_errors: int = 0
    nvlink_to: str = ""  # "switch", or for each link the number of a GPU: "1,1,2,2"
    fabric_state: int | None = None  # 1 not started, 2 in progress, 3 completed
    fabric_status: int = 0
    place: str = ""  # "node/bridge/tree/switch/board" on the PCI bus
    numa_node: int = -1  # sysfs only; -1: the machine has no nodes
    cpus: str = ""  # "0-15,64-79"

    def ini(self) -> Keys:
        """The keys of its section in a scenario file."""
        keys: Keys = {
            "pci_device_id": self.device_id << 16 | NVIDIA,
            "memory_bytes": self.memory_mib * MIB,
            "used_bytes": self.used_mib * MIB,
        }
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in _OF_SYSFS or each.name in _IN_MIB or value in (None, ""):
                continue
            keys[each.name] = value if isinstance(value, str) else int(value * _scale(each.name))
        return keys


_OF_SYSFS = {
    *("device_id", "display", "numa_node"),
    *("card_width_max", "slot_generation_max", "slot_width_max"),
}
_IN_MIB = {"memory_mib", "used_mib"}


def _scale(name: str) -> int:
    """NVML counts milliwatts."""
    return 1000 if name.startswith("power") else 1


@dataclass(frozen=True, slots=True)
class Mig:
    """A MIG instance of the GPU number `gpu` of its machine, which has to be in MIG mode."""

    name: str
    uuid: str
    memory_mib: int
    sms: int
    gpu_instance: int
    compute_instance: int = 0
    place: int = 0  # NVML's index below that GPU
    gpu: int = 0

    def ini(self) -> Keys:
        """The keys of its section in a scenario file."""
        return {
            "name": self.name,
            "uuid": self.uuid,
            "gpu": self.gpu,
            "place": self.place,
            "gpu_instance": self.gpu_instance,
            "compute_instance": self.compute_instance,
            "memory_bytes": self.memory_mib * MIB,
            "sms": self.sms,
        }


@dataclass(frozen=True, slots=True)
class Process:
    """A process that holds memory on the GPU number `gpu` of its machine."""

    name: str
    pid: int
    used_mib: int | None  # None: not told, as under WDDM
    gpu: int = 0
    draws: bool = False

    def ini(self) -> Keys:
        """The keys of its section in a scenario file."""
        return {
            "name": self.name,
            "pid": self.pid,
            "gpu": self.gpu,
            "used_bytes": "none" if self.used_mib is None else self.used_mib * MIB,
            "draws": int(self.draws),
        }


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver release: its version and the highest CUDA that it serves."""

    version: str
    cuda: int  # 13000 for 13.0
    open_module: bool = False

    def ini(self) -> Keys:
        """The keys of its section in a scenario file."""
        return {
            "version": self.version,
            "nvml_version": f"{self.cuda // 1000}.{self.version}",
            "cuda_version": self.cuda,
        }
