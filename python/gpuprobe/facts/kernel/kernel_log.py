"""The kernel's log: Xid events, and why the module was refused. Mostly only root may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from . import module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.KERNEL_LOG, names.XID, names.MODULE_LOAD_ERROR, names.MODULE_START_ERROR)

_RING = "/dev/kmsg"
_RING_LIMIT = 4 << 20
#: Where distributions keep it; the journal's own format is not read.
_FILES = ("/var/log/kern.log", "/var/log/dmesg", "/var/log/messages", "/var/log/syslog")
_TAIL = 1 << 20
#: The first line of every start.
_START = "Linux version "
_TEXT_LIMIT = 240

_XID = "NVRM: Xid ("
#: The kernel's or the module's own words of a module that cannot serve; the last one counts.
_REFUSALS = (
    "Loading of unsigned module is rejected",
    "Loading of module with unavailable key is rejected",
    "Lockdown: modprobe: unsigned module loading",
    "nvidia: version magic",
    "nvidia: disagrees about version of symbol",
    "nvidia: Unknown symbol",
    "requires use of the NVIDIA open kernel modules",
    "is not supported by the NVIDIA",
    "is not supported by open",
    "supported through the NVIDIA",  # … 470.xx Legacy drivers
    "NVRM: This can occur when a driver such as",  # nouveau … obtained ownership of the device
    "RmInitAdapter failed",
    "fallen off the bus and is not responding",
)
#: Of a module that runs, and could not start a GPU.
_NOT_STARTED = ("RmInitAdapter failed", "fallen off the bus and is not responding")


def collect(machine: Machine) -> Iterator[Entry]:
    """Where the log could be read, each Xid with its last line, and why a module cannot serve."""
    log = _log(machine)
    if not isinstance(log, Known):
        yield entry(names.KERNEL_LOG, log)
        yield entry(names.MODULE_LOAD_ERROR, _unread(log))
        yield entry(names.MODULE_START_ERROR, _unread(log))
        return
    yield entry(names.KERNEL_LOG, Known(log.source, log.source))
    events: dict[int, str] = {}
    refusal: str | None = None
    for line in log.value.splitlines():
        number = _xid(line)
        if number is not None:
            events[number] = line
        elif any(words in line for words in _REFUSALS):
            refusal = line
    for number, line in events.items():
        yield entry(names.XID(number), Known(_shown(line), log.source))
    yield entry(names.MODULE_LOAD_ERROR, _load_error(machine, refusal, log.source))
    yield entry(names.MODULE_START_ERROR, _start_error(log))


def _log(machine: Machine) -> Fact[str]:
    """The log since the last start: the kernel's own, else the newest part of a file."""
    ring = machine.read_records(_RING, _RING_LIMIT)
    if isinstance(ring, Known) and ring.value:
        return Known(ring.value, ring.source)
    for path in _FILES:
        tail = machine.read_tail(path, _TAIL)
        if isinstance(tail, Known) and tail.value:
            return Known(tail.value[max(tail.value.rfind(_START), 0) :], tail.source)
    return Unknown(f"{_RING}: empty") if isinstance(ring, Known) else ring


def _unread(log: Absent | Unknown) -> Unknown:
    return Unknown(log.reason if isinstance(log, Unknown) else f"no {log.source}")


def _xid(line: str) -> int | None:
    """The number in ``NVRM: Xid (PCI:0000:65:00): 79, pid=1234, …``."""
    number = line.partition(_XID)[2].partition("): ")[2].partition(",")[0].strip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < 5 else None  # noqa: PLR2004


def _shown(line: str) -> str:
    """Without what /dev/kmsg puts before the text: ``3,1187,17034,-;NVRM: …``."""
    return line[max(line.find("NVRM: "), 0) :].strip()[:_TEXT_LIMIT]


def _start_error(log: Known[str]) -> Fact[str]:
    """The last line of a GPU that did not start."""
    for line in reversed(log.value.splitlines()):
        if any(words in line for words in _NOT_STARTED):
            return Known(_shown(line), log.source)
    return Absent(log.source)


def _load_error(machine: Machine, refusal: str | None, source: str) -> Fact[str]:
    """Of a module that runs now, an earlier refusal is history."""
    loaded = module.is_loaded(machine)
    if refusal is None or (isinstance(loaded, Known) and loaded.value):
        return Absent(source)
    text = refusal.partition(";")[2] if refusal[:1].isdigit() and ";" in refusal else refusal
    return Known(text.strip()[:_TEXT_LIMIT], source)
