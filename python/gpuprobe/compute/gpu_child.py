"""The steps of `gpu_steps` in a child process, as a driver may hang or crash.

The child is ended when a step takes too long: that step is wrong, and what came before it is kept.
"""

from __future__ import annotations

import base64
import binascii
import os
import pickle
import sys
import time
from typing import TYPE_CHECKING, Protocol

from ..facts.children import PATIENCE_S, Child, interpreter
from ..facts.probe import Probe
from .gpu_steps import MARK
from .verification import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..facts.children import Ended

#: The child finds this package where we have found it. Before that it imports what is built in
#: alone: Python looks for anything else in the current folder first.
_CODE = """\
import sys
sys.path[:] = {path!r}
from gpuprobe.compute.gpu_steps import main
main({seed:d}, {device:d})
"""
_LOOK_S = 0.1
#: What is waited for until the first step begins.
_BEFORE = "CUDA's start"


class Watcher(Protocol):
    """Who is told how far it is."""

    def begins(self, name: str) -> None:
        """A step begins."""

    def waits(self, words: str) -> None:
        """It takes long: for what is waited, and how long at most."""


def left_out(steps: Sequence[str], why: str) -> Iterator[Step]:
    """Steps that are not run, by their names."""
    return (Step(name, "not run", why=why) for name in steps)


def start(seed: int, device: int) -> Child:
    """The child that climbs on this GPU.

    Raises:
        OSError: It could not be started.
    """
    code = _CODE.format(path=[str(each) for each in sys.path], seed=seed, device=device)
    python = interpreter()
    if python is None:
        raise OSError("this program holds a Python that cannot be started alone")
    return Child((python, "-c", code), os.environ)


def watched(child: Child, planned: Sequence[str], watcher: Watcher) -> Iterator[Step]:
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
    yield from left_out(left[1:], f"{left[0]} is wrong")


def _wait(child: Child, watcher: Watcher, limit_s: float) -> bool:
    """Until the child has ended; False where one step takes longer than the limit."""
    call, begun, is_told = None, time.monotonic(), False
    while not child.is_done(_LOOK_S):
        now = time.monotonic()
        if child.call != call:
            call, begun, is_told = child.call, now, False
            watcher.begins(call or _BEFORE)
        if not is_told and now - begun > PATIENCE_S:
            is_told = True
            watcher.waits(f"waiting for {call or _BEFORE}, at most {limit_s:g} s")
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
