"""To which kernel driver each of NVIDIA's devices is bound: nvidia, nouveau, vfio-pci."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names

if TYPE_CHECKING:
    from ...facts.model import Facts, Key


def drivers_of_gpus(facts: Facts) -> tuple[Key[str], ...]:
    """The facts that tell which kernel driver has each of NVIDIA's devices."""
    found = facts.subjects(names.PCI_VENDOR)
    nvidia = [pci for pci in found if facts.known(names.PCI_VENDOR(pci)) == "nvidia"]
    return tuple(names.PCI_DRIVER(pci) for pci in nvidia)


def held_by(facts: Facts, driver: str) -> tuple[Key[str], ...]:
    """The facts by which this kernel driver has one of NVIDIA's devices."""
    return tuple(key for key in drivers_of_gpus(facts) if facts.known(key) == driver)


def reserved(facts: Facts) -> tuple[Key[str], ...]:
    """The facts by which vfio-pci, which hands devices on to virtual machines, has every GPU."""
    keys = drivers_of_gpus(facts)
    return keys if {facts.known(key) for key in keys} == {"vfio-pci"} else ()
