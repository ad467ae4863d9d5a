"""Which GPU is meant where none is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..device.here import count
from ..facts.model import Missing
from ..memory import chosen
from ..memory.arenas import synchronize as wait_for
from ..memory.arenas import used
from .named import how_many, is_beyond, number_of, ordinal_of

if TYPE_CHECKING:
    from types import TracebackType

    from .named import Named


def device_count() -> int:
    """How many GPUs CUDA gives to this process. Starts no CUDA here.

    0 where CUDA does not start, refused or hung: see `gpuprobe.device_count`.

    Raises:
        gpuprobe.facts.model.Missing: Nobody could look; torch says 0 there.
    """
    return count()


def is_available() -> bool:
    """Whether CUDA gives a GPU to this process. False also where nobody could look."""
    try:
        return device_count() > 0
    except Missing:
        return False


def is_initialized() -> bool:
    """Whether gpuprobe has used a GPU in this process. In a fork of one that has: False."""
    return bool(used())


def current_device() -> int:
    """The GPU that this thread means where it names none. Starts no CUDA.

    Raises:
        GpuUnavailable: There is none.
    """
    how_many("current_device")
    return chosen.current()


def set_device(device: Named) -> None:
    """Let this thread mean `device` where it names none, as with `gpuprobe.to_device(array)`.

    Args:
        device: CUDA's ordinal, "cuda:1", a `gpuprobe.Device`. A negative number changes nothing.

    Raises:
        GpuUnavailable: There is no usable GPU.
        RuntimeError: There is no such GPU.
        ValueError: None is named, or one that `gpuprobe.config.set_visible_devices` left out.
    """
    ordinal = ordinal_of(device)
    if ordinal is None:
        raise ValueError(
            f"Expected a torch.device with a specified index or an integer, but got:{device}"
        )
    if ordinal >= 0:
        _choose(ordinal, "set_device")


class device:  # noqa: N801  (torch's name)
    """Lets this thread mean a GPU inside a block; afterwards it is as before.

    Args:
        device: As for `set_device`; None and a negative number change nothing.

    Raises:
        ValueError: Nothing of the kind is named. Where there is no such GPU, entering the block
            raises as `set_device` does.
    """

    def __init__(self, device: Named) -> None:
        self.idx = ordinal_of(device)
        self._before: list[int | None] = []  # a block may be entered again inside itself

    def __enter__(self) -> None:
        before = chosen.chosen()
        if self.idx is not None and self.idx >= 0:
            _choose(self.idx, "device")
        self._before.append(before)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        chosen.choose(self._before.pop())


def synchronize(device: Named = None) -> None:
    """Wait until the GPU has done all that this process gave it, other libraries included.

    Starts CUDA in this process, if nobody has. The driver waits: Ctrl-C is heard after it.

    Raises:
        GpuUnavailable: There is no usable GPU.
        DriverError: A piece of work had failed, or to wait would break the capture of a CUDA graph.
        RuntimeError: There is no such GPU, or the process is a fork of one that had used it.
    """
    ordinal = number_of(device)
    _require(ordinal, "synchronize")
    wait_for(ordinal)


def _choose(ordinal: int, call: str) -> None:
    if ordinal not in used():  # what was used is there, and asking costs more than choosing
        _require(ordinal, call)
        chosen.check_shown(ordinal)
    chosen.choose(ordinal)


def _require(ordinal: int, call: str) -> None:
    reason = is_beyond(ordinal, call)
    if reason is not None:
        raise RuntimeError(f"CUDA error: invalid device ordinal: {reason}")
