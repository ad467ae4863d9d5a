"""The GPUs on the PCI bus, of every vendor, as sysfs shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import names
from .model import Absent, Entry, Fact, Known, Unknown, entry
from .pci_vendors import VENDORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

WRITES = (
    *(names.PCI_GPU_COUNT, names.PCI_NVIDIA_COUNT, names.PCI_NVSWITCH_COUNT),
    *(names.PCI_VENDOR, names.PCI_ADDRESS, names.PCI_DEVICE, names.PCI_DRIVER, names.PCI_NAME),
)

DEVICES = "/sys/bus/pci/devices"

_DISPLAY = "0x03"  # VGA 0x0300, 3D 0x0302, other 0x0380
_ACCELERATOR = "0x1200"  # AMD's Instinct cards since the MI300 say this
_BRIDGE = "0x0680"  # NVIDIA's NVSwitches say this


class PciFunction(NamedTuple):
    """A GPU or an NVSwitch. `address` as in sysfs: ``0000:01:00.0``; `kind` is its class."""

    address: str
    vendor: str
    device: str
    kind: str = _DISPLAY

    @property
    def is_gpu(self) -> bool:
        """Whether it is a GPU; else it is an NVSwitch."""
        return self.kind != _BRIDGE

    @property
    def folder(self) -> str:
        """Its folder in sysfs."""
        return f"{DEVICES}/{self.address}"


def collect(machine: Machine) -> Iterator[Entry]:
    """Counts, then vendor, address, device id and kernel driver of each GPU."""
    if machine.system == "Windows":
        from .systems import windows_adapters

        yield from windows_adapters.collect(machine)
        return
    if machine.system == "Darwin":
        from .systems import macos

        yield from macos.collect(machine)
        return
    found = _functions(machine)
    if not isinstance(found, Known):
        reason = Unknown(found.reason if isinstance(found, Unknown) else f"no {found.source}")
        for key in (names.PCI_GPU_COUNT, names.PCI_NVIDIA_COUNT, names.PCI_NVSWITCH_COUNT):
            yield entry(key, reason)
        return
    gpus = tuple(each for each in found.value if each.is_gpu)
    nvidia = sum(gpu.vendor == "nvidia" for gpu in gpus)
    yield entry(names.PCI_GPU_COUNT, Known(len(gpus), found.source))
    yield entry(names.PCI_NVIDIA_COUNT, Known(nvidia, found.source))
    yield entry(names.PCI_NVSWITCH_COUNT, Known(len(found.value) - len(gpus), found.source))
    for number, gpu in enumerate(gpus):
        yield entry(names.PCI_VENDOR(number), Known(gpu.vendor, f"{gpu.folder}/vendor"))
        yield entry(names.PCI_ADDRESS(number), Known(gpu.address, DEVICES))
        yield entry(names.PCI_DEVICE(number), Known(gpu.device, f"{gpu.folder}/device"))
        yield entry(names.PCI_DRIVER(number), _driver(machine, gpu))


def find_gpus(machine: Machine) -> Fact[tuple[PciFunction, ...]]:
    """All display devices by address. One that cannot be read makes the list unknown."""
    found = _functions(machine)
    if not isinstance(found, Known):
        return found
    return Known(tuple(each for each in found.value if each.is_gpu), found.source)


def _functions(machine: Machine) -> Fact[tuple[PciFunction, ...]]:
    """GPUs and NVSwitches, in one walk over the bus."""
    if machine.system != "Linux":
        return Unknown(f"the PCI bus is read on Linux only, not on {machine.system}")
    addresses = machine.list_dir(DEVICES)
    if not isinstance(addresses, Known):
        return addresses
    found = []
    for address in addresses.value:
        each = _function(machine, address)
        if isinstance(each, Unknown):
            return each
        if isinstance(each, Known):
            found.append(each.value)
    return Known(tuple(found), DEVICES)


def _function(machine: Machine, address: str) -> Fact[PciFunction]:
    """A GPU or an NVSwitch; `Absent`: it is neither, or went away meanwhile."""
    kind = _id(machine, address, "class")
    if not isinstance(kind, Known):
        return kind
    if not kind.value.startswith((_DISPLAY, _ACCELERATOR, _BRIDGE)):
        return Absent(kind.source)
    whole = machine.link_target(f"{DEVICES}/{address}/physfn")
    if isinstance(whole, Known):  # a share of a card for a virtual machine (SR-IOV), and no card
        return Absent(whole.source)
    vendor, device = _id(machine, address, "vendor"), _id(machine, address, "device")
    if not isinstance(vendor, Known) or not isinstance(device, Known):
        return Unknown(f"{DEVICES}/{address}: vendor or device cannot be read")
    number = vendor.value.removeprefix("0x")
    name = VENDORS.get(number, number)
    if (kind.value.startswith(_ACCELERATOR) and name != "amd") or (
        kind.value.startswith(_BRIDGE) and name != "nvidia"
    ):
        return Absent(kind.source)
    base = _BRIDGE if kind.value.startswith(_BRIDGE) else _DISPLAY
    return Known(PciFunction(address, name, device.value.removeprefix("0x"), base), kind.source)


def _id(machine: Machine, address: str, attribute: str) -> Fact[str]:
    found = machine.read_text(f"{DEVICES}/{address}/{attribute}", limit=4096)
    if not isinstance(found, Known):
        return found
    return Known(found.value.strip().lower(), found.source)


def _driver(machine: Machine, gpu: PciFunction) -> Fact[str]:
    """The kernel driver that holds the device, by the name of what the link leads to."""
    found = machine.link_target(f"{gpu.folder}/driver")
    if not isinstance(found, Known):
        return found
    return Known(found.value.rstrip("/").rpartition("/")[2], found.source)
