"""The memory of this process on each GPU: how it is to be taken, and what has been taken."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING

from ..report.units import bytes_in_words
from .chosen import check_shown, number_of
from .errors import TooLateError, translated
from .model import MemoryStats, stats_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from .._core import Arena, Block
    from ..device import Device

    T = TypeVar("T")


#: The greatest int of C, which is no GPU's number.
_GREATEST_INT = (1 << 31) - 1
_FORKED = (
    "this process was forked from one that had used a GPU: CUDA does not work here. Start processes"
    ' another way, as multiprocessing does with the method "spawn".'
)


@dataclass(frozen=True, slots=True)
class Wish:
    """How memory is to be taken. `fraction` 0: as it is needed; `limit_bytes` 0: no limit."""

    fraction: float = 0.0
    limit_bytes: int = 0

    def __str__(self) -> str:
        growth = f"{self.fraction:g} of the free memory at once" if self.fraction else "on demand"
        limit = bytes_in_words(self.limit_bytes) if self.limit_bytes else "none"
        return f"growth: {growth}, limit: {limit}"


class Begun(dict[int, "Arena"]):
    """The arenas of the GPUs that were used; in a fork of the process that did: none."""

    is_forked = False

    def __missing__(self, device: int) -> Arena:
        self.check_fork()
        raise RuntimeError(_ended(device))

    def check_fork(self) -> None:
        """Raise RuntimeError in a fork of a process that had used a GPU."""
        if self.is_forked:
            raise RuntimeError(_FORKED)


class Arenas:
    """Of one process. GPUs without a wish of their own follow the one for all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._for_all = Wish()
        self._wishes: dict[int, Wish] = {}
        self._begun = Begun()
        self._has_ended = False
        #: The arena of a GPU that was used. It ends with the process; then RuntimeError.
        self.still = self._begun.__getitem__  # each call asks: no frame of Python for it

    def wish_of(self, device: int) -> Wish:
        """How a GPU's memory is to be taken, or was."""
        return self._wishes.get(device, self._for_all)

    def change(self, device: int | None, changed: Callable[[Wish], Wish], call: str) -> None:
        """Change the wish for one GPU, or for all. What changes nothing is never too late."""
        self.check_fork()
        with self._lock:
            for each in self._begun if device is None else {device} & self._begun.keys():
                old, new = self.wish_of(each), changed(self.wish_of(each))
                if old != new:
                    raise TooLateError(_too_late(call, each, old, new))
            if device is not None:
                self._wishes[device] = changed(self.wish_of(device))
                return
            self._for_all = changed(self._for_all)
            self._wishes = {each: changed(wish) for each, wish in self._wishes.items()}

    def check_fork(self) -> None:
        """Raise RuntimeError in a fork of a process that had used a GPU."""
        self._begun.check_fork()

    def begun(self, device: int) -> Arena | None:
        """The arena of a GPU that was used already."""
        self.check_fork()
        return self._begun.get(device)

    def used(self) -> tuple[int, ...]:
        """The GPUs that were used already; in a fork of the process that did: none."""
        return tuple(self._begun)

    def begin(self, device: int) -> Arena:
        """The arena of a GPU. The first one starts CUDA in this process."""
        from .. import _core

        with self._lock:
            arena = self.begun(device)
            if arena is None:
                if self._has_ended:
                    raise RuntimeError(_ended(device))
                check_shown(device)
                wish = self.wish_of(device)
                number = min(device, _GREATEST_INT)
                arena = _core.Arena(number, wish.fraction, min(wish.limit_bytes, sys.maxsize))
                if not self._begun:
                    atexit.register(self.close)
                self._begun[device] = arena
            return arena

    def close(self) -> None:
        """Give everything back while the driver is still there. Best effort: the process ends."""
        from .. import _core

        with self._lock:
            self._has_ended = True
            while self._begun:
                _, arena = self._begun.popitem()
                with contextlib.suppress(RuntimeError, _core.ArenaError):
                    arena.close()

    def abandon(self) -> None:
        """In a forked child nothing of it works, and the lock may be held by nobody who is here."""
        self._lock = threading.Lock()
        self._begun.is_forked |= bool(self._begun)  # a fork of a fork, too
        for arena in self._begun.values():
            arena.abandon()
        self._begun.clear()


