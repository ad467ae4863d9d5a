"""lspci, plain, with -nn and with -k; an empty answer to ``lspci | grep -i nvidia`` says no."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..prompts import commands, is_empty
from ..statement import Statements, deny, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

    Devices = tuple[tuple[Line, re.Match[str]], ...]

#: A display device in a list of lspci.
DEVICE = regex(
    r"(?a)\A\s*(?P<address>(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]) "
    r"(?P<class>VGA compatible controller|3D controller|Display controller|Processing accelerators)"
    r"(?: \[[0-9a-f]{4}\])?: (?P<maker>.+)"
)
_IDS = regex(r"\[([0-9a-f]{4}):([0-9a-f]{4})\]")
_HELD = regex(r"\A\s+Kernel driver in use: (\S+)")
_SUBSYSTEM = regex(r"\A\s+Subsystem:")
_MODULES = regex(r"\A\s+Kernel modules: \w")
#: NVIDIA's own module is among those that could drive the device: the driver is installed.
_OFFERED = regex(r"\A\s+Kernel modules:(?: [\w-]+,)* nvidia(?:,|\s*\Z)")
_MAKERS = (
    ("nvidia", "nvidia"),
    ("advanced micro devices", "amd"),
    ("amd/ati", "amd"),
    ("amd ", "amd"),
    ("radeon", "amd"),
    ("intel", "intel"),
    ("aspeed", "aspeed"),
    ("matrox", "matrox"),
    ("vmware", "vmware"),
    ("virtualbox", "virtualbox"),
    ("red hat", "redhat"),
    ("microsoft", "microsoft"),
    ("cirrus", "cirrus"),
)
#: Which machine a shell's prompt is of: user@host, as it is or in brackets.
_HOST = regex(r"(?a)\A\s{0,8}(?:\([\w.-]{1,60}\) ?)?\[?[\w.-]{1,60}@([\w.-]{1,80})")
#: The call without a choice of devices and without a filter behind it.
_PLAIN = regex(r"(?:sudo )?lspci(?: -(?:n{1,2}|k|n{1,2}k|v{1,3}|D))*")
#: The device with which each list of a PC or of its virtual machines begins.
_HOST_BRIDGE = regex(r"(?a)\A\s*(?:[0-9a-f]{4}:)?00:00\.0 Host bridge\b")
#: What -v prints for one device before the next one.
_BELOW = 24
#: The lanes that a device has, and those that it uses.
_LINK = regex(r"(?a)\A\s*Lnk(Cap|Sta):.{0,80}?\bWidth x(\d{1,2})\b")
_HEADER = regex(r"(?ai)\A\s{0,4}(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f] \w")
#: What a link can and what it does are two lines.
_ONE_LINK = 2
#: So many lines -vv prints of a device before its link.
_ABOVE = 40


def read(text: Text) -> Statements:
    """Each display device, then how many there are where the whole list was pasted."""
    found = _of_last_machine(text, tuple(_devices(text)))
    for number, (line, match) in enumerate(found):
        yield from _device(text, number, line, match)
    nvidia = [line for line, match in found if maker(match["maker"]) == "nvidia"]
    if nvidia:
        yield say(names.PCI_NVIDIA_COUNT, len(nvidia), nvidia[0])
    yield from _none(text, found[0][0] if found and not nvidia else None)
    yield from _narrow(text)


def _devices(text: Text) -> Iterator[tuple[Line, re.Match[str]]]:
    seen = set()
    for line in text.having("controller", "processing accelerators"):
        match = DEVICE.match(line.text)
        if match and match["address"] not in seen:
            seen.add(match["address"])
            yield line, match


def _of_last_machine(text: Text, found: Devices) -> Devices:
    """Of a host and its virtual machine, told apart by their prompts, the one that comes last."""
    asked = [
        (host[1].partition(".")[0].lower(), answer)
        for line, _, answer in commands(text, "lspci")
        if (host := _HOST.match(line.text))
    ]
    elsewhere = {each.number for host, answer in asked if host != asked[-1][0] for each in answer}
    return tuple(each for each in found if each[0].number not in elsewhere)


def maker(device: str) -> str:
    """Who made a device, by the words that tell of it."""
    low = device.lower()
    return next((maker for words, maker in _MAKERS if words in low), "other")


def _device(text: Text, number: int, line: Line, match: re.Match[str]) -> Statements:
    made_by, address = maker(match["maker"]), match["address"]
    yield say(names.PCI_VENDOR(number), made_by, line)
    whole = address if address.count(":") > 1 else f"0000:{address}"
    yield say(names.PCI_ADDRESS(number), whole, line)
    if ids := _IDS.search(match["maker"]):
        yield say(names.PCI_DEVICE(number), ids[2], line)
    details = tuple(_details(text, line))
    yield from _without_driver(number, details)
    for below in details:
        if held := _HELD.match(below.text):
            yield say(names.PCI_DRIVER(number), held[1], below)
        if made_by == "nvidia" and _OFFERED.match(below.text):
            yield say(names.DRIVER_PACKAGE, "kernel module nvidia", below)
    if made_by == "nvidia" and (
        name := re.search(
            r"\[((?:GeForce|Tesla|Quadro|RTX|GTX|TITAN|[A-Z]\d+)[^\]]*)\]", match["maker"]
        )
    ):
        yield say(names.GPU_NAME(number), name[1], line)


def _details(text: Text, line: Line) -> Iterator[Line]:
    """The lines of -v or -k about the device of `line`."""
    for below in text.after(line, _BELOW):
        if not below.text.startswith((" ", "\t")):
            return
        yield below


def _without_driver(number: int, details: tuple[Line, ...]) -> Statements:
    """No kernel driver has the device: `-k` names it between these two lines."""
    for above, below in pairwise(details):
        if _SUBSYSTEM.match(above.text) and _MODULES.match(below.text):
            yield deny(names.PCI_DRIVER(number), below)


def _none(text: Text, other: Line | None) -> Statements:
    """Nothing of NVIDIA: an empty answer to a search for it, or a list of others' devices."""
    for line, command, answer in commands(text, "lspci"):
        searched = re.search(r"grep\s+(?:-\w+\s+)*[\"']?(?:nvidia|10de)", command.lower())
        asked = searched is not None or "-d 10de" in command.lower()
        if (asked and is_empty(answer)) or (other is None and _is_whole(command, answer)):
            yield say(names.PCI_NVIDIA_COUNT, 0, line)
    if other is not None and not _was_filtered(text):
        yield say(names.PCI_NVIDIA_COUNT, 0, other)


