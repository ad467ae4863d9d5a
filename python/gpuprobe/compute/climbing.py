"""Climbing a ladder of steps: after the first wrong one no other is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .failures import Unsupported
from .verification import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Rung(Protocol):
    """Something that is computed and proved."""

    @property
    def name(self) -> str:
        """``matmul float32``, ``conv2d float32 as tf32``."""

    @property
    def size(self) -> str:
        """Of what is computed."""

    def run(self) -> Step:
        """Compute and prove it."""


def climb(rungs: Sequence[Rung], begins: Callable[[str], None]) -> Iterator[Step]:
    """Each step; `begins` is told the name of one before it is run."""
    broken = ""
    for rung in rungs:
        if broken:
            yield Step(rung.name, "not run", rung.size, f"{broken} is wrong")
            continue
        begins(rung.name)
        step = _run(rung)
        broken = rung.name if step.outcome == "wrong" else ""
        yield step


def _run(rung: Rung) -> Step:
    """What fails is wrong; what cannot be done, or has no room, was not run."""
    try:
        return rung.run()
    except Unsupported as error:
        return Step(rung.name, "not run", rung.size, error.reasons)
    except (ImportError, MemoryError) as error:
        return Step(rung.name, "not run", rung.size, str(error))
    except RuntimeError as error:
        return Step(rung.name, "wrong", rung.size, str(error))
