"""One GPU in words; an empty text where nothing is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...device.model import NONE
from ..units import bytes_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...device import Device
    from ...device.groups import MigInstance, Pcie

UNKNOWN = "?"
#: The columns of the table that tells which GPU of one counting is which of another.
INDEX = ("GPU", "CUDA", "NVML", "Minor", "PCI", "UUID")
_GIB = 1 << 30

#: What the short list shows of a GPU, and how it is called where it could not be read.
SHOWN = {
    "name": "name",
    "uuid": "UUID",
    "pci": "PCI address",
    "capability": "compute capability",
    "sms": "SMs",
    "memory_bytes": "memory",
    "memory_free_bytes": "free memory",
    "temperature.celsius": "temperature",
    "power.watts": "power",
    "use.utilization_percent": "load",
}

#: And of its numbers, of which one may be known to be none.
_COUNTINGS = {"ordinal": "CUDA's number", "nvml_index": "NVML's number"}


def sentence(device: Device) -> str:
    """One GPU in one line."""
    parts = (
        device.name or "name unknown",
        f"compute capability {capability(device)}" if device.capability else "",
        sms(device),
        "" if device.memory_bytes is None else bytes_in_words(device.memory_bytes),
        device.pci or "",
        device.uuid or "",
        "not visible to CUDA" if device.ordinal is None else "",
    )
    return f"GPU {device.index}: " + ", ".join(part for part in parts if part)


def headline(device: Device) -> str:
    """``NVIDIA H200 · Hopper 9.0 · 132 SMs``."""
    built = " ".join(part for part in (device.architecture, capability(device)) if part)
    parts = (device.name or "name unknown", built, sms(device))
    return " · ".join(part for part in parts if part)


def capability(device: Device) -> str:
    """``9.0``."""
    return "" if device.capability is None else ".".join(map(str, device.capability))


def sms(device: Device) -> str:
    """``132 SMs``."""
    return "" if device.sms is None else f"{device.sms} SMs"


def memory(device: Device) -> str:
    """``63.2 of 79.6 GiB``; the size alone where nobody knows what is free."""
    total, used = device.memory_bytes, device.memory_used_bytes
    if total is None:
        return ""
    if used is None:
        return bytes_in_words(total)
    if total < _GIB:
        return f"{bytes_in_words(used)} of {bytes_in_words(total)}"
    return f"{used / _GIB:.1f} of {total / _GIB:.1f} GiB"


def power(device: Device) -> str:
    """``512 of 700 W``: now, and the limit that is in force."""
    now, limit = device.power.watts, device.power.limit_watts
    if now is None:
        return ""
    return f"{now:.0f} W" if limit is None else f"{now:.0f} of {limit:.0f} W"


def temperature(device: Device) -> str:
    """``61 °C``."""
    celsius = device.temperature.celsius
    return "" if celsius is None else f"{celsius} °C"


def load(device: Device) -> str:
    """``98 % busy``."""
    percent = device.use.utilization_percent
    return "" if percent is None else f"{percent} % busy"


def share(part: float | None, whole: float | None) -> float | None:
    """`part` of `whole` between 0 and 1; None where one of them is not known."""
    if part is None or not whole:
        return None
    return min(1.0, max(0.0, part / whole))


def link_now(pcie: Pcie) -> str:
    """``gen 4 x16``: the PCIe link as it is."""
    return _link(pcie.generation, pcie.width)


def link_card(pcie: Pcie) -> str:
    """What the card itself can do."""
    return _link(pcie.generation_max, pcie.width_max)


def link_slot(pcie: Pcie) -> str:
    """What the slot can do."""
    return _link(pcie.slot_generation_max, pcie.slot_width_max)


def _link(generation: int | None, width: int | None) -> str:
    parts = (
        "" if generation is None else f"gen {generation}",
        "" if width is None else f"x{width}",
    )
    return " ".join(part for part in parts if part)


def profile(instance: MigInstance) -> str:
    """``MIG 1g.5gb``: the instance without the name of the GPU."""
    _, mig, size = (instance.name or "").partition("MIG ")
    return mig + size or "MIG instance"


def instance_memory(instance: MigInstance) -> str:
    """``4.8 GiB``."""
    return "" if instance.memory_bytes is None else bytes_in_words(instance.memory_bytes)


def place(instance: MigInstance) -> str:
    """``1/0``: ids of the GPU instance and of the compute instance in it."""
    ids = (instance.gpu_instance, instance.compute_instance)
    return "/".join(UNKNOWN if each is None else str(each) for each in ids)


def identity(device: Device) -> tuple[str, str, str, str, str, str]:
    """Its numbers and names: ours, CUDA's, NVML's, the minor, the PCI address, the UUID."""
    return (
        str(device.index),
        _number(device, "ordinal", device.ordinal),
        _number(device, "nvml_index", device.nvml_index),
        UNKNOWN if device.minor is None else str(device.minor),
        device.pci or UNKNOWN,
        device.uuid or UNKNOWN,
    )


def instance_identity(instance: MigInstance) -> tuple[str, str, str, str, str, str]:
    """The same of a MIG instance, which has ids inside its GPU."""
    ordinal = _number(instance, "ordinal", instance.ordinal)
    return "└", ordinal, place(instance), "", "", instance.uuid or UNKNOWN


def _number(thing: Device | MigInstance, attribute: str, number: int | None) -> str:
    """By which a library calls it: ``-`` where the library answers and does not list it."""
    if number is not None:
        return str(number)
    return "-" if thing.unknown.get(attribute) == NONE else UNKNOWN


def is_hidden(device: Device) -> bool:
    """Whether CUDA answers and lists neither the GPU nor an instance of it, where it could."""
    by_parts = any(instance.ordinal is not None for instance in device.mig.instances)
    empty = device.mig.enabled and not device.mig.instances
    usable = device.failure is None and not empty
    return usable and device.unknown.get("ordinal") == NONE and not by_parts


def unread(devices: Iterable[Device]) -> list[str]:
    """What the short list cannot show, one line a reason: ``GPU 0, 1, power: not supported``."""
    groups: dict[tuple[str, str], list[int]] = {}
    for device in devices:
        if device.failure is not None:
            continue  # which is said at its name
        reasons: dict[str, list[str]] = {}
        for attribute, said in {**SHOWN, **_COUNTINGS}.items():
            listed_by_none = attribute in _COUNTINGS and device.unknown.get(attribute) == NONE
            if attribute in device.unknown and not listed_by_none:
                reasons.setdefault(device.unknown[attribute], []).append(said)
        for reason, said_of in reasons.items():
            groups.setdefault((", ".join(said_of), reason), []).append(device.index)
    return [
        f"GPU {', '.join(map(str, indices))}, {what}: {reason}"
        for (what, reason), indices in groups.items()
    ]
