"""How nvitop and tools like it read CUDA_VISIBLE_DEVICES where they cannot ask the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import entries
from .opinion import Opinion

if TYPE_CHECKING:
    from collections.abc import Sequence

_SOURCE = "XuehaiPan/nvitop@3e797b2, nvitop/api/device.py: _parse_cuda_visible_devices"


def nvitop(value: str | None, uuids: Sequence[str | None]) -> Opinion:
    """The fallback of nvitop, without MIG, in NVML's numbers."""
    note = "it wants whole UUIDs and numbers without a sign, and passes over blanks"
    if value is None:
        return Opinion("nvitop, without the driver", tuple(range(len(uuids))), note, _SOURCE)
    return Opinion("nvitop, without the driver", _numbers(value, uuids), note, _SOURCE)


def _numbers(value: str, uuids: Sequence[str | None]) -> tuple[int, ...]:
    numbers: list[int] = []
    seen: set[str] = set()
    for text in value.split(","):
        bare = text.strip()
        name = bare if bare[:4] == "GPU-" else bare.removesuffix(entries.tail(bare))
        if name in seen:
            return ()
        number = uuids.index(name) if name in uuids else _number(name, len(uuids))
        if number is None or (name[:4] == "GPU-") != (value.strip()[:4] == "GPU-"):
            break
        seen.add(name)
        numbers.append(number)
    return tuple(numbers)


def _number(text: str, count: int) -> int | None:
    valid = text.isascii() and text.isdigit() and (entries.number(text) or 0) < count
    return entries.number(text) if valid else None
