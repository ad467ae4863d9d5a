"""What goes wrong with a GPU's memory, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..report.units import bytes_in_words
from .model import shortage_of

if TYPE_CHECKING:
    from .._core import ArenaError
    from .holders import Holders
    from .model import Shortage

_CUDA, _LIMIT, _CAPTURE = "cuda", "limit", "capture"
#: What fails without a code, and what to say in its place.
_WITHOUT_CODE = {"library": "", "symbol": ": the library has no such function"}
#: CUDA_ERROR_CONTEXT_IS_DESTROYED. gpuprobe keeps the primary context, which only a reset ends.
_IS_RESET = 709


class TooLateError(RuntimeError):
    """gpuprobe has used this GPU already: how it takes memory there is settled."""


class OutOfMemory(MemoryError):  # noqa: N818  (as torch and CUDA name it)
    """An allocation did not find its memory. The text has the numbers and the way out.

    Attributes:
        device: CUDA's ordinal.
        shortage: The numbers.
        holders: Who else held memory at that moment.
    """

    def __init__(self, device: int, shortage: Shortage, holders: Holders) -> None:
        super().__init__(
            "\n".join((*_numbers(device, shortage), *holders.lines(), _hint(shortage)))
        )
        self.device = device
        self.shortage = shortage
        self.holders = holders

    def __reduce__(self) -> tuple[type[OutOfMemory], tuple[int, Shortage, Holders]]:
        return type(self), (self.device, self.shortage, self.holders)


class DriverError(RuntimeError):
    """The driver refuses what memory or work needs, or there is none.

    Attributes:
        call: The function that failed.
    """

    def __init__(self, message: str, call: str) -> None:
        super().__init__(message)
        self.call = call

    def __reduce__(self) -> tuple[type[DriverError], tuple[str, str]]:
        return type(self), (str(self), self.call)


def translated(error: ArenaError, device: int) -> Exception:
    """The exception to raise for what an arena of this GPU could not do."""
    kind, call, _, _, _, lacking = error.args
    if lacking is not None:
        from .holders import holders

        shortage = shortage_of(lacking, is_limit=kind == _LIMIT)
        return OutOfMemory(device, shortage, holders(device))
    return DriverError(f"GPU {device}: {failure_in_words(error)}", call)


def failure_in_words(error: ArenaError) -> str:
    """The call that failed, its code, and what to do."""
    from .. import _core

    kind, call, code, name, text, _ = error.args
    if kind == _CAPTURE:
        return (
            f"{call} would break the capture of a CUDA graph that is under way, and was not "
            "called. Do this before the capture begins, or after it has ended."
        )
    words = f": {text}" if text else ""
    number = f" ({code})" if code else ""
    how = _WITHOUT_CODE.get(kind, f" with {name or kind}")
    what = f"{call} failed{how}{number}{words}."
    if kind == _CUDA and _core.is_sticky(code):
        return f"{what} CUDA is lost to this process: end it, and start it anew."
    if kind == _CUDA and code == _IS_RESET:
        return (
            f"{what} Something in this process has reset the GPU (cudaDeviceReset, reset() of "
            "Numba's device): what gpuprobe had there is gone. Start the process anew, without it."
        )
    return f"{what} `gpuprobe` finds out why."


def _numbers(device: int, lacking: Shortage) -> tuple[str, str]:
    cause = "gpuprobe's limit is reached" if lacking.is_limit else "the device has no more"
    device_free = "the device does not say what is free"
    if lacking.device_free_bytes is not None and lacking.device_total_bytes is not None:
        free, total = map(bytes_in_words, (lacking.device_free_bytes, lacking.device_total_bytes))
        device_free = f"the device has {free} free of {total}"
    sizes = {
        "limit": lacking.limit_bytes,
        "in use": lacking.in_use_bytes,
        "reserved": lacking.reserved_bytes,
        "largest free block": lacking.largest_free_bytes,
    }
    own = ", ".join(f"{name} {bytes_in_words(size)}" for name, size in sizes.items())
    asked = _exact(lacking.asked_bytes)
    return f"GPU {device} is out of memory for {asked}: {cause}.", f"{own}; {device_free}"


def _exact(size: int) -> str:
    """A rounded size alone would hide that a little too much was asked for."""
    words = bytes_in_words(size)
    return words if words == f"{size} B" else f"{words} ({size} bytes)"


def _hint(lacking: Shortage) -> str:
    total = lacking.device_total_bytes
    if lacking.is_limit and (total is None or lacking.limit_bytes < total):
        return "Raise it with gpuprobe.memory.set_limit() at the start, or free arrays."
    return "Free arrays, or end a process that holds memory: `gpuprobe memory` lists them."
