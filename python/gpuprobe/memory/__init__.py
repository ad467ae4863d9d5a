"""How much of a GPU's memory gpuprobe takes in this process, and who else holds some.

    >>> gpuprobe.memory.set_growth(True)            # take memory as it is needed: the default
    >>> gpuprobe.memory.set_growth(False, fraction=0.5)   # half of what is free, at first use
    >>> gpuprobe.memory.set_limit(4 << 30)          # never more than 4 GiB
    >>> gpuprobe.memory.stats(0).in_use_bytes
    0
    >>> print(gpuprobe.memory.holders(0))           # every process that holds memory of GPU 0

`set_growth` and `set_limit` hold for what has not begun: once gpuprobe has used a GPU in this
process, they raise `TooLateError` where they would change something. GPUs are CUDA's ordinals,
after CUDA_VISIBLE_DEVICES. A fork of a process that has used a GPU has none of its memory, and
cannot start CUDA again.
"""

from __future__ import annotations

from .arenas import reset_peak, set_growth, set_limit, stats, trim
from .errors import DriverError, OutOfMemory, TooLateError
from .holders import Holders, holders, holders_in
from .model import MemoryStats, Shortage

__all__ = [
    "DriverError",
    "Holders",
    "MemoryStats",
    "OutOfMemory",
    "Shortage",
    "TooLateError",
    "holders",
    "holders_in",
    "reset_peak",
    "set_growth",
    "set_limit",
    "stats",
    "trim",
]