def _is_whole(command: str, answer: tuple[Line, ...]) -> bool:
    """Whether the list is that of all devices, from the host bridge on, and shows no GPU at all.

    So it is of virtual machines that have no graphics card of any kind.
    """
    rows = [line.text for line in answer]
    host = any(_HOST_BRIDGE.match(row) for row in rows)
    left_out = any("..." in row or "\u2026" in row for row in rows)
    shown = any(DEVICE.match(row) or "nvidia" in row.lower() for row in rows)
    return bool(_PLAIN.fullmatch(command)) and host and not left_out and not shown


def _was_filtered(text: Text) -> bool:
    """Whether somebody searched the list for another maker only."""
    return any(
        re.search(r"grep\s+(?:-\w+\s+)*[\"']?(?:amd|intel|radeon)", command.lower())
        for _, command, _ in commands(text, "lspci")
    )


def _narrow(text: Text) -> Statements:
    """The link of a GPU that has fewer lanes than the card; old releases of lspci do not judge it.

    Of links without their device's line, as grep leaves them, one is taken for the GPU's.
    """
    links = list(text.matching(_LINK, "lnkcap:", "lnksta:"))
    for (above, cap), (line, sta) in pairwise(links):
        most, now = int(cap[2]), int(sta[2])
        if (cap[1], sta[1]) != ("Cap", "Sta") or not 0 < now < most:
            continue
        device = _device_above(text, above)
        if _is_gpu(device) if device else len(links) == _ONE_LINK:
            yield say(said.SIGN("pcie-narrow"), f"x{now} of x{most}", line)


def _device_above(text: Text, line: Line) -> str | None:
    """The line of the device that a line below it is of."""
    headers = (each.text for each in reversed(text.before(line, _ABOVE)))
    return next((each for each in headers if _HEADER.match(each)), None)


def _is_gpu(device: str) -> bool:
    match = DEVICE.match(device)
    return match is not None and maker(match["maker"]) == "nvidia"
