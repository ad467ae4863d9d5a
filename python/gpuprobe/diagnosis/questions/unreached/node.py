"""A node of a cluster to which the driver was not brought: one cause of `unreached`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..statements import statements, value
from ..symptoms import driver_answers
from .cause import MISSING, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts

IMAGE, INSTALLER = "driver-image-not-pulled", "node-installer-failed"


def not_brought(facts: Facts) -> Unreached | None:
    """The image that holds the driver cannot be pulled, or the cloud's installer gave up."""
    keys = statements(facts, IMAGE, INSTALLER)
    if not keys or driver_answers(facts):
        return None
    title = f"The image that brings the driver could not be pulled: {value(facts, IMAGE)}"
    if not statements(facts, IMAGE):
        title = f"The installer put no driver on the node: {value(facts, INSTALLER)}"
    return Unreached(MISSING, title, keys)
