"""The GPUs, joined from what NVML and CUDA show of them.

They are numbered in NVML's order; GPUs that only CUDA lists (MIG instances, or all of them where
NVML does not answer) follow in CUDA's order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from . import names
from .answers import Answer, Device
from .model import Absent, Entry, Fact, Known, Unknown, entry
from .probe import Silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

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


class Gpu(NamedTuple):
    """One GPU in both views; None where a view does not show it."""

    nvml: Device | None
    cuda: Device | None

    def views(self) -> Iterator[tuple[str, Device]]:
        """The views that show it, NVML's first."""
        if self.nvml is not None:
            yield f"NVML device {self.nvml.number}", self.nvml
        if self.cuda is not None:
            yield f"CUDA device {self.cuda.number}", self.cuda


def collect(cuda: Answer | Silent, nvml: Answer | Silent) -> Iterator[Entry]:
    """All facts of each GPU."""
    for number, gpu in enumerate(join(_listed(nvml), _listed(cuda))):
        yield from _facts(number, gpu, cuda, nvml)


def _listed(answer: Answer | Silent) -> tuple[Device, ...]:
    return answer.devices if isinstance(answer, Answer) else ()


def join(nvml: tuple[Device, ...], cuda: tuple[Device, ...]) -> tuple[Gpu, ...]:
    """Pair the two lists by UUID, else by PCI address."""
    left = list(cuda)
    gpus = []
    for device in nvml:
        twin = next((each for each in left if _same(device, each)), None)
        if twin is not None:
            left.remove(twin)
        gpus.append(Gpu(device, twin))
    return (*gpus, *(Gpu(None, device) for device in left))


def _same(nvml: Device, cuda: Device) -> bool:
    """A MIG instance has its parent's PCI address, so the UUID decides where both have one."""
    if nvml.uuid and cuda.uuid:
        return nvml.uuid.lower() == cuda.uuid.lower()
    return bool(nvml.pci and cuda.pci and nvml.pci.lower() == cuda.pci.lower())


def _facts(number: int, gpu: Gpu, cuda: Answer | Silent, nvml: Answer | Silent) -> Iterator[Entry]:
    yield entry(names.GPU_NAME(number), _first(gpu, "name", lambda it: it.name))
    yield entry(names.GPU_UUID(number), _first(gpu, "uuid", lambda it: it.uuid))
    yield entry(names.GPU_PCI(number), _first(gpu, "pci", lambda it: it.pci))
    yield entry(names.GPU_MINOR(number), _first(gpu, "minor", lambda it: it.minor))
    yield entry(names.GPU_NVML_INDEX(number), _number(gpu.nvml, nvml))
    yield entry(names.GPU_ORDINAL(number), _number(gpu.cuda, cuda))
    yield entry(names.GPU_CAPABILITY(number), _first(gpu, "capability", lambda it: it.capability))
    yield entry(names.GPU_SMS(number), _first(gpu, "sms", lambda it: it.sms))
    yield entry(names.GPU_MEMORY(number), _first(gpu, "memory_bytes", lambda it: it.memory_bytes))
    yield entry(
        names.GPU_MEMORY_FREE(number),
        _first(gpu, "memory_free_bytes", lambda it: it.memory_free_bytes),
    )
    yield entry(names.GPU_COMPUTE_MODE(number), _first(gpu, "compute_mode", _compute_mode))
    yield entry(
        names.GPU_PERSISTENCE(number), _first(gpu, "persistence_mode", lambda it: it.persistence)
    )
    yield entry(names.GPU_MIG(number), _first(gpu, "mig_mode", lambda it: it.mig))
    yield entry(names.GPU_FAILURE(number), _failure(gpu))


def _compute_mode(device: Device) -> str | None:
    mode = device.compute_mode
    return None if mode is None else _COMPUTE_MODES.get(mode, f"mode {mode}")


def _first(gpu: Gpu, field: str, read: Callable[[Device], T | None]) -> Fact[T]:
    """The field from the first view that has it; else the reasons of all views."""
    reasons = []
    for source, device in gpu.views():
        value = read(device)
        if value is not None:
            return Known(value, source)
        code = device.unread.get(field)
        reasons.append(f"{source} does not say" + (f" (code {code})" if code else ""))
    return Unknown(", ".join(reasons))


def _number(device: Device | None, answer: Answer | Silent) -> Fact[int]:
    """The library's own number of the GPU; `Absent` where it answers and does not list it."""
    if device is not None:
        return Known(device.number, f"the probe {answer.step!r}")
    if isinstance(answer, Silent):
        return Unknown(answer.reason)
    if answer.failed is not None:
        return Unknown(str(answer.failed))
    return Absent(f"the list of the probe {answer.step!r}")


def _failure(gpu: Gpu) -> Fact[str]:
    for source, device in gpu.views():
        if device.failed is not None:
            return Known(str(device.failed), source)
    return Absent(", ".join(source for source, _ in gpu.views()))
