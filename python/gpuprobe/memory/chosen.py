"""Which GPU is meant where nobody names one, and which ones this process may use."""

from __future__ import annotations

import threading

#: Of each thread: CUDA, too, keeps a current device for every thread.
_thread = threading.local()
#: By CUDA's ordinals; None: all.
_shown: frozenset[int] | None = None


def chosen() -> int | None:
    """The GPU that this thread has chosen, if it has."""
    device: int | None = getattr(_thread, "device", None)
    return device


def choose(device: int | None) -> None:
    """Let this thread mean `device` where it names none; None: as if it had never chosen."""
    _thread.device = device


def current() -> int:
    """The GPU that is meant where none is named: the chosen one, else the lowest that is shown."""
    device = chosen()
    if device is not None:
        return device
    return 0 if _shown is None else min(_shown, default=0)


def number_of(call: str, device: object) -> int:
    """CUDA's number of the GPU that a function of `gpuprobe.memory` is given.

    Raises:
        TypeError, ValueError: As `gpuprobe.device.named.ordinal_of`.
    """
    if type(device) is int and device >= 0:
        return device  # without the import, which reads tables
    from ..device.named import ordinal_of

    return ordinal_of(f"memory.{call}", device, "use CUDA's number, or a gpuprobe.Device")


def show(devices: frozenset[int] | None) -> None:
    """Let this process use these GPUs only; None: all."""
    global _shown  # noqa: PLW0603  (of the process, as the memory is)
    _shown = devices


def check_shown(device: int) -> None:
    """Return where this process may use the GPU.

    Raises:
        ValueError: `gpuprobe.config.set_visible_devices` has left it out.
    """
    if _shown is not None and device not in _shown:
        left = ", ".join(map(str, sorted(_shown))) or "no GPU"
        raise ValueError(
            f"GPU {device} is not to be used in this process: gpuprobe.config.set_visible_devices()"
            f" left {left}"
        )
