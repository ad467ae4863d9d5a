"""Which build has no code for a GPU, and whether the GPU is too old or too new for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..gpus.known import gpus
from ..once import asked_once
from .builds import faults_by_build
from .words import told

if TYPE_CHECKING:
    from ....facts.model import Facts
    from .no_code import KernelFault


@asked_once
def kernel_faults(facts: Facts) -> tuple[KernelFault, ...]:
    """The builds without code for a GPU; where none can be named, what programs said of it."""
    present = gpus(facts)
    found = faults_by_build(facts, present)
    if found:
        return found
    said_so = told(facts, present)
    return () if said_so is None else (said_so,)
