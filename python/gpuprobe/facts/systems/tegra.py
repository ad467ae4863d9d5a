"""NVIDIA's own boards (Jetson), whose GPU is part of the chip and on no PCI bus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.TEGRA_MODEL,)

_FAMILY = "/sys/devices/soc0/family"
_RELEASE = "/etc/nv_tegra_release"
_MODEL = "/proc/device-tree/model"


def collect(machine: Machine) -> Iterator[Entry]:
    """The board's name, where it is such a board."""
    yield entry(names.TEGRA_MODEL, model(machine))


def model(machine: Machine) -> Fact[str]:
    """The board's name, "Tegra" where it tells none; absent of another machine."""
    if machine.system != "Linux":
        return Absent(f"this is {machine.system}")
    family = machine.read_text(_FAMILY)
    is_tegra = isinstance(family, Known) and family.value.lower().startswith("tegra")
    if not is_tegra and not machine.is_there(_RELEASE):
        return Unknown(family.reason) if isinstance(family, Unknown) else Absent(_FAMILY)
    name = machine.read_text(_MODEL)
    if isinstance(name, Known):  # a device tree's texts end with a NUL
        return Known(name.value.rstrip("\0\n"), name.source)
    return Known("Tegra", _FAMILY if is_tegra else _RELEASE)
