"""The device files by which a program reaches the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Entry, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.NODE,)

#: Those of any driver for Linux, of WSL, and of a Tegra, whose memory all its processors share.
_ALWAYS = ("nvidiactl", "nvidia-uvm", "dxg", "nvmap")
_GPUS = "/proc/driver/nvidia/gpus"


def collect(machine: Machine) -> Iterator[Entry]:
    """The control files, and /dev/nvidia<N> of every GPU that /dev or the module knows."""
    if machine.system != "Linux":
        unknown = Unknown(f"device files are a matter of Linux, not of {machine.system}")
        yield from (entry(names.NODE(name), unknown) for name in _ALWAYS)
        return
    listed = machine.list_dir("/dev")
    if not isinstance(listed, Known):
        reason = listed.reason if isinstance(listed, Unknown) else f"{listed.source} is not there"
        yield from (entry(names.NODE(name), Unknown(reason)) for name in _ALWAYS)
        return
    for name in (*_ALWAYS, *_numbered(machine, listed.value)):
        yield entry(names.NODE(name), machine.node(f"/dev/{name}"))


def _numbered(machine: Machine, listed: tuple[str, ...]) -> list[str]:
    """nvidia0 … in the order of their numbers; nvidia0 where nobody knows of any."""
    tails = {name.removeprefix("nvidia") for name in listed if name.startswith("nvidia")}
    minors = {int(tail) for tail in tails if tail.isascii() and tail.isdigit()}
    minors |= set(_minors(machine))
    return [f"nvidia{minor}" for minor in sorted(minors or {0})]


def _minors(machine: Machine) -> Iterator[int]:
    """The numbers that the kernel module gave to its GPUs."""
    gpus = machine.list_dir(_GPUS)
    for address in gpus.value if isinstance(gpus, Known) else ():
        text = machine.read_text(f"{_GPUS}/{address}/information")
        for line in text.value.splitlines() if isinstance(text, Known) else ():
            name, _, value = line.partition(":")
            if name == "Device Minor" and value.strip().isascii() and value.strip().isdigit():
                yield int(value)
