"""One GPU as an object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING

from ..report.notebook import Shown
from .groups import Clocks, Health, Mig, NvLink, Pcie, Placement, Power, Temperature, Use
from .processes import rows

if TYPE_CHECKING:
    from ..knowledge.limits import Limits

#: The reason in `unknown` where somebody looked and there is nothing: no ordinal, no NUMA node.
NONE = "there is none"


@dataclass(frozen=True, slots=True)
class Device(Shown):
    """One GPU. What could not be read is None, and `unknown` says why.

    Attributes:
        index: The running number in gpuprobe's facts (``gpu.0.…``).
        ordinal: CUDA's number, after CUDA_VISIBLE_DEVICES; None where CUDA does not see it.
        nvml_index: NVML's number, which nvidia-smi prints.
        minor: The number of its file, ``/dev/nvidia0``.
        name: As the driver prints it.
        uuid: ``GPU-…``.
        pci: ``0000:01:00.0``.
        capability: Compute capability: ``device.capability >= (8, 0)``.
        architecture: ``Hopper``, from a table of capabilities.
        sms: Number of streaming multiprocessors.
        memory_bytes: Size of the memory.
        memory_free_bytes: What was free of it when it was looked at.
        compute_mode: Who may use it: default, exclusive process, prohibited.
        persistence: Whether the driver keeps it initialised while nobody uses it (Linux).
        failure: The call that failed where the driver lists it but cannot read it, as with a GPU
            that fell off the bus; None where nothing failed.
        clocks, power, temperature, pcie, health, nvlink, placement, mig, use: See `groups`.
        published: Published peak figures of the product; None where the table has none.
        unknown: For what is None, the reason: ``device.unknown["clocks.sm_mhz"]``.
    """

    index: int
    ordinal: int | None = None
    nvml_index: int | None = None
    minor: int | None = None
    name: str | None = None
    uuid: str | None = None
    pci: str | None = None
    capability: tuple[int, int] | None = None
    architecture: str | None = None
    sms: int | None = None
    memory_bytes: int | None = None
    memory_free_bytes: int | None = None
    compute_mode: str | None = None
    persistence: bool | None = None
    failure: str | None = None
    clocks: Clocks = field(default_factory=Clocks)
    power: Power = field(default_factory=Power)
    temperature: Temperature = field(default_factory=Temperature)
    pcie: Pcie = field(default_factory=Pcie)
    health: Health = field(default_factory=Health)
    nvlink: NvLink = field(default_factory=NvLink)
    placement: Placement = field(default_factory=Placement)
    mig: Mig = field(default_factory=Mig)
    use: Use = field(default_factory=Use)
    published: Limits | None = None
    unknown: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def memory_used_bytes(self) -> int | None:
        """What is not free; the driver's own share is among it."""
        if self.memory_bytes is None or self.memory_free_bytes is None:
            return None
        return self.memory_bytes - self.memory_free_bytes

    def to_dict(self) -> dict[str, object]:
        """Plain values under the names of the attributes: docs/schema/devices-1.schema.json."""
        found = {each.name: _plain(getattr(self, each.name)) for each in fields(self)}
        if self.published is not None:
            rates = dict(self.published.dense_rates)
            found["published"] = {**_fields(self.published), "dense_rates": rates}
        found["use"] = {**_fields(self.use), "processes": rows(self.use.processes)}
        return found

    def __str__(self) -> str:
        from ..report.devices.words import sentence

        return sentence(self)

    def _fragment(self) -> str:
        from ..report.devices.html import fragment

        return fragment((self,))


def _fields(group: object) -> dict[str, object]:
    return {name: _plain(getattr(group, name)) for name in getattr(group, "__slots__", ())}


def _plain(value: object) -> object:
    """`value` in what JSON knows."""
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value