_ARENAS = Arenas()
if hasattr(os, "register_at_fork"):  # from the beginning: a thread may hold the lock at any time
    os.register_at_fork(after_in_child=_ARENAS.abandon)


def _ended(device: int) -> str:
    return f"gpuprobe's memory of GPU {device} is gone: the process is ending"


def _too_late(call: str, device: int, old: Wish, new: Wish) -> str:
    return (
        f"gpuprobe.memory.{call}() comes too late for GPU {device}, which gpuprobe has used in this"
        f" process already.\nIt has {old}; asked for is {new}.\n"
        "Call it at the start of the program, before anything is computed on a GPU."
    )


def set_growth(
    on_demand: bool,
    *,
    fraction: float | None = None,
    device: int | Device | None = None,
) -> None:
    """Take memory as it is needed, or a part of what is free at once.

    Args:
        on_demand: True: as it is needed. False: `fraction` of what is free at the first use, at
            most all but 64 MiB, which CUDA's libraries need for themselves.
        fraction: Above 0, at most 1; None: 1. Of the *free* memory; JAX and torch count the whole.
        device: CUDA's ordinal, or a `gpuprobe.Device`; None: every GPU.

    Raises:
        RuntimeError: The process is a fork of one that had used a GPU.
        TooLateError: gpuprobe has used this GPU already.
        TypeError: `device` is nothing of the kind.
        ValueError: There is no such fraction or GPU, or a fraction is given with growth on demand.
    """
    if on_demand and fraction is not None:
        raise ValueError(
            f"memory.set_growth: fraction={fraction!r} is taken at once, so it goes with"
            " set_growth(False) only"
        )
    if fraction is not None and not 0 < fraction <= 1:
        raise ValueError(
            f"memory.set_growth: fraction is {fraction!r}; it has to be above 0 and at most 1"
        )
    part = 0.0 if on_demand else 1.0 if fraction is None else float(fraction)
    _change("set_growth", device, lambda wish: replace(wish, fraction=part))


def set_limit(limit_bytes: int | None, *, device: int | Device | None = None) -> None:
    """Never hold more than so much of a GPU; what CUDA and its libraries take is not counted.

    Args:
        limit_bytes: Rounded down to whole pages of the device (2 MiB as a rule); None: no limit.
        device: CUDA's ordinal, or a `gpuprobe.Device`; None: every GPU, each with this limit of its
            own.

    Raises:
        RuntimeError: The process is a fork of one that had used a GPU.
        TooLateError: gpuprobe has used this GPU already.
        TypeError: The limit is no whole number, or `device` nothing of the kind.
        ValueError: The limit is not positive, or there is no such GPU.
    """
    most = 0 if limit_bytes is None else _whole("set_limit", "limit_bytes", limit_bytes)
    if limit_bytes is not None and most <= 0:
        raise ValueError(
            f"memory.set_limit: limit_bytes is {limit_bytes!r}; it has to be positive, or None"
        )
    _change("set_limit", device, lambda wish: replace(wish, limit_bytes=most))


def stats(device: int | Device = 0) -> MemoryStats:
    """What gpuprobe holds of a GPU in this process. Starts no CUDA.

    Raises:
        RuntimeError: The process is a fork of one that had used a GPU.
        TypeError, ValueError: `device` is neither a number of CUDA's nor a `gpuprobe.Device`.
    """
    number = number_of("stats", device)
    arena = _ARENAS.begun(number)
    if arena is None:
        limit = _ARENAS.wish_of(number).limit_bytes
        return MemoryStats(number, limit_bytes=limit or None)
    return stats_of(number, arena.stats())


def trim(keep_bytes: int = 0, *, device: int | Device = 0) -> int:
    """Give free memory back to the device; return how many bytes.

    Waits for what still runs on free memory. Of one range of addresses only the end can be given
    back, in the steps in which it grew.

    Args:
        keep_bytes: So much stays reserved.
        device: CUDA's ordinal, or a `gpuprobe.Device`. One that was not used yet has nothing to
            give back.

    Raises:
        DriverError: The driver refuses.
        RuntimeError, TypeError, ValueError: As `stats`; also where `keep_bytes` is no number of
            bytes.
    """
    keep = _whole("trim", "keep_bytes", keep_bytes)
    if keep < 0:
        raise ValueError(f"memory.trim: keep_bytes is {keep}; it cannot be negative")
    number = number_of("trim", device)
    arena = _ARENAS.begun(number)
    return 0 if arena is None else _asked(lambda: arena.trim(min(keep, sys.maxsize)), number)


