"""What CUDA makes of a value of CUDA_VISIBLE_DEVICES, and how sure that is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .listing import Listing
from .model import Doubt, Entry, Fate, Gpu, Prediction, Target
from .reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...facts.version import Version

_Devices = tuple[Target, ...] | None
_Answers = frozenset[Doubt]
_Read = tuple[tuple[Entry, ...], _Devices]


def predict(
    value: str | None, gpus: Sequence[Gpu] | None, driver: Version | None = None
) -> Prediction:
    """Foretell which devices CUDA shows under `value`, in which order, and why.

    Args:
        value: The variable's value; None where it is not set.
        gpus: All GPUs that CUDA would show without the variable, and those in MIG mode, in the
            order in which numbers count: CUDA's own (CUDA_DEVICE_ORDER), not NVML's. None where
            nobody knows them: then the value is judged by how it is written.
        driver: The driver's release; None where nobody knows it.
    """
    listing = None if gpus is None else Listing(tuple(gpus))
    readings: dict[_Answers, _Read] = {}
    pending: list[_Answers] = [frozenset()]
    while pending:
        otherwise = pending.pop()
        if otherwise in readings:
            continue
        reading = Reading(listing, driver, otherwise)
        readings[otherwise] = _read(value, reading)
        pending += [otherwise ^ {doubt} for doubt in reading.asked | otherwise]
    entries, devices = readings[frozenset()]
    others = dict.fromkeys(listed for _, listed in readings.values() if listed != devices)
    return Prediction(value, entries, devices, _decisive(readings), tuple(others))


def _read(value: str | None, reading: Reading) -> _Read:
    if value is None:
        return (), reading.unset()
    found = reading.visible(reading.read(value))
    if any(entry.fate is Fate.DUPLICATE for entry in found):
        # Who knows only the first entry to exist, or not, knows the same end: nothing is shown.
        reached = not any(entry.fate is Fate.UNCHECKED for entry in found[1:])
        return tuple(_unshown(found)), () if reached else None
    return _numbered(found), _shown(found)


def _shown(found: Sequence[Entry]) -> _Devices:
    """None where an entry could not be checked: it may end the list, or not."""
    if any(entry.fate is Fate.UNCHECKED for entry in found):
        return None
    return tuple(entry.target for entry in found if entry.fate is Fate.VISIBLE and entry.target)


def _unshown(found: Sequence[Entry]) -> Iterator[Entry]:
    """After a repetition nothing is visible, whatever stood before it."""
    for entry in found:
        yield replace(entry, fate=Fate.EMPTIED) if entry.fate is Fate.VISIBLE else entry


def _numbered(found: Sequence[Entry]) -> tuple[Entry, ...]:
    """CUDA numbers the visible devices anew, in the order of the list."""
    numbered: list[Entry] = []
    ordinal = 0
    for entry in found:
        shown = entry.fate is Fate.VISIBLE
        numbered.append(replace(entry, ordinal=ordinal) if shown else entry)
        ordinal += shown
    return tuple(numbered)


def _decisive(readings: dict[_Answers, _Read]) -> tuple[Doubt, ...]:
    """The questions whose answer changes the list; where no list is known, the entries."""
    answers = {otherwise: _outcome(*read) for otherwise, read in readings.items()}
    changing = {
        doubt
        for otherwise, outcome in answers.items()
        for doubt in otherwise
        if answers[otherwise - {doubt}] != outcome
    }
    return tuple(doubt for doubt in Doubt if doubt in changing)


def _outcome(entries: tuple[Entry, ...], devices: _Devices) -> object:
    return [(entry.fate, entry.number) for entry in entries] if devices is None else devices
