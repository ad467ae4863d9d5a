"""The GPU of a Mac, as far as files and the processor's name tell; there is no CUDA for it.

What would list the devices (ioreg, system_profiler) are programs, which are not started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..host import machine_name
from ..model import Entry, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

_NOT_ASKED = "on a Mac with an Intel processor only programs (ioreg) tell which GPU it has"


def collect(machine: Machine) -> Iterator[Entry]:
    """Apple's processors have Apple's GPU and take no other; of the others nobody knows."""
    name = machine_name(machine)
    if name != "arm64":
        yield entry(names.PCI_GPU_COUNT, Unknown(_NOT_ASKED))
        yield entry(names.PCI_NVIDIA_COUNT, Unknown(_NOT_ASKED))
        return
    source = f"uname: {name}"
    yield entry(names.PCI_GPU_COUNT, Known(1, source))
    yield entry(names.PCI_NVIDIA_COUNT, Known(0, source))
    yield entry(names.PCI_VENDOR(0), Known("apple", source))
