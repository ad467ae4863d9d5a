"""The GPUs of this machine, as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from .facts import names
from .facts.model import Absent, Facts, Family, Known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .facts.version import Version

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Device:
    """One GPU. What could not be read is None, and `unknown` says why.

    Attributes:
        index: The running number in gpuprobe's facts (``gpu.0.…``).
        ordinal: CUDA's number, after CUDA_VISIBLE_DEVICES; None where CUDA does not see it.
        name: As the driver prints it.
        uuid: ``GPU-…``.
        pci: ``0000:01:00.0``.
        capability: Compute capability: ``device.capability >= (8, 0)``.
        sms: Number of streaming multiprocessors.
        memory_bytes: Size of the memory.
        memory_free_bytes: What was free of it when it was looked at.
        unknown: For each of the above that is None, the reason.
    """

    index: int
    ordinal: int | None = None
    name: str | None = None
    uuid: str | None = None
    pci: str | None = None
    capability: tuple[int, int] | None = None
    sms: int | None = None
    memory_bytes: int | None = None
    memory_free_bytes: int | None = None
    unknown: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Plain values under the names of the attributes."""
        capability = None if self.capability is None else list(self.capability)
        return {
            "index": self.index,
            "ordinal": self.ordinal,
            "name": self.name,
            "uuid": self.uuid,
            "pci": self.pci,
            "capability": capability,
            "sms": self.sms,
            "memory_bytes": self.memory_bytes,
            "memory_free_bytes": self.memory_free_bytes,
            "unknown": dict(self.unknown),
        }

    def __str__(self) -> str:
        from .report.devices import sentence

        return sentence(self)

    def _repr_html_(self) -> str:
        from .report.devices import html_table

        return html_table((self,))


def devices(*, refresh: bool = False) -> tuple[Device, ...]:
    """All GPUs that the driver lists, also those that CUDA_VISIBLE_DEVICES hides.

    They are asked for in a child process; the answer is kept until a variable changes or
    `refresh` is given. Empty where there is no GPU or no working driver: `gpuprobe.doctor()`
    says which.
    """
    from .examine import machine_facts

    return devices_in(machine_facts(refresh=refresh))


def devices_in(facts: Facts) -> tuple[Device, ...]:
    """The GPUs that these facts tell of."""
    numbers = {
        name.split(".")[1] for name in facts if name.startswith("gpu.") and name.count(".") > 1
    }
    return tuple(_device(facts, int(number)) for number in sorted(numbers, key=int))


def _device(facts: Facts, index: int) -> Device:
    unknown: dict[str, str] = {}

    def read(attribute: str, family: Family[T]) -> T | None:
        fact = facts.fact(family(index))
        if isinstance(fact, Known):
            return fact.value
        unknown[attribute] = "there is none" if isinstance(fact, Absent) else fact.reason
        return None

    capability = read("capability", names.GPU_CAPABILITY)
    return Device(
        index,
        ordinal=read("ordinal", names.GPU_ORDINAL),
        name=read("name", names.GPU_NAME),
        uuid=read("uuid", names.GPU_UUID),
        pci=read("pci", names.GPU_PCI),
        capability=_pair(capability),
        sms=read("sms", names.GPU_SMS),
        memory_bytes=read("memory_bytes", names.GPU_MEMORY),
        memory_free_bytes=read("memory_free_bytes", names.GPU_MEMORY_FREE),
        unknown=unknown,
    )


def _pair(version: Version | None) -> tuple[int, int] | None:
    return None if version is None else (version.major, version.minor)
