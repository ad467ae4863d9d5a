"""The MIG instances below each GPU, joined with CUDA's list, which has them in the GPU's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Known, entry
from .views import number_of, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..answers import Answer, Device
    from ..model import Entry, Fact
    from ..nvml_details import Mig
    from ..probe import Silent
    from .views import Gpu


def collect(
    gpus: tuple[Gpu, ...], listed: tuple[Device, ...], cuda: Answer | Silent
) -> Iterator[Entry]:
    """How many each GPU has, and what each is. `listed` are CUDA's devices."""
    by_uuid = {device.uuid.lower(): device for device in listed if device.uuid}
    running = 0
    for number, gpu in enumerate(gpus):
        if gpu.details is None:
            continue
        migs = gpu.details.migs
        yield entry(names.GPU_MIG_INSTANCES(number), _count(gpu, migs))
        for mig in migs or ():
            device = by_uuid.get((mig.uuid or "").lower())
            yield from _facts(running, number, gpu, mig)
            yield entry(names.MIG_ORDINAL(running), number_of(device, cuda))
            running += 1


def _count(gpu: Gpu, migs: tuple[Mig, ...] | None) -> Fact[int]:
    if gpu.nvml is not None and gpu.nvml.mig is False:
        return Absent(f"MIG mode of NVML device {gpu.nvml.number}, which is off")
    return gpu.told("mig_devices", None if migs is None else len(migs))


def _facts(running: int, number: int, gpu: Gpu, mig: Mig) -> Iterator[Entry]:
    source = f"place {mig.place} of NVML device {gpu.nvml.number if gpu.nvml else number}"
    yield entry(names.MIG_GPU(running), Known(number, source))
    for texts, field, text in (
        (names.MIG_UUID, "uuid", mig.uuid),
        (names.MIG_NAME, "name", mig.name),
    ):
        yield entry(texts(running), told(source, text, mig.unread.get(field)))
    for numbers, field, value in (
        (names.MIG_MEMORY, "memory_bytes", mig.memory_bytes),
        (names.MIG_GPU_INSTANCE, "gpu_instance", mig.gpu_instance),
        (names.MIG_COMPUTE_INSTANCE, "compute_instance", mig.compute_instance),
    ):
        yield entry(numbers(running), told(source, value, mig.unread.get(field)))
