"""The ladder on a GPU: as far as the probe program climbs it, in a child process.

What this release does not compute on a GPU yet is listed as not run, and never as right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..examine import judge
from ..facts import names
from ..facts.model import Known
from ..report.words import headline
from .verification import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..facts.model import Fact, Facts

_START, _KERNELS = "CUDA starts", "fill, add, hash, copy back"
#: What a later release computes there.
_LATER = (
    "allocation seen by the driver",
    "matmul by our kernels",
    "matmul by cuBLAS",
    "conv2d by cuDNN",
)
_NOT_YET = "this release of gpuprobe does not compute it on a GPU yet"


def climb(facts: Facts) -> Iterator[Step]:
    """Each step, from what was seen of a machine; after the first that fails none is run."""
    start = facts.fact(names.CUDA_OUTCOME)
    if not (isinstance(start, Known) and start.value == "ok"):
        why = _reason(facts, start)
        for name in (_START, _KERNELS, *_LATER):
            yield Step(name, "not run", why=why)
        return
    yield Step(_START, "right")
    kernels = _kernels(facts)
    yield kernels
    for name in _LATER:
        broken = kernels.outcome == "wrong"
        yield Step(name, "not run", why=f"{_KERNELS} is wrong" if broken else _NOT_YET)


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
