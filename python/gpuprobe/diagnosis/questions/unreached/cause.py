"""One reason why a text's program does not reach the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...model import Confidence, Finding, Fix, Severity, cite

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

#: The causes among which one is left.
NO_GPU, NOT_LOADED, MISSING = "no-nvidia-gpu", "driver-not-loaded", "driver-missing"
MISMATCH, NODES = "driver-library-mismatch", "device-nodes"
COMPAT = "forward-compat"
CONTAINER, WSL, HIDDEN = "container-no-gpu", "wsl", "hidden-by-visible-devices"
NOT_SEARCHED = "library-path-conflict"


class Unreached(NamedTuple):
    """The cause that is left, and the facts that lead to it."""

    cause: str
    title: str
    keys: Keys
    confidence: Confidence = Confidence.LIKELY
    severity: Severity = Severity.ERROR

    def finding(self, facts: Facts, fix: Fix) -> Finding:
        """The finding of the rule that stands for the cause."""
        return Finding(
            self.title,
            cite(facts, *self.keys),
            fix,
            severity=self.severity,
            confidence=self.confidence,
        )
