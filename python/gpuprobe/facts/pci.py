"""The GPUs on the PCI bus, of every vendor, as sysfs shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import names
from .model import Absent, Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

WRITES = (
    *(names.PCI_GPU_COUNT, names.PCI_NVIDIA_COUNT),
    *(names.PCI_VENDOR, names.PCI_ADDRESS, names.PCI_DEVICE, names.PCI_DRIVER, names.PCI_NAME),
)

DEVICES = "/sys/bus/pci/devices"

#: PCI vendor ids of those who make display devices, real or virtual.
VENDORS = {
    "1002": "amd",
    "102b": "matrox",
    "106b": "apple",
    "10de": "nvidia",
    "1234": "qemu",
    "1414": "microsoft",
    "15ad": "vmware",
    "1a03": "aspeed",
    "1af4": "virtio",
    "1b36": "redhat",
    "1d17": "zhaoxin",
    "1ed5": "moorethreads",
    "80ee": "virtualbox",
    "8086": "intel",
}

_DISPLAY = "0x03"  # VGA 0x0300, 3D 0x0302, other 0x0380
_ACCELERATOR = "0x1200"  # AMD's Instinct cards since the MI300 say this


class PciGpu(NamedTuple):
    """A display device. `address` as in sysfs: ``0000:01:00.0``."""

    address: str
    vendor: str
    device: str

    @property
    def folder(self) -> str:
        """Its folder in sysfs."""
        return f"{DEVICES}/{self.address}"


def collect(machine: Machine) -> Iterator[Entry]:
    """Counts, then vendor, address, device id and kernel driver of each GPU."""
    if machine.system == "Windows":
        from . import windows_adapters

        yield from windows_adapters.collect(machine)
        return
    if machine.system == "Darwin":
        from . import macos

        yield from macos.collect(machine)
        return
    found = find_gpus(machine)
    if not isinstance(found, Known):
        reason = Unknown(found.reason if isinstance(found, Unknown) else f"no {found.source}")
        yield entry(names.PCI_GPU_COUNT, reason)
        yield entry(names.PCI_NVIDIA_COUNT, reason)
        return
    nvidia = sum(gpu.vendor == "nvidia" for gpu in found.value)
    yield entry(names.PCI_GPU_COUNT, Known(len(found.value), found.source))
    yield entry(names.PCI_NVIDIA_COUNT, Known(nvidia, found.source))
    for number, gpu in enumerate(found.value):
        yield entry(names.PCI_VENDOR(number), Known(gpu.vendor, f"{gpu.folder}/vendor"))
        yield entry(names.PCI_ADDRESS(number), Known(gpu.address, DEVICES))
        yield entry(names.PCI_DEVICE(number), Known(gpu.device, f"{gpu.folder}/device"))
        yield entry(names.PCI_DRIVER(number), _driver(machine, gpu))


def find_gpus(machine: Machine) -> Fact[tuple[PciGpu, ...]]:
    """All display devices by address. One that cannot be read makes the list unknown."""
    if machine.system != "Linux":
        return Unknown(f"the PCI bus is read on Linux only, not on {machine.system}")
    addresses = machine.list_dir(DEVICES)
    if not isinstance(addresses, Known):
        return addresses
    gpus = []
    for address in addresses.value:
        kind = _id(machine, address, "class")
        if isinstance(kind, Unknown):
            return kind
        if isinstance(kind, Absent) or not kind.value.startswith((_DISPLAY, _ACCELERATOR)):
            continue
        vendor, device = _id(machine, address, "vendor"), _id(machine, address, "device")
        if not isinstance(vendor, Known) or not isinstance(device, Known):
            return Unknown(f"{DEVICES}/{address}: vendor or device cannot be read")
        name = vendor.value.removeprefix("0x")
        if kind.value.startswith(_DISPLAY) or VENDORS.get(name) == "amd":
            gpus.append(PciGpu(address, VENDORS.get(name, name), device.value.removeprefix("0x")))
    return Known(tuple(gpus), DEVICES)


def _id(machine: Machine, address: str, attribute: str) -> Fact[str]:
    found = machine.read_text(f"{DEVICES}/{address}/{attribute}", limit=4096)
    if not isinstance(found, Known):
        return found
    return Known(found.value.strip().lower(), found.source)


def _driver(machine: Machine, gpu: PciGpu) -> Fact[str]:
    """The kernel driver that holds the device, by the name of what the link leads to."""
    found = machine.link_target(f"{gpu.folder}/driver")
    if not isinstance(found, Known):
        return found
    return Known(found.value.rstrip("/").rpartition("/")[2], found.source)
