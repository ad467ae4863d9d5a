"""The GPUs, joined from what NVML and CUDA show of them.

They are numbered in NVML's order; GPUs that only CUDA lists (all of them where NVML does not
answer) follow in CUDA's order. What NVML alone tells has files of its own, gpu_….py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..answers import Answer, Device
from ..model import Absent, Entry, Fact, Known, entry
from .views import Gpu, join, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine
    from ..probe import Silent

WRITES = (
    *(names.GPU_NAME, names.GPU_UUID, names.GPU_PCI, names.GPU_MINOR, names.GPU_ORDINAL),
    *(names.GPU_NVML_INDEX, names.GPU_CAPABILITY, names.GPU_SMS, names.GPU_MEMORY),
    *(names.GPU_MEMORY_FREE, names.GPU_COMPUTE_MODE, names.GPU_PERSISTENCE, names.GPU_MIG),
    names.GPU_FAILURE,
    *(names.GPU_CLOCK_SM, names.GPU_CLOCK_SM_MAX),
    *(names.GPU_CLOCK_MEMORY, names.GPU_CLOCK_MEMORY_MAX),
    *(names.GPU_POWER, names.GPU_POWER_LIMIT),
    *(names.GPU_POWER_LIMIT_DEFAULT, names.GPU_POWER_LIMIT_MAX),
    *(names.GPU_TEMPERATURE, names.GPU_TEMPERATURE_SLOWDOWN),
    *(names.GPU_THROTTLE, names.GPU_UTILIZATION),
    *(names.GPU_ECC, names.GPU_ECC_CORRECTED),
    *(names.GPU_ECC_UNCORRECTED, names.GPU_ECC_UNCORRECTED_TOTAL),
    *(names.GPU_ROWS_REMAPPED, names.GPU_ROWS_PENDING, names.GPU_ROWS_FAILED),
    *(names.GPU_PAGES_RETIRED, names.GPU_PAGES_PENDING),
    *(names.GPU_PCIE_GENERATION, names.GPU_PCIE_GENERATION_MAX),
    *(names.GPU_PCIE_WIDTH, names.GPU_PCIE_WIDTH_MAX),
    *(names.GPU_SLOT_GENERATION_MAX, names.GPU_SLOT_WIDTH_MAX),
    *(names.GPU_NVLINKS, names.GPU_NVLINKS_DOWN, names.GPU_NVLINK_ERRORS, names.GPU_NVLINK_PEERS),
    *(names.GPU_FABRIC_STATE, names.GPU_NUMA_NODE, names.GPU_CPU_AFFINITY, names.GPU_PEERS),
    *(names.GPU_PROCESSES, names.GPU_PROCESS_BYTES, names.GPU_MIG_INSTANCES),
    *(names.MIG_GPU, names.MIG_UUID, names.MIG_NAME, names.MIG_MEMORY),
    *(names.MIG_GPU_INSTANCE, names.MIG_COMPUTE_INSTANCE, names.MIG_ORDINAL),
)

#: CUcomputemode and nvmlComputeMode_t agree on these numbers.
_COMPUTE_MODES = {
    0: "default",
    1: "exclusive thread",
    2: "prohibited",
    3: "exclusive process",
}


def collect(machine: Machine, cuda: Answer | Silent, nvml: Answer | Silent) -> Iterator[Entry]:
    """All facts of each GPU and of each MIG instance."""
    gpus = join(_listed(nvml), _listed(cuda))
    for number, gpu in enumerate(gpus):
        yield from _identity(number, gpu, cuda, nvml)
    if any(gpu.details is not None for gpu in gpus):
        yield from _by_nvml(machine, gpus, cuda)


def _listed(answer: Answer | Silent) -> tuple[Device, ...]:
    return answer.devices if isinstance(answer, Answer) else ()


def _by_nvml(machine: Machine, gpus: tuple[Gpu, ...], cuda: Answer | Silent) -> Iterator[Entry]:
    """What NVML alone tells. Imported here: a machine without a GPU does not pay for it."""
    from . import instances as gpu_instances
    from . import links as gpu_links
    from . import state as gpu_state
    from . import users as gpu_users

    for number, gpu in enumerate(gpus):
        if gpu.details is not None:
            yield from gpu_state.collect(number, gpu, gpu.details)
            yield from gpu_links.collect(machine, number, gpu, gpus)
            yield from gpu_users.collect(machine, number, gpu, gpu.details)
    yield from gpu_instances.collect(gpus, _listed(cuda), cuda)


def _identity(
    number: int, gpu: Gpu, cuda: Answer | Silent, nvml: Answer | Silent
) -> Iterator[Entry]:
    first = gpu.first
    yield entry(names.GPU_NAME(number), first("name", lambda it: it.name))
    yield entry(names.GPU_UUID(number), first("uuid", lambda it: it.uuid))
    yield entry(names.GPU_PCI(number), first("pci", lambda it: it.pci))
    yield entry(names.GPU_MINOR(number), first("minor", lambda it: it.minor))
    yield entry(names.GPU_NVML_INDEX(number), number_of(gpu.nvml, nvml))
    yield entry(names.GPU_ORDINAL(number), number_of(gpu.cuda, cuda))
    yield entry(names.GPU_CAPABILITY(number), first("capability", lambda it: it.capability))
    yield entry(names.GPU_SMS(number), first("sms", lambda it: it.sms))
    yield entry(names.GPU_MEMORY(number), first("memory_total_bytes", lambda it: it.memory_bytes))
    free = first("memory_free_bytes", lambda it: it.memory_free_bytes)
    yield entry(names.GPU_MEMORY_FREE(number), free)
    yield entry(names.GPU_COMPUTE_MODE(number), first("compute_mode", _compute_mode))
    yield entry(names.GPU_PERSISTENCE(number), first("persistence_mode", lambda it: it.persistence))
    yield entry(names.GPU_MIG(number), _mig_mode(gpu))
    yield entry(names.GPU_FAILURE(number), _failure(gpu))


def _mig_mode(gpu: Gpu) -> Fact[bool]:
    """NVML alone tells; most products have no such mode."""
    if gpu.nvml is None:
        return gpu.first("mig_mode", lambda it: it.mig)
    return gpu.part("mig_mode", gpu.nvml.mig)


def _compute_mode(device: Device) -> str | None:
    mode = device.compute_mode
    return None if mode is None else _COMPUTE_MODES.get(mode, f"mode {mode}")


def _failure(gpu: Gpu) -> Fact[str]:
    """What NVML only keeps from this user, and CUDA shows, has not failed."""
    for source, device in gpu.views():
        if device.failed is not None and not gpu.is_kept_back:
            return Known(str(device.failed), source)
    return Absent(", ".join(source for source, _ in gpu.views()))
