"""What a column of ``nvidia-smi --query-gpu`` and a field of ``nvidia-smi -q`` say of a GPU."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names
from ...gpus.clock_reasons import BRAKES, throttle_reasons
from ...regex import regex
from ..statement import Statements, say
from ..values import capability, release

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...model import Family
    from ..text import Line

    Column = Callable[[str, str, Line], Statements]

_MIB = 1 << 20
_LANES = regex(r"(?a)(\d{1,2})x?\Z")
_COUNT = regex(r"(?a)\d{1,9}\Z")
_BITS = regex(r"(?a)0x[0-9a-fA-F]{1,16}\Z")
_FIGURE = regex(r"(?a)\d{1,6}(?:\.\d{1,3})?(?= ?(?:%|W|MHz|C)?\Z)")


def _name(gpu: str, value: str, line: Line) -> Statements:
    yield say(names.GPU_NAME(gpu), value, line)


def _uuid(gpu: str, value: str, line: Line) -> Statements:
    yield say(names.GPU_UUID(gpu), value, line)


def _driver(_gpu: str, value: str, line: Line) -> Statements:
    if version := release(value):
        yield say(names.DRIVER_VERSION, version, line)


def _capability(gpu: str, value: str, line: Line) -> Statements:
    if found := capability(value):
        yield say(names.GPU_CAPABILITY(gpu), found, line)


def _persistence(gpu: str, value: str, line: Line) -> Statements:
    if value in ("Enabled", "Disabled"):
        yield say(names.GPU_PERSISTENCE(gpu), value == "Enabled", line)


def _mig(gpu: str, value: str, line: Line) -> Statements:
    if value in ("Enabled", "Disabled"):
        yield say(names.GPU_MIG(gpu), value == "Enabled", line)


def _compute_mode(gpu: str, value: str, line: Line) -> Statements:
    yield say(names.GPU_COMPUTE_MODE(gpu), value.lower().replace("_", " "), line)


def _memory(gpu: str, value: str, line: Line) -> Statements:
    if number := re.match(r"(?a)\d{1,9}", value):
        yield say(names.GPU_MEMORY(gpu), int(number[0]) * _MIB, line)


def _width(gpu: str, value: str, line: Line) -> Statements:
    if number := _LANES.match(value):
        yield say(names.GPU_PCIE_WIDTH(gpu), int(number[1]), line)


def _width_max(gpu: str, value: str, line: Line) -> Statements:
    if number := _LANES.match(value):
        yield say(names.GPU_PCIE_WIDTH_MAX(gpu), int(number[1]), line)


def _memory_free(gpu: str, value: str, line: Line) -> Statements:
    if number := re.match(r"(?a)\d{1,9}", value):
        yield say(names.GPU_MEMORY_FREE(gpu), int(number[0]) * _MIB, line)


def _whole(family: Family[int]) -> Column:
    def read(gpu: str, value: str, line: Line) -> Statements:
        if number := _FIGURE.match(value):
            yield say(family(gpu), int(float(number[0])), line)

    return read


def _reasons(gpu: str, value: str, line: Line) -> Statements:
    """The bits of all reasons, of which those count that slow a GPU down at work."""
    if _BITS.match(value) and (braking := {*throttle_reasons(int(value, 16))} & {*BRAKES}):
        yield say(names.GPU_THROTTLE(gpu), tuple(each for each in BRAKES if each in braking), line)


def _reason(name: str) -> Column:
    def read(gpu: str, value: str, line: Line) -> Statements:
        if value == "Active":
            yield say(names.GPU_THROTTLE(gpu), (name,), line)

    return read


def _watts(family: Family[float]) -> Column:
    def read(gpu: str, value: str, line: Line) -> Statements:
        if number := _FIGURE.match(value):
            yield say(family(gpu), float(number[0]), line)

    return read


def _ecc_errors(gpu: str, value: str, line: Line) -> Statements:
    """Errors that ECC could not mend since the driver was loaded; each kind has a line."""
    if _COUNT.match(value):
        yield say(names.GPU_ECC(gpu), True, line)
        if int(value) > 0:
            yield say(names.GPU_ECC_UNCORRECTED(gpu), int(value), line)


def of_memory(gpu: str, heading: str, name: str, value: str, line: Line) -> Statements:
    """What `-q` says of memory that fails: in sections whose fields differ from age to age."""
    last = heading.rpartition("/")[2]
    if heading.startswith("Volatile") and (
        "Uncorrectable" in name or (last == "Double Bit" and name == "Total")
    ):
        yield from _ecc_errors(gpu, value, line)
    told = _OF_MEMORY.get((last, name))
    if told is not None and value in ("Yes", "No"):
        yield say(names.GPU_ECC(gpu), True, line)
        yield say(told(gpu), value == "Yes", line)


_OF_MEMORY: dict[tuple[str, str], Family[bool]] = {
    ("Remapped Rows", "Pending"): names.GPU_ROWS_PENDING,
    ("Remapped Rows", "Remapping Failure Occurred"): names.GPU_ROWS_FAILED,
    ("Retired Pages", "Pending Page Blacklist"): names.GPU_PAGES_PENDING,
    ("Retired Pages", "Pending"): names.GPU_PAGES_PENDING,
}
#: What a column of a query says of a GPU.
COLUMNS: dict[str, Column] = {
    "clocks.current.sm": _whole(names.GPU_CLOCK_SM),
    "clocks.max.sm": _whole(names.GPU_CLOCK_SM_MAX),
    "clocks.sm": _whole(names.GPU_CLOCK_SM),
    **{
        f"clocks_{event}_reasons.{column}": read
        for event in ("throttle", "event")
        for column, read in (
            ("active", _reasons),
            *((name.lower().replace(" ", "_"), _reason(name)) for name in BRAKES),
        )
    },
    "compute_cap": _capability,
    "compute_mode": _compute_mode,
    "driver_version": _driver,
    "ecc.errors.uncorrected.volatile.total": _ecc_errors,
    "gpu_name": _name,
    "gpu_uuid": _uuid,
    "memory.free": _memory_free,
    "memory.total": _memory,
    "mig.mode.current": _mig,
    "name": _name,
    "pcie.link.gen.current": _whole(names.GPU_PCIE_GENERATION),
    "pcie.link.gen.max": _whole(names.GPU_PCIE_GENERATION_MAX),
    "pcie.link.width.current": _width,
    "pcie.link.width.max": _width_max,
    "persistence_mode": _persistence,
    "power.default_limit": _watts(names.GPU_POWER_LIMIT_DEFAULT),
    "power.max_limit": _watts(names.GPU_POWER_LIMIT_MAX),
    "power.draw": _watts(names.GPU_POWER),
    "power.limit": _watts(names.GPU_POWER_LIMIT),
    "temperature.gpu": _whole(names.GPU_TEMPERATURE),
    "temperature.slowdown": _whole(names.GPU_TEMPERATURE_SLOWDOWN),  # of `-q` alone
    "utilization.gpu": _whole(names.GPU_UTILIZATION),
    "uuid": _uuid,
}
#: The same fields under the headings and names of `-q`.
SECTION_FIELDS = {
    "Product Name": "name",
    "GPU UUID": "uuid",
    "Persistence Mode": "persistence_mode",
    "Compute Mode": "compute_mode",
    "MIG Mode/Current": "mig.mode.current",
    "FB Memory Usage/Total": "memory.total",
    "FB Memory Usage/Free": "memory.free",
    "CUDA Compute Capability": "compute_cap",
    "Link Width/Current": "pcie.link.width.current",
    "Link Width/Max": "pcie.link.width.max",
    "PCIe Generation/Current": "pcie.link.gen.current",
    "PCIe Generation/Max": "pcie.link.gen.max",
    "Utilization/Gpu": "utilization.gpu",
    "Utilization/GPU": "utilization.gpu",
    "Temperature/GPU Current Temp": "temperature.gpu",
    "Temperature/GPU Slowdown Temp": "temperature.slowdown",
    "Clocks/SM": "clocks.sm",
    "Max Clocks/SM": "clocks.max.sm",
    **{
        f"{heading}/{name}": column
        for heading in ("Power Readings", "GPU Power Readings")
        for name, column in (
            ("Power Draw", "power.draw"),
            ("Average Power Draw", "power.draw"),
            ("Power Limit", "power.limit"),
            ("Current Power Limit", "power.limit"),
            ("Default Power Limit", "power.default_limit"),
            ("Max Power Limit", "power.max_limit"),
        )
    },
}