def reset_peak(device: int | Device = 0) -> None:
    """Let the peaks of `stats` begin anew at what is in use and reserved now. Raises as `stats`."""
    arena = _ARENAS.begun(number_of("reset_peak", device))
    if arena is not None:
        arena.reset_peak()


def used() -> tuple[int, ...]:
    """The GPUs that gpuprobe has used in this process: their memory is settled."""
    return _ARENAS.used()


def grows(device: int) -> bool:
    """Whether a GPU's memory is taken, or was, as it is needed."""
    return _ARENAS.wish_of(device).fraction == 0


def allocate(size_bytes: int, *, device: int = 0, stream: int = 0) -> Block:
    """Device memory for work on a stream; it goes back when the object goes. Starts CUDA.

    Raises:
        OutOfMemory: There is not so much left.
        DriverError: The driver refuses, or there is none.
        RuntimeError: This process is a fork of one that had used a GPU.
        ValueError: The GPU was left out of those that may be used.
    """
    return _asked(lambda: _ARENAS.begin(device).alloc(size_bytes, stream), device)


def begin(device: int) -> None:
    """Start CUDA and take what is to be taken at once, if that was not done before.

    Raises:
        OutOfMemory, DriverError, RuntimeError, ValueError: As `allocate`.
    """
    _asked(lambda: _ARENAS.begin(device), device)


def synchronize(device: int) -> None:
    """Wait until the GPU has done all that this process gave it. Starts CUDA.

    The driver waits: Ctrl-C is heard after it.

    Raises:
        OutOfMemory, DriverError, RuntimeError, ValueError: As `allocate`. DriverError also where
            that would break the capture of a CUDA graph.
    """
    _asked(lambda: _ARENAS.begin(device).synchronize(), device)


def device_memory(device: int) -> tuple[int, int]:
    """Free and total bytes of a GPU as its driver says, whoever holds the rest. Starts CUDA.

    Raises:
        OutOfMemory, DriverError, RuntimeError, ValueError: As `allocate`.
    """
    return _asked(lambda: _ARENAS.begin(device).device_memory(), device)


#: What computes on a GPU that was used already. It raises the core's `ArenaError`, and RuntimeError
#: where gpuprobe's memory is gone: the process ends, or is a fork.
arena_of = _ARENAS.still


def device_of(address: int) -> int:
    """The GPU whose memory is at an address, somebody's or ours.

    Raises:
        BufferError: It is none of CUDA's.
        RuntimeError: This process is a fork of one that had used a GPU.
    """
    from .. import _core

    _ARENAS.check_fork()
    return _core.pointer_device(address)


def follow(device: int, owner: object, later: int, earlier: int) -> None:
    """Let one stream wait for another, and the owner's memory, if a block, for the former.

    Raises:
        DriverError: A call failed.
        RuntimeError: gpuprobe's memory is gone: the process ends, or is a fork.
    """
    from .. import _core

    arena = _ARENAS.still(device)
    if later == earlier:
        return
    if isinstance(owner, _core.Block):
        block = owner
        _asked(lambda: block.share(later), device)
    _asked(lambda: arena.follow(later, earlier), device)


def asked_of(device: int, question: Callable[[Arena], T]) -> T:
    """What the arena of a GPU that was used answers.

    Raises:
        DriverError, RuntimeError: As `follow`.
    """
    return _asked(lambda: question(_ARENAS.still(device)), device)


def _asked(question: Callable[[], T], device: int) -> T:
    from .. import _core

    try:
        return question()
    except _core.ArenaError as error:
        raise translated(error, device) from None


def _change(call: str, device: int | Device | None, changed: Callable[[Wish], Wish]) -> None:
    _ARENAS.change(None if device is None else number_of(call, device), changed, call)


def _whole(call: str, name: str, size: int) -> int:
    if isinstance(size, bool) or not hasattr(size, "__index__"):
        raise TypeError(f"memory.{call}: {name} is {size!r}; it has to be a whole number of bytes")
    return index(size)
