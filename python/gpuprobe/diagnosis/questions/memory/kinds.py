"""The three causes of a want of memory, and what is told of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import said

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys
    from ...model import Confidence


OTHERS, PREALLOCATED, WORKLOAD = "oom-other-process", "oom-preallocation", "oom-workload"

#: A library finds room for itself where more than this share is free.
_PLENTY = 0.9


class MemoryFault(NamedTuple):
    """Which cause it is, and what shows it."""

    cause: str
    title: str
    keys: Keys
    confidence: Confidence


def plenty(facts: Facts) -> bool:
    """Whether the message itself says that most of the memory was free."""
    free, total = facts.known(said.MEMORY_FREE), facts.known(said.MEMORY_TOTAL)
    return free is not None and total is not None and free > _PLENTY * total


#: Where so many times as much is free as is asked for, or so much of the GPU besides, no other
#: process is to blame that still holds memory when it is counted.
_AMPLE = 8
_BESIDES = 0.125


def is_ample(asked: int, free: int, total: int) -> bool:
    """Whether what was free would have been enough, and was not given."""
    return free > _AMPLE * asked or free - asked > _BESIDES * total


def size_of(size: int) -> str:
    """A number of bytes as people read it: in KiB, MiB or GiB."""
    if size < _MIB:
        return f"{size / 1024:.1f} KiB"
    return f"{size / _MIB:.0f} MiB" if size < 100 * _MIB else f"{size / (1024 * _MIB):.2f} GiB"


_MIB = 1 << 20
