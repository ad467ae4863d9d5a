r"""The GPUs of a Windows machine, as the registry shows its PCI bus; no program is started.

``Enum\PCI`` lists every device that was ever there. Which of them are there now is said by the
list of the driver that holds them (``Services\…\Enum``), which Windows makes anew at each start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..pci_vendors import VENDORS
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine
    from ..registry import RegistryKey

_CONTROL_SET = "SYSTEM\\CurrentControlSet"
BUS = f"{_CONTROL_SET}\\Enum\\PCI"
_SERVICES = f"{_CONTROL_SET}\\Services"
_CLASSES = f"{_CONTROL_SET}\\Control\\Class"

#: The class of display adapters, and what the bus calls one that has no driver yet.
_DISPLAY_CLASS = "{4d36e968-e325-11ce-bfc1-08002be10318}"
_DISPLAY_IDS = ("PCI\\CC_03", "PCI\\CC_1200")  # AMD's Instinct cards say the latter


class Adapter(NamedTuple):
    """A display adapter. `present` None: nobody can tell whether it is still plugged in."""

    key: str
    vendor: str
    device: str
    address: str | None
    service: str | None
    present: bool | None
    name: str | None
    version: str | None  # of its driver, in Windows' own form: 31.0.15.3623


def collect(machine: Machine) -> Iterator[Entry]:
    """What `pci` collects on Linux, and what the driver calls each GPU."""
    found = find_adapters(machine)
    if not isinstance(found, Known):
        reason = Unknown(found.reason if isinstance(found, Unknown) else f"no {found.source}")
        yield entry(names.PCI_GPU_COUNT, reason)
        yield entry(names.PCI_NVIDIA_COUNT, reason)
        return
    yield entry(names.PCI_GPU_COUNT, _count(found.value, found.source))
    nvidia = tuple(adapter for adapter in found.value if adapter.vendor == "nvidia")
    yield entry(names.PCI_NVIDIA_COUNT, _count(nvidia, found.source))
    there = (adapter for adapter in found.value if adapter.present)
    for number, adapter in enumerate(there):
        yield from _facts(number, adapter)


def _count(adapters: tuple[Adapter, ...], source: str) -> Fact[int]:
    """How many are there; unknown where only such are listed that may have been unplugged."""
    there = sum(adapter.present is True for adapter in adapters)
    if adapters and not there:
        first = adapters[0]
        return Unknown(
            f"{first.key}: no driver holds it now; it may be disabled, or no longer plugged in"
        )
    return Known(there, source)


def _facts(number: int, adapter: Adapter) -> Iterator[Entry]:
    yield entry(names.PCI_VENDOR(number), Known(adapter.vendor, adapter.key))
    yield entry(names.PCI_DEVICE(number), Known(adapter.device, adapter.key))
    yield entry(names.PCI_ADDRESS(number), _told(adapter.address, adapter.key))
    yield entry(names.PCI_DRIVER(number), _told(adapter.service, adapter.key))
    yield entry(names.PCI_NAME(number), _told(adapter.name, adapter.key))


def _told(text: str | None, source: str) -> Fact[str]:
    return Absent(source) if text is None else Known(text, source)


def driver_version(machine: Machine) -> Fact[Version]:
    """The release of NVIDIA's driver, by the driver of its first adapter that is there."""
    found = find_adapters(machine)
    if not isinstance(found, Known):
        return found
    source = f"HKLM\\{_CLASSES}\\{_DISPLAY_CLASS}"
    for adapter in found.value:
        if adapter.vendor == "nvidia" and adapter.present and adapter.service == "nvlddmkm":
            version = release(adapter.version or "")
            if version is None:
                return Unknown(f"{source}: {adapter.version!r} is no version of NVIDIA's driver")
            return Known(version, f"{source}, DriverVersion {adapter.version}")
    return Absent(source)


def release(windows_version: str) -> Version | None:
    """NVIDIA's release in Windows' form of it: 31.0.15.3623 is 536.23, 27.21.14.5671 is 456.71."""
    parts = windows_version.split(".")
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() for part in parts):  # noqa: PLR2004
        return None
    digits = parts[2][-1] + parts[3].zfill(4)
    return Version.parse(f"{digits[:3]}.{digits[3:]}")


def find_adapters(machine: Machine) -> Fact[tuple[Adapter, ...]]:
    """All display adapters of the PCI bus, in the order of the registry."""
    bus = machine.registry(BUS)
    if not isinstance(bus, Known):
        return bus
    found = []
    for name in bus.value.subkeys:
        device = machine.registry(f"{BUS}\\{name}")
        for instance in device.value.subkeys if isinstance(device, Known) else ():
            path = f"{name}\\{instance}"
            key = machine.registry(f"{BUS}\\{path}")
            if isinstance(key, Unknown):
                return key
            if isinstance(key, Known) and _is_display(key.value):
                found.append(_adapter(machine, path, key.value))
    return Known(tuple(found), bus.source)


def _is_display(key: RegistryKey) -> bool:
    kind = key.text("ClassGUID")
    if kind is not None:
        return kind.lower() == _DISPLAY_CLASS
    return any(each.upper().startswith(_DISPLAY_IDS) for each in key.texts("CompatibleIDs"))


def _adapter(machine: Machine, path: str, key: RegistryKey) -> Adapter:
    r"""`path` as in Enum\PCI: ``VEN_10DE&DEV_2684&SUBSYS_…&REV_A1\4&2283f625&0&0019``."""
    hardware = path.partition("\\")[0]  # the rest names this very machine, and is not shown
    ids = dict(part.lower().split("_", 1) for part in hardware.split("&") if "_" in part)
    vendor = ids.get("ven", "")
    service = key.text("Service")
    driver = machine.registry(f"{_CLASSES}\\{key.text('Driver') or _DISPLAY_CLASS}")
    of_driver = driver.value if isinstance(driver, Known) else None
    return Adapter(
        f"HKLM\\{BUS}\\{hardware}",
        VENDORS.get(vendor, vendor),
        ids.get("dev", ""),
        _address(key.text("LocationInformation") or ""),
        service,
        _present(machine, service, f"PCI\\{path}"),
        of_driver.text("DriverDesc") if of_driver else None,
        of_driver.text("DriverVersion") if of_driver else None,
    )


def _present(machine: Machine, service: str | None, path: str) -> bool | None:
    """Whether its driver holds it now. What never had a driver is taken as there."""
    if service is None:
        return True
    held = machine.registry(f"{_SERVICES}\\{service}\\Enum")
    listed = held.value.values.values() if isinstance(held, Known) else ()
    return True if any(str(each).lower() == path.lower() for each in listed) else None


def _address(location: str) -> str | None:
    r"""``@System32\drivers\pci.sys,#65536;PCI bus %1, …;(1,0,0)`` is 0000:01:00.0."""
    numbers = location.rpartition("(")[2].rstrip(")").split(",")
    if len(numbers) != 3 or not all(each.strip().isdigit() for each in numbers):  # noqa: PLR2004
        return None
    bus, device, function = (int(each) for each in numbers)
    return f"0000:{bus:02x}:{device:02x}.{function:x}"
