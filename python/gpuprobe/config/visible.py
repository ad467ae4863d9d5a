"""Which devices there are, and which of them may be used.

The order of the checks, the classes of the errors and their words are TensorFlow's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import memory
from ..device.here import count
from ..memory import chosen
from ..memory.arenas import used
from .devices import CPU, GPU, number_of, of_type, physical

if TYPE_CHECKING:
    from .devices import PhysicalDevice

#: Those that were chosen; None: all.
_visible: list[PhysicalDevice] | None = None


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The CPU and the GPUs that CUDA gives to this process. Starts no CUDA here.

    Args:
        device_type: ``CPU`` or ``GPU``; None: both.

    Raises:
        gpuprobe.facts.model.Missing: Nobody could look for GPUs; TensorFlow has none then.
    """
    gpus = count() if device_type in (None, GPU) else 0
    all_of_them = [physical(CPU, 0), *(physical(GPU, number) for number in range(gpus))]
    return of_type(all_of_them, device_type)


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that may be used.

    Args:
        device_type: ``CPU`` or ``GPU``; None: both.

    Raises:
        gpuprobe.facts.model.Missing: As `list_physical_devices`.
    """
    if _visible is None:
        return list_physical_devices(device_type)
    return of_type(_visible, device_type)


def set_visible_devices(
    devices: PhysicalDevice | list[PhysicalDevice], device_type: str | None = None
) -> None:
    """Use no other devices than these; of the GPUs the one with the lowest number is current.

    The numbers stay CUDA's. CUDA_VISIBLE_DEVICES, other libraries and programs that are started
    are not concerned: see `gpuprobe.visible.set`.

    Args:
        devices: One or several; an empty list: none.
        device_type: Change those of this type only; None: all.

    Raises:
        ValueError: One is not among `list_physical_devices`, or not of this type.
        TooLateError: gpuprobe has used a GPU in this process. It is a `RuntimeError`.
        gpuprobe.facts.model.Missing: As `list_physical_devices`.
    """
    global _visible  # noqa: PLW0603  (of the process)
    wanted = devices if isinstance(devices, list) else [devices]
    there = list_physical_devices()
    for each in wanted:
        if each not in there or device_type not in (None, each.device_type):
            raise ValueError(f"Unrecognized device: {each!r}")
    before = get_visible_devices()
    kept = [] if device_type is None else [d for d in before if d.device_type != device_type]
    now = [*kept, *wanted]
    if now == before:
        return
    require_in_time("Visible devices")
    _visible = now
    gpus = frozenset(number_of(each) for each in of_type(now, GPU))
    chosen.show(None if len(gpus) == len(of_type(there, GPU)) else gpus)


def require_there(device: PhysicalDevice) -> None:
    """Return where there is such a device.

    Raises:
        ValueError: There is none.
        gpuprobe.facts.model.Missing: As `list_physical_devices`.
    """
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")


def require_in_time(what: str) -> None:
    """Return where gpuprobe has not used a GPU in this process.

    Raises:
        TooLateError: It has.
    """
    begun = used()
    if begun:
        numbers = ", ".join(map(str, sorted(begun)))
        raise memory.TooLateError(
            f"{what} cannot be modified after being initialized: gpuprobe has used GPU {numbers} in"
            " this process. Configure devices at the start of the program."
        )
