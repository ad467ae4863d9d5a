"""The Windows Subsystem for Linux, by the name of its kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.WSL_VERSION,)

_RELEASE = "/proc/sys/kernel/osrelease"
_LIBRARIES = "/usr/lib/wsl"


def collect(machine: Machine) -> Iterator[Entry]:
    """1 or 2, or that this is no WSL."""
    yield entry(names.WSL_VERSION, version(machine))


def version(machine: Machine) -> Fact[int]:
    """Tell 1 from 2 by the kernel's name.

    WSL 2 runs Microsoft's Linux ("…-microsoft-standard-WSL2") or, rarely, a kernel of the user's
    own, then known by the GPU's device file and the libraries of the Windows host. WSL 1 runs
    none and says "4.4.0-19041-Microsoft".
    """
    if machine.system != "Linux":
        return Absent(f"this is {machine.system}")
    release = machine.read_text(_RELEASE)
    if isinstance(release, Known):
        name = release.value.strip()
        if "microsoft-standard" in name or "WSL2" in name:
            return Known(2, release.source)
        if name.endswith("-Microsoft"):
            return Known(1, release.source)
    if machine.is_there("/dev/dxg") and machine.is_there(_LIBRARIES):
        return Known(2, f"/dev/dxg and {_LIBRARIES}")
    return Unknown(release.reason) if isinstance(release, Unknown) else Absent(_RELEASE)
