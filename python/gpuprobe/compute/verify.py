"""Does it compute, and is what it computes right?"""

from __future__ import annotations

import secrets

from .place import CPU
from .verification import Verification


def verify(device: object = None, *, seed: int | None = None) -> Verification:
    """Climb a ladder of computations, each proved, and stop at the first that is wrong.

    On the CPU every kind of arithmetic that `matmul` and `conv2d` have is run on the plain
    reference; in well under a second. On a GPU this release runs the kernels of the probe
    program, in a child process, and tells what else it does not run, and why.

    Args:
        device: "cpu"; None, the default, means the GPU.
        seed: Chooses the random numbers; None: others each time.

    Raises:
        ImportError: For "cpu": NumPy or the C core is missing.
    """
    start = secrets.randbits(32) if seed is None else seed
    if device != CPU:
        from ..examine import machine_facts
        from . import gpu_ladder

        return Verification("gpu", tuple(gpu_ladder.climb(machine_facts())), start)
    from .arrays import require

    require("verify")
    from .ladder import Reference, climb

    return Verification(CPU, tuple(climb(Reference(), start)), start)
