"""The list for a terminal: two lines a GPU, then the table of its numbers and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..terminal import cells, margin, wrap
from . import words
from .everything import sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...device import Device
    from ..terminal import Style
    from .listing import Listing

_INDENT = 7  # the width of "GPU 0  "
_BAR = 16
#: Below this width the tables do not fit, and each GPU becomes a small block.
_WIDE = 80
_LABEL = 24
_COLUMNS = ("GPU", "CUDA", "NVML", "Minor", "PCI         ", "UUID")
#: What follows the memory, each with what stands in its place where nobody knows it.
_MEASURES: tuple[tuple[Callable[[Device], str], str], ...] = (
    (words.temperature, "? °C"),
    (words.power, "? W"),
    (words.load, "? % busy"),
)


def text(listing: Listing, style: Style) -> str:
    """The short list."""
    if not listing.devices:
        return _nothing(listing, style)
    lines = [*_title(listing, style), ""]
    if style.width < _WIDE:
        for device in listing.devices:
            lines += _block(device, style)
    else:
        lines += _states(listing.devices, style)
        lines += ["", *_index(listing.devices, style)]
    return "\n".join([*lines, *_notes(listing, style)])


def everything(listing: Listing, style: Style) -> str:
    """All that is known of each GPU, and the reason for what is not."""
    if not listing.devices:
        return _nothing(listing, style)
    lines = _title(listing, style)
    for device in listing.devices:
        lines += ["", *_head(device, style)]
        for section in sections(device):
            lines += ["", "  " + style.paint(section.title, "bold")]
            for label, value in section.rows:
                lines += _row(label, value, style)
            for gap in section.unknown:
                lines += _row("not known", gap, style, "dim")
    return "\n".join([*lines, *_warnings(listing, style)])


def _title(listing: Listing, style: Style) -> list[str]:
    return [style.paint(line, "bold") for line in wrap(style.plain(listing.title), style.width)]


def _nothing(listing: Listing, style: Style) -> str:
    return "\n".join(wrap(style.plain(listing.nothing), style.width))


# -- how each does ---------------------------------------------------------------------------


def _states(devices: Sequence[Device], style: Style) -> Iterator[str]:
    """Two lines a GPU: what it is, and how it does; figures of all stand below each other."""
    used = [words.memory(device) or words.UNKNOWN for device in devices]
    figures = [[read(device) or unread for read, unread in _MEASURES] for device in devices]
    width = max(map(cells, used))
    widths = [max(map(cells, column)) for column in zip(*figures, strict=True)]
    for device, memory, row in zip(devices, used, figures, strict=True):
        yield from _head(device, style)
        if device.failure is None:
            cells_ = [cell.rjust(size) for cell, size in zip(row, widths, strict=True)]
            line = f"  {style.plain('   '.join([memory.rjust(width), *cells_]))}"
            yield " " * _INDENT + _bar(device, style) + line
        yield from _parts(device, style)


def _head(device: Device, style: Style) -> list[str]:
    """``GPU 0  NVIDIA H200 · Hopper 9.0 · 132 SMs``, and what failed if something did."""
    lead = style.paint(f"GPU {device.index}".ljust(_INDENT - 2), "bold") + "  "
    lines = _wrapped(words.headline(device), style, lead)
    if device.failure is not None:
        lines += _wrapped(f"cannot be used: {device.failure}", style, sign="✗", tone="red")
    return lines


def _bar(device: Device, style: Style) -> str:
    """How full the memory is; what is in use is never shown as nothing."""
    full = words.share(device.memory_used_bytes, device.memory_bytes)
    if full is None:
        return style.paint(style.plain("░" * _BAR), "dim")
    used = device.memory_used_bytes or 0
    filled = max(round(full * _BAR), 1 if used else 0)
    rest = style.paint(style.plain("░" * (_BAR - filled)), "dim")
    return style.paint(style.plain("█" * filled), "cyan") + rest


def _parts(device: Device, style: Style) -> Iterator[str]:
    """The MIG instances."""
    if device.mig.enabled and not device.mig.instances and device.mig.instance_count == 0:
        note = "MIG is on and no instance exists: CUDA has nothing to use here"
        yield from _wrapped(note, style, sign="!", tone="yellow")
    for instance in device.mig.instances:
        parts = (words.profile(instance), words.instance_memory(instance))
        shown = "  ".join(part for part in parts if part)
        yield " " * _INDENT + style.paint(style.plain(f"└ {shown}"), "dim")


# -- which is which --------------------------------------------------------------------------


def _index(devices: Sequence[Device], style: Style) -> Iterator[str]:
    """The numbers that each library gives it, and the names that stay."""
    yield style.paint("  ".join(_COLUMNS), "dim")
    for device in devices:
        yield _index_line(style, words.identity(device))
        for instance in device.mig.instances:
            yield _index_line(style, words.instance_identity(instance))


def _index_line(style: Style, row: tuple[str, ...]) -> str:
    *numbers, pci, uuid = row
    right = [cell.rjust(len(name)) for cell, name in zip(numbers, _COLUMNS, strict=False)]
    return style.plain("  ".join([*right, pci.ljust(len(_COLUMNS[-2])), uuid]).rstrip())


def _block(device: Device, style: Style) -> Iterator[str]:
    """All of it one below the other, where the page is narrow."""
    yield from _head(device, style)
    figures = [words.memory(device), *(read(device) for read, _ in _MEASURES)]
    _, ordinal, nvml, minor, pci, uuid = words.identity(device)
    yield from _wrapped(" · ".join(figure for figure in figures if figure), style)
    yield from _wrapped(f"CUDA {ordinal} · NVML {nvml} · minor {minor} · {pci}", style)
    yield from _wrapped(uuid, style, tone="dim")
    for instance in device.mig.instances:
        _, ordinal, ids, _, _, uuid = words.instance_identity(instance)
        yield from _wrapped(f"└ {words.profile(instance)} · CUDA {ordinal} · {ids}", style)
        yield from _wrapped(uuid, style, tone="dim")


# -- what is said beside it -------------------------------------------------------------------


def _notes(listing: Listing, style: Style) -> Iterator[str]:
    yield from _warnings(listing, style)
    lines = words.unread(listing.devices)
    if lines:
        yield ""
    for line in lines:
        yield from _wrapped(line, style, "", sign="?", tone="dim")


def _warnings(listing: Listing, style: Style) -> Iterator[str]:
    for warning in listing.warnings:
        yield ""
        yield from _wrapped(warning, style, "", sign="!", tone="yellow")


def _row(label: str, value: str, style: Style, *tone: str) -> Iterator[str]:
    """A label and a value beside it; below it where the value has no room."""
    indent = _LABEL if style.width >= 2 * _LABEL else _INDENT
    lines = wrap(style.plain(value), style.width - indent)
    margins = [margin(line, indent, style.width) for line in lines]
    if indent < _LABEL or cells(lines[0]) > style.width - indent:
        yield "    " + style.paint(label, "dim")
    else:
        margins[0] = "    " + style.paint(label.ljust(_LABEL - 4), "dim")
    for before, line in zip(margins, lines, strict=True):
        yield before + style.paint(line, *tone)


def _wrapped(
    line: str, style: Style, lead: str | None = None, *, sign: str = "", tone: str = ""
) -> list[str]:
    """`line` below the name of a GPU, or from the margin where `lead` is given."""
    tones = (tone,) if tone else ()
    indent = _INDENT if lead is None or lead else 0
    start = " " * indent if lead is None else lead
    if sign:
        start += style.paint(style.plain(sign), *tones) + " "
        indent += 2
    rows = wrap(style.plain(line), style.width - indent)
    margins = [margin(row, indent, style.width) for row in rows]
    if sign or lead is not None:
        margins[0] = start
    return [before + style.paint(row, *tones) for before, row in zip(margins, rows, strict=True)]
