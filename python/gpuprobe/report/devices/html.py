"""The list as a page, or as a part of one for a notebook: a card a GPU, and how they connect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from ..html import escape, style, wrap_page
from . import words
from .everything import sections
from .gauges import gauges
from .statements import statements
from .topology import peers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...device import Device
    from .everything import Section
    from .listing import Listing


def page(listing: Listing, *, everything: bool = False) -> str:
    """A whole document; with `everything`, what is folded is open."""
    return wrap_page(f"gpuprobe: {listing.title}", _body(listing, everything), sheet() + "\n")


def fragment(devices: Sequence[Device]) -> str:
    """The part that a notebook shows."""
    cards = "".join(_card(device, everything=False) for device in devices)
    return (
        f"<style>{style()}\n{sheet()}</style>"
        f'<div class="gpuprobe"><div class="gpus">{cards}</div></div>'
    )


def sheet() -> str:
    """The style sheet of bars and cards beside this module."""
    return Path(__file__).with_name("devices.css").read_text(encoding="utf-8").rstrip()


def _body(listing: Listing, everything: bool) -> str:
    version = f'<p class="soft">gpuprobe {escape(__version__)}</p>'
    if not listing.devices:
        return f"<header><h1>No GPU</h1>{version}</header><p>{escape(listing.nothing)}</p>"
    alerts = "".join(f'<p class="alert">{escape(warning)}</p>' for warning in listing.warnings)
    unread = "".join(f"<li>{escape(line)}</li>" for line in words.unread(listing.devices))
    parts = (
        f"<header><h1>{escape(listing.title)}</h1>{version}{alerts}</header>",
        '<div class="gpus">',
        *(_card(device, everything=everything) for device in listing.devices),
        "</div>",
        _index(listing.devices),
        _topology(listing.devices),
        f"<details><summary>What could not be read</summary><ul>{unread}</ul></details>"
        if unread
        else "",
    )
    return "\n".join(part for part in parts if part)


# -- one GPU ---------------------------------------------------------------------------------


def _card(device: Device, *, everything: bool) -> str:
    """What it is, how it does, who uses it; the rest is folded."""
    tone = "open" if device.failure is None else "broken"
    head = (
        f'<h2><span class="number">GPU {device.index}</span> '
        f"{escape(device.name or 'name unknown')}</h2>"
        f'<p class="soft">{escape(_subtitle(device))}</p>'
    )
    if device.failure is not None:
        failure = f'<p class="failure">✗ cannot be used: {escape(device.failure)}</p>'
        return f'<section class="gpu {tone}">{head}{failure}</section>'
    parts = (head, _gauges(device), _chips(device), _instances(device), _processes(device))
    return f'<section class="gpu {tone}">{"".join(parts)}{_rest(device, everything)}</section>'


def _subtitle(device: Device) -> str:
    built = " ".join(part for part in (device.architecture, words.capability(device)) if part)
    parts = (
        built,
        words.sms(device),
        "" if device.ordinal is None else f"CUDA {device.ordinal}",
        "" if device.nvml_index is None else f"NVML {device.nvml_index}",
        device.pci or "",
    )
    return " · ".join(part for part in parts if part)


def _gauges(device: Device) -> str:
    rows = "".join(
        f"<dt>{escape(gauge.label)}</dt>"
        f'<dd><div class="gauge {gauge.kind}" aria-hidden="true">'
        f'<span style="width: {100 * gauge.share:.1f}%"></span></div>'
        f'<span class="value">{escape(gauge.value)}</span></dd>'
        for gauge in gauges(device)
    )
    return f'<dl class="gauges">{rows}</dl>' if rows else ""


def _chips(device: Device) -> str:
    """Short statements; those that ask for attention are marked."""
    chips = "".join(
        f'<li class="{"part" if alarming else "open"}">{escape(text)}</li>'
        for text, alarming in statements(device)
    )
    return f'<ul class="chips">{chips}</ul>' if chips else ""


def _instances(device: Device) -> str:
    rows = [
        (
            words.profile(instance),
            words.instance_memory(instance) or words.UNKNOWN,
            words.place(instance),
            "hidden" if instance.ordinal is None else str(instance.ordinal),
        )
        for instance in device.mig.instances
    ]
    return _table(("Instance", "Memory", "Ids", "CUDA"), rows, "small") if rows else ""


def _processes(device: Device) -> str:
    found = device.use.processes
    if not found:
        return ""
    rows = []
    for process in found:
        who, _, size = process.rpartition(": ")
        rows.append((who or process, size if who else ""))
    return _table(("Process", "Memory"), rows, "small processes")


def _rest(device: Device, everything: bool) -> str:
    groups = "".join(map(_section, sections(device)))
    opened = " open" if everything else ""
    summary = "<summary>Everything</summary>"
    return f'<details{opened}>{summary}<div class="groups">{groups}</div></details>'


def _section(section: Section) -> str:
    rows = "".join(
        f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in section.rows
    )
    rows += "".join(f'<dt>not known</dt><dd class="soft">{escape(g)}</dd>' for g in section.unknown)
    return f'<div><h3>{escape(section.title)}</h3><dl class="rows">{rows}</dl></div>'


# -- all of them -----------------------------------------------------------------------------


def _index(devices: Sequence[Device]) -> str:
    rows = []
    for device in devices:
        rows.append(words.identity(device))
        rows += [words.instance_identity(instance) for instance in device.mig.instances]
    return f"<h2>Which is which</h2>{_table(words.INDEX, rows, 'index')}"


def _topology(devices: Sequence[Device]) -> str:
    """How each reaches each other one, where anything is known of it."""
    ways = {device.index: peers(device) for device in devices}
    if len(devices) == 1 or not any(ways.values()):
        return ""
    indices = [device.index for device in devices]
    head = "".join(f'<th scope="col">GPU {index}</th>' for index in indices)
    body = "".join(
        f'<tr><th scope="row">GPU {row}</th>'
        + "".join(_way(ways[row].get(column), same=row == column) for column in indices)
        + "</tr>"
        for row in indices
    )
    table = f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody>"
    title = "<h2>How they are connected</h2>"
    return f'{title}<div class="wide"><table class="matrix">{table}</table></div>'


def _way(way: str | None, *, same: bool) -> str:
    if same:
        return '<td class="self"></td>'
    kind = "nvlink" if way is not None and way.startswith("NVLink") else "pcie"
    return f'<td class="{kind}">{escape(way or words.UNKNOWN)}</td>'


def _table(head: Iterable[str], rows: Iterable[Sequence[str]], classes: str) -> str:
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    table = f'<table class="{classes}"><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="wide">{table}</div>'
