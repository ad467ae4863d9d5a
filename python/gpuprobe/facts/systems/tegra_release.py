"""The release of NVIDIA's system for its own boards: L4T, on which JetPack is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Entry, Fact, Known, Unknown, entry
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.TEGRA_RELEASE,)

_PATH = "/etc/nv_tegra_release"


def collect(machine: Machine) -> Iterator[Entry]:
    """36.3.0, of ``# R36 (release), REVISION: 3.0, GCID: 36106755, BOARD: …``."""
    yield entry(names.TEGRA_RELEASE, _release(machine))


def _release(machine: Machine) -> Fact[Version]:
    found = machine.read_text(_PATH, limit=4096)
    if not isinstance(found, Known):
        return found
    head, _, rest = found.value.partition("REVISION:")
    major = head.partition("R")[2].split(" ")[0].strip()
    version = Version.parse(f"{major}.{rest.partition(',')[0].strip()}")
    return Known(version, found.source) if version else Unknown(f"{found.source}: no release")
