"""How PyTorch reads CUDA_VISIBLE_DEVICES itself, to count devices before it starts CUDA."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from . import entries
from .opinion import Opinion

if TYPE_CHECKING:
    from collections.abc import Sequence

_SOURCE = "torch 2.14.1, torch/cuda/__init__.py: _parse_visible_devices, _device_count_nvml"
_READER = "torch, before it starts CUDA"


def torch(value: str | None, uuids: Sequence[str | None]) -> Opinion:
    """What torch.cuda.device_count() counts until CUDA has started in the process.

    `uuids` are the GPUs in NVML's order: torch takes NVML's numbers for CUDA's.
    """
    if value is None:
        return _counted(range(len(uuids)), "it counts what NVML lists")
    if value.startswith("MIG-"):
        return _undecided("it does not read MIG names itself and asks CUDA")
    if not value.startswith("GPU-"):
        return _by_number(value, len(uuids))
    if None in uuids:
        return _undecided("without the UUIDs of all GPUs it asks CUDA")
    return _by_uuid(value, [uuid or "" for uuid in uuids])


def _by_uuid(value: str, uuids: Sequence[str]) -> Opinion:
    """No blank is passed over, and each text may stand once."""
    note = "it takes a blank after a comma for a part of the UUID"
    texts = value.split(",")
    wanted = texts[: next((i for i, text in enumerate(texts) if text[:4] != "GPU-"), len(texts))]
    if len(set(wanted)) < len(wanted):
        return _counted((), note)
    numbers: list[int] = []
    for text in wanted:
        found = [number for number, uuid in enumerate(uuids) if uuid.startswith(text)]
        if len(found) != 1:
            break
        if found[0] in numbers:
            return _counted((), note)
        numbers += found
    return _counted(numbers, note)


def _by_number(value: str, count: int) -> Opinion:
    """Repetitions are looked for first, then what is out of range ends the list."""
    note = "it takes NVML's numbers for CUDA's, whatever CUDA_DEVICE_ORDER says"
    numbers: dict[int, None] = {}  # in their order
    for text in value.split(","):
        bare = text.strip()
        if bare and bare[0] in "+-" and not bare[1:2].isdigit():
            return _undecided("a sign without a number makes it raise a ValueError")
        number = entries.number(bare)
        if number is None or number < 0:
            break
        if number in numbers:
            return _counted((), note)
        numbers[number] = None
    return _counted(tuple(takewhile(lambda number: number < count, numbers)), note)


def _counted(numbers: Sequence[int], note: str) -> Opinion:
    return Opinion(_READER, tuple(numbers), note, _SOURCE)


def _undecided(note: str) -> Opinion:
    return Opinion(_READER, None, note, _SOURCE)
