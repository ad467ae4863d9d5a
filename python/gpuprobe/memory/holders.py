"""Who holds memory of a GPU, of all processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..device.processes import rows
from ..report.notebook import Shown
from ..report.terminal import printable
from ..report.units import bytes_in_words
from .chosen import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..device import Device

_UNKNOWN = "unknown"
_NOBODY = ("no process is listed",)


@dataclass(frozen=True, slots=True)
class Holders(Shown):
    """The memory of one GPU and the processes that hold some. What is not known is None.

    Attributes:
        ordinal: CUDA's number; None where CUDA does not see this GPU, or was not asked.
        nvml_index: NVML's number, which nvidia-smi prints.
        name: The GPU's.
        uuid: The GPU's.
        total_bytes, free_bytes: Of the whole GPU.
        processes: Each with what it holds: ``python (process 4711): 512 MiB``; empty: none.
            Inside a container the numbers are the host's, or the list is empty though somebody
            holds memory.
        process_bytes: What all of them hold together.
        unknown: For what is None, the reason.
    """

    ordinal: int | None
    nvml_index: int | None = None
    name: str | None = None
    uuid: str | None = None
    total_bytes: int | None = None
    free_bytes: int | None = None
    processes: tuple[str, ...] | None = None
    process_bytes: int | None = None
    unknown: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def used_bytes(self) -> int | None:
        """What is not free."""
        if self.total_bytes is None or self.free_bytes is None:
            return None
        return self.total_bytes - self.free_bytes

    @property
    def other_bytes(self) -> int | None:
        """What no listed process holds: the driver's own share, and processes that are hidden."""
        used = self.used_bytes
        if used is None or self.process_bytes is None:
            return None
        return max(0, used - self.process_bytes)

    def to_dict(self) -> dict[str, object]:
        """Plain values: docs/schema/memory-1.schema.json."""
        return {
            "ordinal": self.ordinal,
            "nvml_index": self.nvml_index,
            "name": self.name,
            "uuid": self.uuid,
            "total_bytes": self.total_bytes,
            "free_bytes": self.free_bytes,
            "used_bytes": self.used_bytes,
            "processes": rows(self.processes),
            "process_bytes": self.process_bytes,
            "other_bytes": self.other_bytes,
            "unknown": dict(self.unknown),
        }

    def lines(self) -> tuple[str, ...]:
        """One line for each process, or one that says why there is none.

        A process is called as its owner likes: its name must not steer the terminal of another.
        """
        if self.processes is None:
            return (f"who holds memory is not known: {self.unknown.get('processes', _UNKNOWN)}",)
        other = self.other_bytes
        rest = (f"held by no listed process: {bytes_in_words(other)}",) if other else ()
        return (*(map(printable, self.processes) if self.processes else _NOBODY), *rest)

    def title(self) -> str:
        """``GPU 1 (CUDA 0) NVIDIA H100``: NVML's number, CUDA's, and the name."""
        number = "?" if self.nvml_index is None else str(self.nvml_index)
        cuda = "" if self.ordinal is None else f" (CUDA {self.ordinal})"
        name = ", name unknown" if self.name is None else f" {self.name}"
        return f"GPU {number}{cuda}{name}"

    def __str__(self) -> str:
        return "\n".join((self.title(), *self.lines()))

    def _fragment(self) -> str:
        from ..report.memory import fragment

        return fragment(self)


def holders(device: int | Device = 0) -> Holders:
    """Who holds memory of a GPU now. Asks NVML in a child process; starts no CUDA in this one.

    Args:
        device: CUDA's ordinal, after CUDA_VISIBLE_DEVICES, or a `gpuprobe.Device`.

    Raises:
        TypeError, ValueError: It is neither.
    """
    from ..device import devices_in
    from ..device.here import uuids_here
    from ..examine import snapshot

    number = number_of("holders", device)
    here = uuids_here()
    if here is not None and number >= len(here):
        return _none(number)
    uuid = None if here is None else here[number]
    # Where this process has started CUDA, it knows which GPU that is. Else a child has to start it,
    # and holds memory itself while it looks.
    gpus = devices_in(snapshot("normal" if uuid is None else "quick"))
    for each in (*holders_in(gpus), *_of_instances(gpus)):
        if each.ordinal == number if uuid is None else each.uuid == uuid:
            return replace(each, ordinal=number)
    return _none(number)


def _none(number: int) -> Holders:
    reason = f"no GPU is known to have CUDA's number {number}"
    names = ("name", "uuid", "total_bytes", "free_bytes", "processes", "process_bytes")
    return Holders(number, unknown=dict.fromkeys(names, reason))


def _of_instances(devices: Iterable[Device]) -> Iterator[Holders]:
    """Of MIG instances, whose size alone is known."""
    reason = "NVML tells it of the whole GPU alone, and not of a MIG instance"
    unknown = dict.fromkeys(("free_bytes", "processes", "process_bytes"), reason)
    for gpu in devices:
        for part in gpu.mig.instances:
            yield Holders(
                ordinal=part.ordinal,
                nvml_index=gpu.nvml_index,
                name=part.name,
                uuid=part.uuid,
                total_bytes=part.memory_bytes,
                unknown=unknown,
            )


def holders_in(devices: Iterable[Device]) -> tuple[Holders, ...]:
    """The same of GPUs that were looked at before."""
    return tuple(
        Holders(
            ordinal=each.ordinal,
            nvml_index=each.nvml_index,
            name=each.name,
            uuid=each.uuid,
            total_bytes=each.memory_bytes,
            free_bytes=each.memory_free_bytes,
            processes=each.use.processes,
            process_bytes=each.use.process_bytes,
            unknown=_reasons(each.unknown),
        )
        for each in devices
    )


#: Names of a `Device` -> names of `Holders`.
_NAMES = {
    "ordinal": "ordinal",
    "nvml_index": "nvml_index",
    "name": "name",
    "uuid": "uuid",
    "memory_bytes": "total_bytes",
    "memory_free_bytes": "free_bytes",
    "use.processes": "processes",
    "use.process_bytes": "process_bytes",
}


def _reasons(unknown: Mapping[str, str]) -> dict[str, str]:
    return {_NAMES[name]: reason for name, reason in unknown.items() if name in _NAMES}
