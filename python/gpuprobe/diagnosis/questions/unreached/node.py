"""Nodes of a cluster: one to which the driver was not brought, and jobs on one without a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ..statements import statements, value
from ..symptoms import driver_answers
from .cause import MISSING, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

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


_ON_LOGIN_NODE = "slurm-outside-job"
_TOLD = _ON_LOGIN_NODE, "slurm-no-gres", "installer-no-gpu", "notebook-without-gpu"


def told_without_gpu(facts: Facts, asked: Keys) -> Keys:
    """What tells that a job ran where there is no GPU; `asked`: what failed for want of one.

    Who names a login node and misses nvcc or a library of the toolkit would do so with a GPU, too.
    """
    told = statements(facts, *_TOLD)
    missed = statements(facts, "nvcc-not-found") or facts.keys_of(names.LIBRARY_MISSING)
    return () if missed and not asked and told == statements(facts, _ON_LOGIN_NODE) else told
