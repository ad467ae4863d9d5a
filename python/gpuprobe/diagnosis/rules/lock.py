"""Is this machine what the team's lock says? Only where `--lock` names one."""

from __future__ import annotations

from ...facts import locked, names
from ...facts.model import Facts, NotThere
from ..model import Findings, Link, rule
from .hardware import is_lost

CAUSE = "differs-from-lock"
_SOFTWARE = ("lock.system", "lock.python", "lock.package.", "lock.library.")


def _only_with_lock(facts: Facts) -> None:
    if not any(name.startswith("lock.") for name in facts):
        raise NotThere("lock.driver")


@rule("GP105", "gpu-differs-from-lock", cause=CAUSE, link=Link.LOCK, since="0.1")
def gpu_differs(facts: Facts) -> Findings:
    """The GPUs are not those that the lock demands."""
    _only_with_lock(facts)
    from ..findings.lock import gpus

    lost = [gpu for gpu in facts.subjects(names.GPU_FAILURE) if is_lost(facts, gpu)]
    yield from gpus(facts, lost)


@rule("GP210", "driver-differs-from-lock", cause=CAUSE, link=Link.LOCK, since="0.1")
def driver_differs(facts: Facts) -> Findings:
    """The driver is not the one that the lock demands."""
    _only_with_lock(facts)
    if locked.DRIVER.name not in facts and locked.CUDA.name not in facts:
        raise NotThere(locked.DRIVER.name)  # of a machine without one nothing is demanded
    from ..findings.lock import driver

    yield from driver(facts)


@rule("GP610", "software-differs-from-lock", cause=CAUSE, link=Link.LOCK, since="0.1")
def software_differs(facts: Facts) -> Findings:
    """The system, Python, a package or a library is not the one that the lock demands."""
    if not any(name.startswith(_SOFTWARE) for name in facts):
        raise NotThere(locked.SYSTEM.name)  # likewise
    from ..findings.lock import software

    yield from software(facts)
