"""Does it compute, and is what it computes right?"""

from __future__ import annotations

import secrets
import sys

from .place import CPU
from .verification import Verification


def verify(device: object = None, *, seed: int | None = None) -> Verification:
    """Climb a ladder of computations, each proved, and stop at the first that is wrong.

    On the CPU every kind of arithmetic that `matmul` and `conv2d` have is run on the plain
    reference; in well under a second. On a GPU it is memory, then every kind of arithmetic of our
    own kernels and of the vendor's libraries, each with its times. All of that runs in child
    processes: this one starts no CUDA, and a step that hangs is ended after GPUPROBE_TIMEOUT
    seconds (60). A terminal shows the step on standard error.

    Args:
        device: "cpu"; None, the default, means the first GPU that CUDA shows.
        seed: Chooses the random numbers, 0 or more; None: others each time.

    Raises:
        ImportError: For "cpu": NumPy or the C core is missing.
        ValueError: The seed is negative, or `device` is something else.
    """
    if seed is not None and seed < 0:
        raise ValueError(f"seed is {seed}; it has to be 0 or more")
    if device not in (None, CPU):
        raise ValueError(f"device is {device!r}: use None for the first GPU, or {CPU!r}")
    start = secrets.randbits(32) if seed is None else seed
    if device is None:
        from ..examine import machine_facts
        from ..report.progress import Progress
        from . import gpu_ladder

        with Progress(sys.stderr) as progress:
            steps = tuple(gpu_ladder.climb(machine_facts(), start, progress))
        return Verification("gpu", steps, start)
    from .arrays import require

    require("verify")
    from .climbing import climb
    from .ladder import Ours, rungs

    return Verification(CPU, tuple(climb(rungs(Ours(), start), lambda _: None)), start)
