"""All that is known of one GPU, in groups; what is not known has its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ...device.model import NONE
from ..units import bytes_in_words
from . import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...device import Device
    from ...device.groups import MigInstance
    from ...knowledge.limits import Limits


Row = tuple[str, str]  # a label and a value


@dataclass(frozen=True, slots=True)
class Section:
    """What belongs together: the values, then what is not known, with the reason."""

    title: str
    rows: tuple[Row, ...]
    unknown: tuple[str, ...] = ()


class _Field(NamedTuple):
    """What is shown of an attribute: `unit` is a suffix, or how the number is written."""

    label: str
    attribute: str
    unit: str = ""


_BYTES, _VERSION = "bytes", "version"

_SECTIONS: dict[str, tuple[_Field, ...]] = {
    "Numbers and names": (
        _Field("UUID", "uuid"),
        _Field("PCI address", "pci"),
        _Field("CUDA ordinal", "ordinal"),
        _Field("NVML index", "nvml_index"),
        _Field("Minor", "minor"),
    ),
    "Chip": (
        _Field("Architecture", "architecture"),
        _Field("Compute capability", "capability", _VERSION),
        _Field("Multiprocessors", "sms"),
        _Field("Compute mode", "compute_mode"),
        _Field("Persistence", "persistence"),
    ),
    "Memory and use": (
        _Field("Memory", "memory_bytes", _BYTES),
        _Field("Free", "memory_free_bytes", _BYTES),
        _Field("Busy", "use.utilization_percent", " %"),
        _Field("Processes", "use.processes"),
        _Field("They hold", "use.process_bytes", _BYTES),
    ),
    "Clocks": (
        _Field("SM", "clocks.sm_mhz", " MHz"),
        _Field("SM at most", "clocks.sm_max_mhz", " MHz"),
        _Field("Memory", "clocks.memory_mhz", " MHz"),
        _Field("Memory at most", "clocks.memory_max_mhz", " MHz"),
        _Field("Held down by", "clocks.throttle"),
    ),
    "Power and heat": (
        _Field("Power", "power.watts", " W"),
        _Field("Limit", "power.limit_watts", " W"),
        _Field("Limit by default", "power.limit_default_watts", " W"),
        _Field("Limit at most", "power.limit_max_watts", " W"),
        _Field("Temperature", "temperature.celsius", " °C"),
        _Field("Slows down from", "temperature.slowdown_celsius", " °C"),
    ),
    "PCIe": (
        _Field("Generation", "pcie.generation"),
        _Field("Card's generation", "pcie.generation_max"),
        _Field("Slot's generation", "pcie.slot_generation_max"),
        _Field("Lanes", "pcie.width"),
        _Field("Card's lanes", "pcie.width_max"),
        _Field("Slot's lanes", "pcie.slot_width_max"),
    ),
    "Health": (
        _Field("ECC", "health.ecc"),
        _Field("Errors corrected", "health.ecc_corrected"),
        _Field("Not corrected", "health.ecc_uncorrected"),
        _Field("In all its life", "health.ecc_uncorrected_total"),
        _Field("Rows remapped", "health.rows_remapped"),
        _Field("Rows waiting", "health.rows_remap_pending"),
        _Field("Rows that failed", "health.rows_remap_failed"),
        _Field("Pages retired", "health.pages_retired"),
        _Field("Pages waiting", "health.pages_retire_pending"),
    ),
    "NVLink": (
        _Field("Links", "nvlink.links"),
        _Field("Down", "nvlink.down"),
        _Field("Errors", "nvlink.errors"),
        _Field("Lead to", "nvlink.peers"),
        _Field("Fabric", "health.fabric_state"),
    ),
    "Place in the machine": (
        _Field("NUMA node", "placement.numa_node"),
        _Field("CPUs near it", "placement.cpu_affinity"),
        _Field("Other GPUs", "placement.peers"),
    ),
    "MIG": (
        _Field("MIG", "mig.enabled"),
        _Field("Instances", "mig.instance_count"),
    ),
}


def sections(device: Device) -> tuple[Section, ...]:
    """All groups of one GPU."""
    found = [_section(device, title, fields) for title, fields in _SECTIONS.items()]
    instances = map(_instance, device.mig.instances)
    found[-1] = replace(found[-1], rows=(*found[-1].rows, *instances))
    return (*found, _published(device))


def _section(device: Device, title: str, fields: tuple[_Field, ...]) -> Section:
    rows: list[Row] = []
    gaps: dict[str, list[str]] = {}
    for field in fields:
        value: object = device
        for part in field.attribute.split("."):
            value = getattr(value, part)
        reason = device.unknown.get(field.attribute)
        if value is not None:
            rows.append((field.label, _shown(value, field.unit)))
        elif reason == NONE:
            rows.append((field.label, "none"))
        else:
            gaps.setdefault(reason or "nobody looked", []).append(field.label)
    unknown = (f"{', '.join(labels)}: {reason}" for reason, labels in gaps.items())
    return Section(title, tuple(rows), tuple(unknown))


def _shown(value: object, unit: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        separator = "." if unit == _VERSION else ", "
        return separator.join(map(str, value)) or "none"
    if unit == _BYTES and isinstance(value, int):
        return bytes_in_words(value)
    return f"{value:g}{unit}" if isinstance(value, float) else f"{value}{unit}"


def _instance(instance: MigInstance) -> Row:
    parts = (
        words.instance_memory(instance),
        f"instance {words.place(instance)}",
        "hidden from CUDA" if instance.ordinal is None else f"CUDA {instance.ordinal}",
        instance.uuid or "",
    )
    return words.profile(instance), ", ".join(part for part in parts if part)


def _published(device: Device) -> Section:
    title = "Published peak, dense"
    if device.published is None:
        reason = device.unknown.get("published", "nobody looked")
        return Section(title, (), (reason,))
    return Section(title, tuple(_figures(device.published)))


def _figures(limits: Limits) -> Iterator[Row]:
    """What the table has, each figure with its unit."""
    rates = {"fp64": limits.fp64_tflops, "fp32": limits.fp32_tflops}
    yield ("Of", limits.gpu)
    for label, rate in (*rates.items(), *limits.dense_rates):
        if rate is not None:
            tops = "TOPS" if label.startswith("int") else "TFLOPS"
            yield (label.replace("_fp16acc", ", sum fp16"), f"{rate:g} {tops}")
    if limits.bandwidth_gb_s is not None:
        yield ("Memory", f"{limits.bandwidth_gb_s:g} GB/s")
    if limits.nvlink_gb_s is not None:
        yield ("NVLink", f"{limits.nvlink_gb_s:g} GB/s, both directions")
    if limits.tdp_w is not None:
        yield ("Power", f"{limits.tdp_w:g} W")
    yield ("Source", limits.source)
