"""Has each framework's build code for this GPU?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Finding, Findings, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.kernels.faults import kernel_faults
from ..questions.kernels.no_code import NEW, OLD, KernelFault
from ..questions.source import looked_at

if TYPE_CHECKING:
    from ...facts.model import Facts


def gpu_too_old(facts: Facts) -> Findings:
    """What GP603 finds."""
    yield from _found(facts, OLD)


def gpu_too_new(facts: Facts) -> Findings:
    """What GP604 finds."""
    yield from _found(facts, NEW)


def _found(facts: Facts, cause: str) -> Findings:
    not_without_gpu(facts)
    for fault in kernel_faults(facts):
        if fault.cause == cause:
            from ..fixes.kernels import build_with_code

            yield Finding(
                fault.title,
                cite(facts, *fault.keys),
                build_with_code(facts, fault),
                severity=_severity(facts, fault),
                confidence=fault.confidence,
                subject="machine" if fault.package is None else f"package:{fault.package}",
            )


def _severity(facts: Facts, fault: KernelFault) -> Severity:
    """A GPU beside one that is served; where only a text names it, it may be for the display."""
    if not fault.partly:
        return Severity.ERROR
    return Severity.WARNING if looked_at(facts) else Severity.NOTE
