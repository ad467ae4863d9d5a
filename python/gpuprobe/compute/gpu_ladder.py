"""The ladder on each GPU. All of it runs in child processes, as a driver may hang or crash.

What the probe program has computed comes first: of GPU 0 the doctor has asked it anyway. The steps
above are those of `gpu_steps`, in one child for each GPU, one after the other.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..examine import judge
from ..facts import names
from ..facts.model import Facts, Known
from ..facts.outcomes import computed
from ..facts.probe import Probe
from ..report.words import headline
from .arrays import require
from .gpu_child import left_out, start, watched
from .gpu_steps import LABELS, rungs
from .place import BACKENDS
from .verification import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..facts.model import Fact
    from .gpu_child import Watcher
    from .gpus import Gpu

_START, _KERNELS = "CUDA starts", "fill, add, hash, copy back"
#: What `gpu_steps` computes, told in few words where none of it is run.
_ABOVE = (
    "memory, there and back",
    "allocation seen by the driver",
    *(f"{call}, {LABELS[by]}" for by in LABELS for call, row in BACKENDS.items() if by in row),
)
#: CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_DEVICE_UNAVAILABLE: others have the GPU, which is no fault.
_TAKEN = (2, 46)


@dataclass(frozen=True, slots=True)
class _On:
    """Who is told of one GPU among several."""

    gpu: Gpu
    watcher: Watcher

    def begins(self, name: str) -> None:
        self.watcher.begins(f"CUDA device {self.gpu.device}: {name}")

    def waits(self, words: str) -> None:
        self.watcher.waits(f"CUDA device {self.gpu.device}: {words}")


def climb(facts: Facts, gpus: Sequence[Gpu], seed: int, watcher: Watcher) -> Iterator[Step]:
    """CUDA's start, as it was seen, then the steps of each GPU. Without one no step is run."""
    if not gpus:
        yield from left_out((_START, _KERNELS, *_ABOVE), _reason(facts))
        return
    yield Step(_START, "right")
    for gpu in gpus:
        told = watcher if len(gpus) == 1 else _On(gpu, watcher)
        for step in _climb_one(facts, gpu.device, seed, told):
            yield replace(step, device=gpu.device)


def _climb_one(facts: Facts, device: int, seed: int, watcher: Watcher) -> Iterator[Step]:
    """After the first step that is wrong none is run."""
    kernels = _kernels(facts if device == 0 else _asked(facts, device, watcher))
    yield kernels
    if kernels.outcome != "right":  # not run: the GPU is to be left alone, and why
        why = f"{_KERNELS} is wrong" if kernels.outcome == "wrong" else kernels.why or ""
        yield from left_out(_ABOVE, why)
        return
    try:
        require("verify")
        planned = [rung.name for rung in rungs(seed)]
        child = start(seed, device)
    except (ImportError, OSError) as error:
        yield from left_out(_ABOVE, str(error))
        return
    yield from watched(child, planned, watcher)


def _asked(facts: Facts, device: int, watcher: Watcher) -> Facts:
    """The facts with what the probe program computes on this GPU."""
    watcher.begins(_KERNELS)
    step = f"kernel --device {device}"
    probe = Probe(os.environ, watcher.waits)
    try:
        probe.start(step)
        return Facts({**facts, **dict(computed(probe.answer(step)))})
    finally:
        probe.stop()


def _kernels(facts: Facts) -> Step:
    outcome = facts.fact(names.KERNEL_OUTCOME)
    if not isinstance(outcome, Known):
        return Step(_KERNELS, "not run", why=_said(outcome))
    if outcome.value == "right":
        return Step(_KERNELS, "right", size=facts.known(names.KERNEL_IMAGE) or "")
    if outcome.value == "wrong":
        return Step(_KERNELS, "wrong", why="the GPU gave other bits than the plain-C reference")
    if outcome.value == "not run":
        return Step(_KERNELS, "not run", why=facts.known(names.KERNEL_WHY) or _said(outcome))
    is_taken = facts.known(names.KERNEL_CODE) in _TAKEN
    return Step(_KERNELS, "not run" if is_taken else "wrong", why=outcome.source)


def _reason(facts: Facts) -> str:
    """The doctor's finding; without one, what is known of the start."""
    root = judge(facts).diagnosis.root
    return _said(facts.fact(names.CUDA_OUTCOME)) if root is None else headline(root)


def _said(fact: Fact[str]) -> str:
    if isinstance(fact, Known):
        return f"the probe says: {fact.value}"
    return getattr(fact, "reason", "the probe said nothing of it")
