"""Secure Boot, by the variable of the firmware: it refuses modules that nobody signed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.SECURE_BOOT,)

_FIRMWARE = "/sys/firmware"
#: UEFI's own GUID is a part of the name.
_VARIABLE = "efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#: Four bytes of attributes come before the value of one byte.
_LENGTH = 5


def collect(machine: Machine) -> Iterator[Entry]:
    """Whether it is on."""
    yield entry(names.SECURE_BOOT, _enabled(machine))


def _enabled(machine: Machine) -> Fact[bool]:
    """`Absent`: this machine did not start by UEFI, and has no Secure Boot."""
    found = machine.read_bytes(f"{_FIRMWARE}/efi/{_VARIABLE}", limit=64)
    if isinstance(found, Known):
        if len(found.value) != _LENGTH:
            return Unknown(f"{found.source}: {len(found.value)} bytes in place of {_LENGTH}")
        return Known(found.value[-1] == 1, found.source)
    if isinstance(found, Unknown):
        return found
    firmware = machine.list_dir(_FIRMWARE)
    # An empty folder is how containers hide the host's firmware.
    if not isinstance(firmware, Known) or not firmware.value:
        return Unknown(f"{_FIRMWARE} shows nothing")
    if "efi" in firmware.value and not machine.is_there(f"{_FIRMWARE}/efi/efivars"):
        return Unknown(f"{_FIRMWARE}/efi/efivars is not mounted")
    return Absent(f"{_FIRMWARE}/efi" if "efi" not in firmware.value else found.source)
