"""What a list of GPUs shows, in whatever form."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Facts, Known
from . import words

if TYPE_CHECKING:
    from ...device import Device

_BY_BUS = "PCI_BUS_ID"


@dataclass(frozen=True, slots=True)
class Listing:
    """The GPUs, and what stands around them.

    Attributes:
        devices: In NVML's order.
        driver: The driver's version.
        cuda: The highest CUDA that the driver serves.
        mask: CUDA_VISIBLE_DEVICES; None where it is not set.
        by_bus: Whether CUDA_DEVICE_ORDER makes CUDA count as NVML does.
        none_because: Why the list is empty, in one sentence.
    """

    devices: tuple[Device, ...]
    driver: str | None = None
    cuda: str | None = None
    mask: str | None = None
    by_bus: bool = False
    none_because: str = ""

    @property
    def title(self) -> str:
        """``2 GPUs · driver 580.95.05 · CUDA 13.0``."""
        count = len(self.devices)
        parts = (
            f"{count} GPU" if count == 1 else f"{count} GPUs",
            f"driver {self.driver}" if self.driver else "",
            f"CUDA {self.cuda}" if self.cuda else "",
        )
        return " · ".join(part for part in parts if part)

    @property
    def nothing(self) -> str:
        """What is said in place of an empty list."""
        return nothing(self.none_because)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What easily goes wrong with these numbers."""
        return tuple(filter(None, (self._order(), self._hidden())))

    def _order(self) -> str:
        """CUDA's ``0`` may be another card than nvidia-smi's."""
        pairs = sorted(
            (device.ordinal, device.nvml_index)
            for device in self.devices
            if device.ordinal is not None and device.nvml_index is not None
        )
        differing = [f"CUDA {cuda} is NVML {nvml}" for cuda, nvml in pairs if cuda != nvml]
        if not differing:
            return ""
        way_out = "name GPUs by UUID"
        as_on_the_bus = pairs == sorted(pairs, key=itemgetter(1))  # and CUDA leaves some out
        if self.mask is None and not self.by_bus and not as_on_the_bus:
            way_out += ", or set CUDA_DEVICE_ORDER=PCI_BUS_ID"
        return f"CUDA counts otherwise than NVML and nvidia-smi: {', '.join(differing)}; {way_out}."

    def _hidden(self) -> str:
        """Not a fault, but the reason why a program sees fewer."""
        hidden = [device for device in self.devices if words.is_hidden(device)]
        if not hidden:
            return ""
        which = ", ".join(str(device.index) for device in hidden)
        why = "" if self.mask is None else f" (CUDA_VISIBLE_DEVICES={self.mask or '(empty)'})"
        return f"CUDA does not list GPU {which}{why}."


def nothing(none_because: str) -> str:
    """What is said in place of an empty list of GPUs."""
    because = f" {none_because}." if none_because else ""
    return f"No GPU can be shown.{because} `gpuprobe` tells what to do."


def listing_of(facts: Facts, devices: tuple[Device, ...], none_because: str = "") -> Listing:
    """The list of `devices` with what `facts` tell around them."""
    order = facts.fact(names.ENV("CUDA_DEVICE_ORDER"))
    driver, cuda = facts.known(names.DRIVER_VERSION), facts.known(names.DRIVER_CUDA)
    return Listing(
        devices,
        driver=None if driver is None else str(driver),
        cuda=None if cuda is None else str(cuda),
        mask=facts.known(names.ENV("CUDA_VISIBLE_DEVICES")),
        by_bus=isinstance(order, Known) and order.value == _BY_BUS,
        none_because=none_because,
    )
