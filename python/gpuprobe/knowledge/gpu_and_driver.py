"""Does a driver know a GPU at all? Older ones do not yet, newer ones may do no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import architecture, driver_cuda
from .tables import Unstated

if TYPE_CHECKING:
    from ..facts.version import Version


def unknown_to_driver(capability: Version, driver: Version | None) -> Unstated | None:
    """Why `driver` does not know GPUs of `capability`; None where nothing speaks against it."""
    if driver is None:
        return None
    last, first = driver_cuda.last_branch(capability), architecture.first_branch(capability)
    newest = last.branch if isinstance(last, driver_cuda.LastBranch) else None
    if newest is not None and driver.major > newest:
        return Unstated(f"{newest} is the last driver branch for capability {capability}")
    if isinstance(first, driver_cuda.Floor) and driver.major < first.driver.major:
        return Unstated(f"driver {driver} is older than branch {first.driver}: {first.note}")
    return None
