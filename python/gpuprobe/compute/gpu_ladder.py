"""The ladder on a GPU. All of it runs in child processes, as a driver may hang or crash.

What the probe program has computed comes first: the doctor has asked it anyway. The steps above are
those of `gpu_steps`, in one child that is ended when a step takes too long.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import pickle
import sys
import time
from typing import TYPE_CHECKING, Protocol

from ..examine import judge
from ..facts import names
from ..facts.children import PATIENCE_S, Child
from ..facts.model import Known
from ..facts.probe import Probe
from ..report.words import headline
from .arrays import require
from .gpu_steps import LABELS, MARK, rungs
from .place import BACKENDS
from .verification import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..facts.children import Ended
    from ..facts.model import Fact, Facts

_START, _KERNELS = "CUDA starts", "fill, add, hash, copy back"
#: What `gpu_steps` computes, told in few words where none of it is run.
_ABOVE = (
    "memory, there and back",
    "allocation seen by the driver",
    *(f"{call}, {LABELS[by]}" for by in LABELS for call, row in BACKENDS.items() if by in row),
)
#: The child finds this package where we have found it.
_CODE = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gpuprobe.compute.gpu_steps import main
main(int(sys.argv[2]))
"""
_LOOK_S = 0.1


class Watcher(Protocol):
    """Who is told how far it is."""

    def begins(self, name: str) -> None:
        """A step begins."""

    def waits(self, name: str, limit_s: float) -> None:
        """It takes long; it is ended after so many seconds."""


def climb(facts: Facts, seed: int, watcher: Watcher) -> Iterator[Step]:
    """Each step, after what was seen of a machine; after the first that is wrong none is run."""
    start = facts.fact(names.CUDA_OUTCOME)
    if not (isinstance(start, Known) and start.value == "ok"):
        yield from _left_out((_START, _KERNELS, *_ABOVE), _reason(facts, start))
        return
    yield Step(_START, "right")
    kernels = _kernels(facts)
    yield kernels
    if kernels.outcome != "right":  # not run: the GPU is to be left alone, and why
        why = f"{_KERNELS} is wrong" if kernels.outcome == "wrong" else kernels.why or ""
        yield from _left_out(_ABOVE, why)
        return
    try:
        require("verify")
        planned = [rung.name for rung in rungs(seed)]
        child = Child((sys.executable, "-c", _CODE, json.dumps(sys.path), str(seed)), os.environ)
    except (ImportError, OSError) as error:
        yield from _left_out(_ABOVE, str(error))
        return
    yield from _watched(child, planned, watcher)


def _left_out(steps: Sequence[str], why: str) -> Iterator[Step]:
    return (Step(name, "not run", why=why) for name in steps)


def _kernels(facts: Facts) -> Step:
    outcome = facts.fact(names.KERNEL_OUTCOME)
    if isinstance(outcome, Known) and outcome.value == "right":
        return Step(_KERNELS, "right", size=facts.known(names.KERNEL_IMAGE) or "")
    if isinstance(outcome, Known) and outcome.value == "wrong":
        return Step(_KERNELS, "wrong", why="the GPU gave other bits than the plain-C reference")
    why = facts.fact(names.KERNEL_WHY)
    return Step(_KERNELS, "not run", why=why.value if isinstance(why, Known) else _said(outcome))


def _reason(facts: Facts, start: Fact[str]) -> str:
    """The doctor's finding; without one, what is known of the start."""
    root = judge(facts).diagnosis.root
    return _said(start) if root is None else headline(root)


def _said(fact: Fact[str]) -> str:
    if isinstance(fact, Known):
        return f"the probe says: {fact.value}"
    return getattr(fact, "reason", "the probe said nothing of it")


# -- the child -----------------------------------------------------------------------------------


def _watched(child: Child, planned: Sequence[str], watcher: Watcher) -> Iterator[Step]:
    """What the child has found, and where it was lost if it was."""
    limit_s = Probe(os.environ, lambda _: None).timeout_s
    try:
        in_time = _wait(child, watcher, limit_s)
        ended = child.result(time.monotonic() + (limit_s if in_time else 0), lambda _: None)
    finally:
        child.kill()  # where somebody has pressed Ctrl-C
    steps = list(_steps(ended))
    yield from steps
    left = [name for name in planned if name not in {step.name for step in steps}]
    if not left:
        return
    lost = ended.end or "silent too early"
    why = f"its process was {lost}" if in_time else f"it took more than {limit_s:g} s"
    yield Step(left[0], "wrong", why=f"{why}; it was in {ended.call or 'its start'}")
    yield from _left_out(left[1:], f"{left[0]} is wrong")


def _wait(child: Child, watcher: Watcher, limit_s: float) -> bool:
    """Until the child has ended; False where one step takes longer than the limit."""
    call, begun, is_told = None, time.monotonic(), False
    while not child.is_done(_LOOK_S):
        now = time.monotonic()
        if child.call != call:
            call, begun, is_told = child.call, now, False
            watcher.begins(call or "CUDA's start")
        if not is_told and now - begun > PATIENCE_S:
            is_told = True
            watcher.waits(call or "CUDA's start", limit_s)
        if now - begun > limit_s:
            return False
    return True


def _steps(ended: Ended) -> Iterator[Step]:
    """A process that was lost may have left half a line."""
    for line in ended.stdout.splitlines():
        if line.startswith(MARK):
            try:
                step: Step = pickle.loads(base64.b64decode(line[len(MARK) :]))  # noqa: S301  ours
            except (binascii.Error, EOFError, pickle.UnpicklingError):
                return
            yield step
