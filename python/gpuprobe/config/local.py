"""The devices with what they are, as TensorFlow's `device_lib` lists them."""

from __future__ import annotations

from dataclasses import dataclass

from .. import memory
from ..device.here import numbered
from .devices import CPU, GPU, logical, number_of
from .visible import list_physical_devices


@dataclass(frozen=True, slots=True)
class LocalDevice:
    """One device.

    Attributes:
        name: ``/device:GPU:0``, with CUDA's number.
        device_type: ``CPU`` or ``GPU``.
        memory_limit: Bytes that gpuprobe may hold at most: the limit, else the whole memory. None
            for the CPU, and where the size could not be read.
        physical_device_desc: ``device: 0, name: NVIDIA H100 80GB HBM3, pci bus id: 0000:01:00.0,
            compute capability: 9.0``; what could not be read is ``unknown``. Empty for the CPU.
    """

    name: str
    device_type: str
    memory_limit: int | None
    physical_device_desc: str


def list_local_devices() -> list[LocalDevice]:
    """The CPU and the GPUs, also those that `set_visible_devices` leaves out. Starts no CUDA.

    Raises:
        gpuprobe.facts.model.Missing: Nobody could look for GPUs.
    """
    cpu, *gpus = list_physical_devices()
    return [
        LocalDevice(logical(cpu).name, CPU, None, ""),
        *(_gpu(logical(each).name, number_of(each)) for each in gpus),
    ]


def _gpu(name: str, number: int) -> LocalDevice:
    gpu, part = numbered(number)
    one = gpu if part is None else part
    capability = gpu.capability and ".".join(map(str, gpu.capability))
    told = {"name": one.name, "pci bus id": gpu.pci, "compute capability": capability}
    words = (f"{what}: {value or 'unknown'}" for what, value in told.items())
    limit = memory.stats(number).limit_bytes or one.memory_bytes
    return LocalDevice(name, GPU, limit, ", ".join((f"device: {number}", *words)))
