"""What a GPU is. Asked in a child process; no CUDA is started in this one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..device.here import numbered
from ..facts.model import Missing
from .named import is_beyond, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .named import Named


@dataclass(frozen=True, slots=True)
class DeviceProperties:
    """Those of torch's properties that gpuprobe knows without starting CUDA.

    Attributes:
        name: As the driver prints it.
        major, minor: The compute capability.
        total_memory: Bytes; of a MIG instance its own.
        multi_processor_count: None for a MIG instance.
        uuid: ``GPU-…`` or ``MIG-…``; None where it could not be read.
    """

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int | None
    uuid: str | None


def get_device_properties(device: Named = None) -> DeviceProperties:
    """What a GPU is; `gpuprobe.devices()` knows more.

    Raises:
        AssertionError: There is no such GPU; torch has this class of error here.
        GpuUnavailable: There is no usable GPU.
        ValueError: `device` names no GPU of CUDA.
        gpuprobe.facts.model.Missing: Name, capability or memory could not be read.
    """
    return properties_for("get_device_properties", number_of(device))


def properties_for(call: str, ordinal: int) -> DeviceProperties:
    """The same, for a call that an error is to name."""
    reason = is_beyond(ordinal, call)
    if reason is not None:
        raise AssertionError(f"Invalid device id: {reason}")
    gpu, part = numbered(ordinal)
    one = gpu if part is None else part
    major, minor = _known(gpu.capability, "capability", gpu.unknown, ordinal)
    return DeviceProperties(
        name=_known(one.name, "name", one.unknown, ordinal),
        major=major,
        minor=minor,
        total_memory=_known(one.memory_bytes, "memory_bytes", one.unknown, ordinal),
        multi_processor_count=gpu.sms if part is None else None,
        uuid=one.uuid,
    )


def get_device_name(device: Named = None) -> str:
    """The name of a GPU.

    Raises:
        AssertionError, GpuUnavailable, ValueError, Missing: As `get_device_properties`.
    """
    return properties_for("get_device_name", number_of(device)).name


def get_device_capability(device: Named = None) -> tuple[int, int]:
    """The compute capability of a GPU, such as (9, 0).

    Raises:
        AssertionError, GpuUnavailable, ValueError, Missing: As `get_device_properties`.
    """
    properties = properties_for("get_device_capability", number_of(device))
    return properties.major, properties.minor


if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")


def _known(value: T | None, name: str, unknown: Mapping[str, str], ordinal: int) -> T:
    if value is None:
        reason = unknown.get(name, "nobody looked")
        raise Missing(f"{name} of device {ordinal}", reason, "gpuprobe devices")
    return value
