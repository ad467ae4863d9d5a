"""Does it compute, and is what it computes right?"""

from __future__ import annotations

import secrets
import sys
from operator import index

from .place import CPU
from .verification import Verification


def verify(device: object = None, *, seed: int | None = None) -> Verification:
    """Climb a ladder of computations, each proved, and stop at the first that is wrong.

    On the CPU every kind of arithmetic that `matmul` and `conv2d` have is run on the plain
    reference; in well under a second. On a GPU it is memory, then every kind of arithmetic of our
    own kernels and of the vendor's libraries, each with its times. All of that runs in child
    processes: this one starts no CUDA, and a step that hangs is ended after GPUPROBE_TIMEOUT
    seconds (60). Several GPUs are tried one after the other, with the same numbers; what is wrong
    with one does not keep the others from being tried. A terminal shows the step on standard error.

    Args:
        device: None, the default, means every GPU that CUDA shows to this process. CUDA's number, a
            UUID or a `gpuprobe.Device` means that one; several of these in a list or tuple mean
            those. "cpu" is the plain reference.
        seed: Chooses the random numbers, 0 or more; None: others each time.

    Returns:
        All that was found. `gpus` are the GPUs that were tried, and `on` tells of one of them.

    Raises:
        ImportError: For "cpu": NumPy or the C core is missing.
        TypeError: The seed is no whole number.
        ValueError: The seed is negative, or `device` names no GPU that CUDA shows. Where CUDA does
            not start, whatever is named, no step is run, and the reason is told.
    """
    start = secrets.randbits(32) if seed is None else index(seed)
    if start < 0:
        raise ValueError(f"seed is {seed}; it has to be 0 or more")
    return _on_the_cpu(start) if device == CPU else _on_gpus(device, start)


def _on_gpus(device: object, seed: int) -> Verification:
    from ..examine import machine_facts
    from ..report.progress import Progress
    from .gpu_ladder import climb
    from .gpus import chosen

    facts = machine_facts(refresh=True)  # a proof of an hour ago is none of now
    gpus = chosen(facts, device)
    with Progress(sys.stderr) as progress:
        return Verification("gpu", tuple(climb(facts, gpus, seed, progress)), seed, gpus)


def _on_the_cpu(seed: int) -> Verification:
    from .arrays import require

    require("verify")
    from .climbing import climb
    from .ladder import Ours, rungs

    return Verification(CPU, tuple(climb(rungs(Ours(), seed), lambda _: None)), seed)
