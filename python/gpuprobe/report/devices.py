"""A list of GPUs as text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terminal import wrap
from .units import bytes_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..device import Device
    from .terminal import Style

HEADINGS = ("GPU", "CUDA", "Name", "Capability", "SMs", "Memory", "PCI", "UUID")
_MARGIN = 14  # where the values begin
NONE_FOUND = "No GPU was found. `gpuprobe` says why."


def sentence(device: Device) -> str:
    """One GPU in one line."""
    capability = _capability(device)
    parts = (
        device.name or "name unknown",
        f"compute capability {capability}" if device.capability else "",
        f"{device.sms} SMs" if device.sms is not None else "",
        _memory(device) if device.memory_bytes is not None else "",
        device.pci or "",
        device.uuid or "",
        "not visible to CUDA" if device.ordinal is None else "",
    )
    return f"GPU {device.index}: " + ", ".join(part for part in parts if part)


def row(device: Device) -> tuple[str, ...]:
    """The cells of one GPU under `HEADINGS`; a question mark is explained by `reasons`."""
    return (
        str(device.index),
        "hidden" if device.ordinal is None else str(device.ordinal),
        device.name or "?",
        _capability(device),
        "?" if device.sms is None else str(device.sms),
        _memory(device),
        device.pci or "?",
        device.uuid or "?",
    )


def reasons(devices: Iterable[Device]) -> list[str]:
    """Why a cell holds a question mark."""
    return [
        f"GPU {device.index}, {attribute}: {reason}"
        for device in devices
        for attribute, reason in device.unknown.items()
        if attribute not in ("ordinal", "memory_free_bytes")
    ]


def text(devices: Sequence[Device], style: Style) -> str:
    """A block a GPU; it fits any width."""
    if not devices:
        return NONE_FOUND
    blocks = [_block(device, style) for device in devices]
    return "\n\n".join(blocks)


def _block(device: Device, style: Style) -> str:
    cells = dict(zip(HEADINGS, row(device), strict=True))
    head = style.paint(f"GPU {cells['GPU']}", "bold") + f"  {style.plain(cells['Name'])}"
    rows = [(name, cells[name]) for name in HEADINGS[1:] if name != "Name" and cells[name] != "?"]
    rows += [("unknown", reason) for reason in reasons((device,))]
    return "\n".join((head, *(line for row in rows for line in _lines(*row, style))))


def _lines(name: str, value: str, style: Style) -> list[str]:
    first, *rest = wrap(style.plain(value), style.width - _MARGIN)
    lead = "  " + style.paint(name.ljust(_MARGIN - 2), "dim")
    return [lead + first, *(" " * _MARGIN + line for line in rest)]


def markdown(devices: Sequence[Device]) -> str:
    """A table, and below it what could not be read."""
    from .markdown import cell

    if not devices:
        return NONE_FOUND
    table = [HEADINGS, ["---"] * len(HEADINGS), *(map(cell, row(device)) for device in devices)]
    lines = ["| " + " | ".join(line) + " |" for line in table]
    lines += ["", *(f"- {cell(reason)}" for reason in reasons(devices))]
    return "\n".join(lines).rstrip()


def html_table(devices: Sequence[Device]) -> str:
    """A table for a notebook cell or a page."""
    from .html import escape

    if not devices:
        return f"<p>{escape(NONE_FOUND)}</p>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in HEADINGS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row(device)) + "</tr>"
        for device in devices
    )
    notes = "".join(f"<li>{escape(reason)}</li>" for reason in reasons(devices))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return table + (f"<ul>{notes}</ul>" if notes else "")


def _memory(device: Device) -> str:
    return "?" if device.memory_bytes is None else bytes_in_words(device.memory_bytes)


def _capability(device: Device) -> str:
    return "?" if device.capability is None else ".".join(map(str, device.capability))
