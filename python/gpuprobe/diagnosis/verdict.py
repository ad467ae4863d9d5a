"""The verdict: what was proved to work, and what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import names
from ..facts.model import Facts, Known
from .model import Checked, Link, Outcome, Placed, Proof, Role, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence


def best_proof(facts: Facts) -> Proof | None:
    """The last link of the chain that these facts show at work."""
    return _computed(facts) or _counted(facts) or _answered(facts)


def _computed(facts: Facts) -> Proof | None:
    outcome = facts.fact(names.KERNEL_OUTCOME)
    if not isinstance(outcome, Known) or outcome.value != "right":
        return None
    return Proof(
        Link.VISIBLE_DEVICES, "a kernel ran on the GPU and its result is right", outcome.source
    )


def _counted(facts: Facts) -> Proof | None:
    """CUDA starts and has devices. Enough only where a kernel was left out on purpose."""
    count = facts.fact(names.CUDA_COUNT)
    if not isinstance(count, Known) or count.value < 1:
        return None
    if facts.known(names.KERNEL_OUTCOME) != "not run":
        return None
    why = facts.known(names.KERNEL_WHY) or "left out"
    return Proof(
        Link.VISIBLE_DEVICES,
        f"CUDA starts and sees {_gpus(count.value)}; no kernel ran: {why}",
        count.source,
    )


def _answered(facts: Facts) -> Proof | None:
    """NVML lists devices. The last thing that the level `quick` can show."""
    count = facts.fact(names.NVML_COUNT)
    if facts.known(names.PROBE_LEVEL) != "quick":
        return None
    if not isinstance(count, Known) or count.value < 1:
        return None
    return Proof(
        Link.KERNEL_MODULE, f"the driver answers and lists {_gpus(count.value)}", count.source
    )


def _gpus(count: int) -> str:
    return "1 GPU" if count == 1 else f"{count} GPUs"


def verdict_of(placed: Sequence[Placed], checks: Sequence[Checked], proof: Proof | None) -> Verdict:
    """Healthy and degraded need a proof that something works; without one it is unknown.

    So it is where a check beyond the proof could not look: ignorance must not make it greener.
    """
    root = placed[0] if placed and placed[0].role is Role.ROOT else None
    if root is not None and root.finding.severity is Severity.ERROR:
        return Verdict.BROKEN
    if proof is None or open_checks(checks, proof):
        return Verdict.UNKNOWN
    return Verdict.HEALTHY if root is None else Verdict.DEGRADED


#: Facts that tell of another GPU than the proof's, or of another process.
_OF_OTHERS = ("gpu.", "visible.process")


def open_checks(checks: Sequence[Checked], proof: Proof | None) -> tuple[Checked, ...]:
    """The checks that leave the verdict open: they could not look, or broke."""
    return tuple(check for check in checks if _leaves_open(check, proof))


def _leaves_open(check: Checked, proof: Proof | None) -> bool:
    """A proof clears what comes before it; but it says nothing of another GPU or process."""
    if check.missing is not None and check.missing.fact.startswith(_OF_OTHERS):
        return True
    unseen = check.missing is not None or check.outcome is Outcome.CRASHED
    return unseen and (proof is None or check.rule.link > proof.link)
