"""The list for an issue form: two tables, and what could not be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..markdown import cell
from . import words
from .everything import sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...device import Device
    from .listing import Listing

STATE = ("GPU", "Name", "Capability", "SMs", "Memory", "Temperature", "Power", "Load")


def markdown(listing: Listing, *, everything: bool = False) -> str:
    """The tables; with `everything`, a table for each GPU in place of the first."""
    if not listing.devices:
        return cell(listing.nothing)
    parts = [f"**{cell(listing.title)}**"]
    if everything:
        parts += [_everything(device) for device in listing.devices]
    else:
        parts.append(_table(STATE, map(_state, listing.devices)))
    parts.append(_table(words.INDEX, _index(listing.devices)))
    notes = [f"- ⚠️ {cell(warning)}" for warning in listing.warnings]
    notes += [f"- not known: {cell(line)}" for line in words.unread(listing.devices)]
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])])


def _table(head: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    names = list(head)
    lines = [names, ["---"] * len(names), *(list(map(cell, row)) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _state(device: Device) -> tuple[str, ...]:
    name = device.name or words.UNKNOWN
    if device.failure is not None:
        name += f" ✗ cannot be used: {device.failure}"
    values = (
        words.capability(device),
        str(device.sms or ""),
        words.memory(device),
        words.temperature(device),
        words.power(device),
        words.load(device),
    )
    return str(device.index), name, *(value or words.UNKNOWN for value in values)


def _index(devices: Iterable[Device]) -> Iterator[tuple[str, ...]]:
    for device in devices:
        yield words.identity(device)
        yield from map(words.instance_identity, device.mig.instances)


def _everything(device: Device) -> str:
    head = f"### GPU {device.index}: {cell(words.headline(device))}"
    if device.failure is not None:
        head += f"\n\n✗ cannot be used: {cell(device.failure)}"
    rows = (
        (section.title, label, value)
        for section in sections(device)
        for label, value in (*section.rows, *(("not known", gap) for gap in section.unknown))
    )
    return f"{head}\n\n{_table(('Group', 'What', 'Value'), rows)}"
