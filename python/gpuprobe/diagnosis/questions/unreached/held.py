"""What holds the GPU in the place of NVIDIA's module: nouveau, or nothing.

Each function is one cause of `unreached`.
"""

from __future__ import annotations

from ....facts import names
from ....facts.model import Absent, Facts, Keys
from ...model import Confidence
from .. import symptoms
from ..binding import drivers_of_gpus
from ..sentences import something_fails
from ..symptoms import driver_answers, driver_spoke, module_runs
from .cause import MISSING, NOT_LOADED, Unreached

_LIKELY, _POSSIBLE = Confidence.LIKELY, Confidence.POSSIBLE


def held_by_nouveau(facts: Facts) -> Unreached | None:
    """Nouveau drives all of NVIDIA's GPUs; nothing tells of a driver that serves CUDA."""
    held = drivers_of_gpus(facts)
    holds = bool(held) and all(facts.known(key) == "nouveau" for key in held)
    return _nouveau_alone(facts, held, _LIKELY) if holds else None


def nouveau_loaded(facts: Facts) -> Unreached | None:
    """Nouveau is loaded, whatever it drives, and nothing is told of NVIDIA's module."""
    loaded = facts.known(names.MODULE_NOUVEAU) is True and facts.known(names.MODULE_LOADED) is None
    return _nouveau_alone(facts, drivers_of_gpus(facts), _POSSIBLE) if loaded else None


def held_by_none(facts: Facts) -> Unreached | None:
    """No kernel driver has NVIDIA's GPUs, and it is told whether NVIDIA's is installed.

    Some switch a laptop's GPU off on purpose: a program has to miss it.
    """
    held = drivers_of_gpus(facts)
    if not held or not all(isinstance(facts.fact(key), Absent) for key in held):
        return None
    missed = something_fails(facts) or bool(symptoms.sees_none(facts))
    if not missed or driver_answers(facts) or module_runs(facts):
        return None
    keys = (*held, names.DRIVER_PACKAGE, names.MODULE_DKMS)
    if any(facts.known(key) for key in (names.DRIVER_PACKAGE, names.MODULE_DKMS)):
        title = "The NVIDIA driver is installed, and no kernel driver has the GPU"
        return Unreached(NOT_LOADED, title, keys, _LIKELY)
    if not isinstance(facts.fact(names.DRIVER_PACKAGE), Absent) or driver_spoke(facts):
        return None
    title = "No NVIDIA driver is installed, and no other has the GPU"
    return Unreached(MISSING, title, keys, _LIKELY)


def _nouveau_alone(facts: Facts, held: Keys, sure: Confidence) -> Unreached | None:
    if driver_answers(facts) or module_runs(facts) or driver_spoke(facts):
        return None
    keys = (*held, names.MODULE_NOUVEAU, names.DRIVER_PACKAGE, names.MODULE_DKMS)
    if any(facts.known(key) for key in (names.DRIVER_PACKAGE, names.MODULE_DKMS)):
        title = "The NVIDIA driver is installed, but nouveau holds the GPU: its module cannot load"
        return Unreached(NOT_LOADED, title, keys)
    title = "Only nouveau drives the NVIDIA GPU, which cannot serve CUDA"
    return Unreached(MISSING, title, keys, sure)
