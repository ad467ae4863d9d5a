"""Code that was written for the tensor cores of one generation, compiled for another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import Confidence
from ..statements import statements, value
from .no_code import NEW, OLD, KernelFault

if TYPE_CHECKING:
    from ....facts.model import Facts
    from ..gpus.known import Gpu

#: The target whose tensor cores an instruction belongs to; no other generation has it.
_TARGETS = {"wgmma": 90, "setmaxnreg": 90, "tcgen05": 100}


def of_another(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """A program writes such an instruction, and ptxas compiles it for a GPU without it."""
    instruction, _, target = value(facts, "ptxas-instruction-of-other-gpu").partition(" ")
    if not instruction:
        return None
    own, meant = int(target.removeprefix("sm_").rstrip("af")), _TARGETS[instruction.lower()]
    if own == meant:
        return None  # compiled for sm_90 and not for sm_90a
    title = f"The program's code takes {instruction}, which GPUs of {target} do not have"
    keys = statements(facts, "ptxas-instruction-of-other-gpu")
    return KernelFault(NEW if own > meant else OLD, title, keys, gpu, None, Confidence.LIKELY)
