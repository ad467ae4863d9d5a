"""Which build has no code for a GPU, and whether the GPU is too old or too new for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .gpus import gpus
from .kernel_builds import faults_by_build
from .kernel_words import told
from .once import asked_once

if TYPE_CHECKING:
    from ...facts.model import Facts
    from .kernel_fault import KernelFault


@asked_once
def kernel_faults(facts: Facts) -> tuple[KernelFault, ...]:
    """The builds without code for a GPU; where none can be named, what programs said of it."""
    present = gpus(facts)
    found = faults_by_build(facts, present)
    if found:
        return found
    said_so = told(facts, present)
    return () if said_so is None else (said_so,)
