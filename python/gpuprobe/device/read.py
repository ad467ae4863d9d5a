"""From facts to objects: every value, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ..facts import names
from ..facts.model import Absent, Facts, Known
from .groups import (
    Clocks,
    Health,
    Mig,
    MigInstance,
    NvLink,
    Pcie,
    Placement,
    Power,
    Temperature,
    Use,
)
from .model import NONE, Device

if TYPE_CHECKING:
    from ..facts.model import Family
    from ..facts.version import Version
    from ..knowledge.limits import Limits

T = TypeVar("T")

_GB = 1e9


def devices_in(facts: Facts) -> tuple[Device, ...]:
    """The GPUs that these facts tell of."""
    numbers = {
        name.split(".")[1] for name in facts if name.startswith("gpu.") and name.count(".") > 1
    }
    return tuple(_device(facts, int(number)) for number in sorted(numbers, key=int))


class _Reader:
    """Reads the facts of one subject, and keeps the reason for each that it does not get."""

    def __init__(self, facts: Facts, subject: int) -> None:
        self._facts = facts
        self._subject = subject
        self.unknown: dict[str, str] = {}

    def read(self, attribute: str, family: Family[T]) -> T | None:
        fact = self._facts.fact(family(self._subject))
        if isinstance(fact, Known):
            return fact.value
        self.unknown[attribute] = NONE if isinstance(fact, Absent) else fact.reason
        return None


def _device(facts: Facts, index: int) -> Device:
    reader = _Reader(facts, index)
    read = reader.read
    capability = read("capability", names.GPU_CAPABILITY)
    name, memory_bytes = read("name", names.GPU_NAME), read("memory_bytes", names.GPU_MEMORY)
    return Device(
        index,
        ordinal=read("ordinal", names.GPU_ORDINAL),
        nvml_index=read("nvml_index", names.GPU_NVML_INDEX),
        minor=read("minor", names.GPU_MINOR),
        name=name,
        uuid=read("uuid", names.GPU_UUID),
        pci=read("pci", names.GPU_PCI),
        capability=None if capability is None else (capability.major, capability.minor),
        architecture=_architecture(capability, reader),
        sms=read("sms", names.GPU_SMS),
        memory_bytes=memory_bytes,
        memory_free_bytes=read("memory_free_bytes", names.GPU_MEMORY_FREE),
        compute_mode=read("compute_mode", names.GPU_COMPUTE_MODE),
        persistence=read("persistence", names.GPU_PERSISTENCE),
        failure=facts.known(names.GPU_FAILURE(index)),
        clocks=_clocks(reader),
        power=_power(reader),
        temperature=_temperature(reader),
        pcie=_pcie(reader),
        health=_health(reader),
        nvlink=_nvlink(reader),
        placement=_placement(reader),
        mig=_mig(facts, index, reader),
        use=_use(reader),
        published=_published(name, memory_bytes, reader),
        unknown=reader.unknown,
    )


def _architecture(capability: Version | None, reader: _Reader) -> str | None:
    if capability is None:
        reader.unknown["architecture"] = reader.unknown["capability"]
        return None
    from ..knowledge.architecture import architecture

    found = architecture(capability)
    if found is None:
        reader.unknown["architecture"] = f"the table does not list capability {capability}"
        return None
    return found.name


def _published(name: str | None, memory_bytes: int | None, reader: _Reader) -> Limits | None:
    if name is None:
        reader.unknown["published"] = reader.unknown["name"]
        return None
    from ..knowledge.limits import by_name
    from ..knowledge.tables import Unstated

    found = by_name(name, None if memory_bytes is None else memory_bytes / _GB)
    if isinstance(found, Unstated):
        reader.unknown["published"] = found.reason
        return None
    return found


def _clocks(reader: _Reader) -> Clocks:
    return Clocks(
        sm_mhz=reader.read("clocks.sm_mhz", names.GPU_CLOCK_SM),
        sm_max_mhz=reader.read("clocks.sm_max_mhz", names.GPU_CLOCK_SM_MAX),
        memory_mhz=reader.read("clocks.memory_mhz", names.GPU_CLOCK_MEMORY),
        memory_max_mhz=reader.read("clocks.memory_max_mhz", names.GPU_CLOCK_MEMORY_MAX),
        throttle=reader.read("clocks.throttle", names.GPU_THROTTLE),
    )


def _power(reader: _Reader) -> Power:
    return Power(
        watts=reader.read("power.watts", names.GPU_POWER),
        limit_watts=reader.read("power.limit_watts", names.GPU_POWER_LIMIT),
        limit_default_watts=reader.read("power.limit_default_watts", names.GPU_POWER_LIMIT_DEFAULT),
        limit_max_watts=reader.read("power.limit_max_watts", names.GPU_POWER_LIMIT_MAX),
    )


def _temperature(reader: _Reader) -> Temperature:
    return Temperature(
        celsius=reader.read("temperature.celsius", names.GPU_TEMPERATURE),
        slowdown_celsius=reader.read(
            "temperature.slowdown_celsius", names.GPU_TEMPERATURE_SLOWDOWN
        ),
    )


def _pcie(reader: _Reader) -> Pcie:
    return Pcie(
        generation=reader.read("pcie.generation", names.GPU_PCIE_GENERATION),
        generation_max=reader.read("pcie.generation_max", names.GPU_PCIE_GENERATION_MAX),
        width=reader.read("pcie.width", names.GPU_PCIE_WIDTH),
        width_max=reader.read("pcie.width_max", names.GPU_PCIE_WIDTH_MAX),
        slot_generation_max=reader.read("pcie.slot_generation_max", names.GPU_SLOT_GENERATION_MAX),
        slot_width_max=reader.read("pcie.slot_width_max", names.GPU_SLOT_WIDTH_MAX),
    )


def _health(reader: _Reader) -> Health:
    return Health(
        ecc=reader.read("health.ecc", names.GPU_ECC),
        ecc_corrected=reader.read("health.ecc_corrected", names.GPU_ECC_CORRECTED),
        ecc_uncorrected=reader.read("health.ecc_uncorrected", names.GPU_ECC_UNCORRECTED),
        ecc_uncorrected_total=reader.read(
            "health.ecc_uncorrected_total", names.GPU_ECC_UNCORRECTED_TOTAL
        ),
        rows_remapped=reader.read("health.rows_remapped", names.GPU_ROWS_REMAPPED),
        rows_remap_pending=reader.read("health.rows_remap_pending", names.GPU_ROWS_PENDING),
        rows_remap_failed=reader.read("health.rows_remap_failed", names.GPU_ROWS_FAILED),
        pages_retired=reader.read("health.pages_retired", names.GPU_PAGES_RETIRED),
        pages_retire_pending=reader.read("health.pages_retire_pending", names.GPU_PAGES_PENDING),
        fabric_state=reader.read("health.fabric_state", names.GPU_FABRIC_STATE),
    )


def _nvlink(reader: _Reader) -> NvLink:
    return NvLink(
        links=reader.read("nvlink.links", names.GPU_NVLINKS),
        down=reader.read("nvlink.down", names.GPU_NVLINKS_DOWN),
        errors=reader.read("nvlink.errors", names.GPU_NVLINK_ERRORS),
        peers=reader.read("nvlink.peers", names.GPU_NVLINK_PEERS),
    )


def _placement(reader: _Reader) -> Placement:
    return Placement(
        numa_node=reader.read("placement.numa_node", names.GPU_NUMA_NODE),
        cpu_affinity=reader.read("placement.cpu_affinity", names.GPU_CPU_AFFINITY),
        peers=reader.read("placement.peers", names.GPU_PEERS),
    )


def _use(reader: _Reader) -> Use:
    return Use(
        utilization_percent=reader.read("use.utilization_percent", names.GPU_UTILIZATION),
        processes=reader.read("use.processes", names.GPU_PROCESSES),
        process_bytes=reader.read("use.process_bytes", names.GPU_PROCESS_BYTES),
    )


def _mig(facts: Facts, index: int, reader: _Reader) -> Mig:
    numbers = (int(number) for number in facts.subjects(names.MIG_GPU))
    return Mig(
        enabled=reader.read("mig.enabled", names.GPU_MIG),
        instance_count=reader.read("mig.instance_count", names.GPU_MIG_INSTANCES),
        instances=tuple(
            _instance(facts, number)
            for number in numbers
            if facts.known(names.MIG_GPU(number)) == index
        ),
    )


def _instance(facts: Facts, number: int) -> MigInstance:
    reader = _Reader(facts, number)
    return MigInstance(
        number,
        uuid=reader.read("uuid", names.MIG_UUID),
        name=reader.read("name", names.MIG_NAME),
        memory_bytes=reader.read("memory_bytes", names.MIG_MEMORY),
        gpu_instance=reader.read("gpu_instance", names.MIG_GPU_INSTANCE),
        compute_instance=reader.read("compute_instance", names.MIG_COMPUTE_INSTANCE),
        ordinal=reader.read("ordinal", names.MIG_ORDINAL),
        unknown=reader.unknown,
    )
