"""What there is to say of gpuprobe's own memory on one GPU."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._core import ArenaShortage, ArenaStats


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """What gpuprobe holds of one GPU in this process. Before its first use there all is 0.

    Attributes:
        device: CUDA's ordinal.
        backing: How memory is taken: ``vmm``, one range of addresses that grows at its end, or
            ``chunks``, separate allocations; None before the first use.
        limit_bytes: Never holds more; None before the first use without a limit of your own.
        in_use_bytes: In blocks that somebody holds.
        in_use_peak_bytes, reserved_peak_bytes: The most since the beginning, or `reset_peak`.
        reserved_bytes: Taken from the device, in use or not.
        largest_free_bytes: The largest free block; a stream may still be working on it.
        blocks: In use.
        allocations, frees: How many blocks were handed out, and came back.
        growths, grown_bytes: How often, and how much, was taken from the device.
        shrinks: How often some was given back.
        retries: Smaller steps after the device refused one.
        shortages: Allocations that failed.
    """

    device: int
    backing: str | None = None
    limit_bytes: int | None = None
    in_use_bytes: int = 0
    in_use_peak_bytes: int = 0
    reserved_bytes: int = 0
    reserved_peak_bytes: int = 0
    largest_free_bytes: int = 0
    blocks: int = 0
    allocations: int = 0
    frees: int = 0
    growths: int = 0
    grown_bytes: int = 0
    shrinks: int = 0
    retries: int = 0
    shortages: int = 0

    def to_dict(self) -> dict[str, int | str | None]:
        """Plain values under the names of the attributes."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why an allocation did not find its memory.

    Attributes:
        is_limit: gpuprobe's own limit was in the way; else the device has no more.
        device_free_bytes: Free on the whole device at that moment; None where it would not say.
    """

    is_limit: bool
    asked_bytes: int
    limit_bytes: int
    in_use_bytes: int
    reserved_bytes: int
    largest_free_bytes: int
    device_free_bytes: int | None = None
    device_total_bytes: int | None = None


def stats_of(device: int, found: ArenaStats) -> MemoryStats:
    """The statistics of a GPU's arena."""
    return MemoryStats(
        device=device,
        backing=found["backing"],
        limit_bytes=found["limit"],
        in_use_bytes=found["in_use"],
        in_use_peak_bytes=found["in_use_peak"],
        reserved_bytes=found["reserved"],
        reserved_peak_bytes=found["reserved_peak"],
        largest_free_bytes=found["largest_free"],
        blocks=found["blocks"],
        allocations=found["allocations"],
        frees=found["frees"],
        growths=found["growths"],
        grown_bytes=found["growth_bytes"],
        shrinks=found["shrinks"],
        retries=found["retries"],
        shortages=found["shortages"],
    )


def shortage_of(found: ArenaShortage, *, is_limit: bool) -> Shortage:
    """What an arena says that it lacked."""
    free, total = found["device"] or (None, None)
    return Shortage(
        is_limit=is_limit,
        asked_bytes=found["asked"],
        limit_bytes=found["limit"],
        in_use_bytes=found["in_use"],
        reserved_bytes=found["reserved"],
        largest_free_bytes=found["largest_free"],
        device_free_bytes=free,
        device_total_bytes=total,
    )
