"""Is cuDNN there, and is it the one that the program needs?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cudnn_faults import MISMATCH, MISSING, cudnn_fault
from ..driver_state import not_without_gpu
from ..fixes.cudnn import fitting_cudnn, install_cudnn
from ..library_faults import seen_anyway
from ..model import Finding, Link, Severity, cite, rule
from ..place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts
    from ..cudnn_faults import CudnnFault
    from ..model import Fix


@rule("GP501", "cudnn-missing", cause="cudnn-missing", link=Link.LIBRARIES, since="0.1")
def cudnn_missing(facts: Facts) -> Iterator[Finding]:
    """A program asked for cuDNN, and it is not found."""
    yield from _found(facts, MISSING)


@rule("GP502", "cudnn-mismatch", cause="cudnn-mismatch", link=Link.LIBRARIES, since="0.1")
def cudnn_mismatch(facts: Facts) -> Iterator[Finding]:
    """The version of cuDNN is not the one that the program needs, or its parts are of several."""
    yield from _found(facts, MISMATCH)


def _found(facts: Facts, cause: str) -> Iterator[Finding]:
    not_without_gpu(facts)
    fault = cudnn_fault(facts)
    if fault is None or fault.cause != cause:
        return
    partly = cause == MISSING and seen_anyway(facts)
    yield Finding(
        fault.title,
        cite(facts, *fault.keys),
        _fix(facts, fault),
        severity=Severity.WARNING if partly else Severity.ERROR,
        confidence=fault.confidence,
    )


def _fix(facts: Facts, fault: CudnnFault) -> Fix:
    place = place_of(facts)
    if fault.cause == MISSING:
        return install_cudnn(facts, place, fault.wanted)
    return fitting_cudnn(facts, place, fault.wanted)
