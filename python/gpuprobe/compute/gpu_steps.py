"""The ladder on a GPU, in a process that may be lost: memory, then what every back end computes.

`python -c` runs `main` of it for `gpu_ladder`: each step that begins is announced as the probe
program announces its calls (``> NAME`` on standard error), and is a line on standard output when it
has ended.
"""

from __future__ import annotations

import base64
import pickle
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .place import BACKENDS
from .verification import Step

if TYPE_CHECKING:
    from .climbing import Rung

MIB = 1 << 20
#: Before each step on standard output: what a driver's library prints there is none.
MARK = "gpuprobe step "
#: Who computes, in the order of the ladder.
LABELS = {"native": "native", "cublas": "cuBLAS", "cudnn": "cuDNN"}

_TRIES = 3


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Bytes of chance go to the GPU's memory and come back the same."""

    seed: int
    size_bytes: int = 32 * MIB + 3
    name: str = "memory, there and back"

    @property
    def size(self) -> str:
        """See `climbing.Rung`."""
        return f"{self.size_bytes} bytes"

    def run(self) -> Step:
        """See `climbing.Rung`."""
        import numpy as np

        from .device_array import to_device

        sent = np.random.default_rng(self.seed).integers(-128, 128, self.size_bytes, np.int8)
        to_device(sent)  # starts CUDA, and takes memory
        begun = time.perf_counter()
        back = to_device(sent).numpy()
        seconds = time.perf_counter() - begun
        wrong = np.flatnonzero(back != sent)
        if wrong.size == 0:
            return Step(self.name, "right", self.size, None, (), seconds, transfer_seconds=seconds)
        first = int(wrong[0])
        values = (
            f"{int(back.view(np.uint8)[first]):#04x} for {int(sent.view(np.uint8)[first]):#04x}"
        )
        told = f"{wrong.size} bytes came back otherwise, the first at {first}: {values}"
        return Step(self.name, "wrong", self.size, told)


@dataclass(frozen=True, slots=True)
class Allocation:
    """The driver counts what gpuprobe takes: its free memory falls by as much."""

    size_bytes: int = 64 * MIB
    name: str = "allocation seen by the driver"

    @property
    def size(self) -> str:
        """See `climbing.Rung`."""
        return f"{self.size_bytes // MIB} MiB"

    def run(self) -> Step:
        """See `climbing.Rung`. Others may give memory back meanwhile, hence several tries."""
        fallen = max(self._fall() for _ in range(_TRIES))
        if fallen >= self.size_bytes:
            return Step(self.name, "right", self.size)
        told = f"{self.size} were taken, and the driver's free memory fell by {fallen // MIB} MiB"
        return Step(self.name, "wrong", self.size, told)

    def _fall(self) -> int:
        from ..memory.arenas import allocate, device_memory, trim
        from ..memory.chosen import current

        device = current()
        trim(device=device)
        before, _ = device_memory(device)
        block = allocate(self.size_bytes, device=device)
        after, _ = device_memory(device)
        del block
        trim(device=device)
        return before - after


def rungs(seed: int) -> tuple[Rung, ...]:
    """All steps, in order: our own kernels first, then each library of the vendor's."""
    from . import ladder

    found: list[Rung] = [RoundTrip(seed), Allocation()]
    for backend, label in LABELS.items():
        calls = [call for call, row in BACKENDS.items() if backend in row]
        found += ladder.rungs(ladder.Ours(backend), seed, calls, f", {label}")
    return tuple(found)


def main(seed: int, device: int) -> None:
    """Climb on the GPU with this number of CUDA, and say what was found."""
    from ..memory.chosen import choose
    from .climbing import climb

    choose(device)
    for step in climb(rungs(seed), _announce):
        line = base64.b64encode(pickle.dumps(step)).decode()
        print(f"{MARK}{line}", flush=True)


def _announce(name: str) -> None:
    print(f"> {name}", file=sys.stderr, flush=True)
