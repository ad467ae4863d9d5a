"""Why the program does not reach the driver, as somebody says it: the last cause of `unreached`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.model import Known
from ...model import Confidence
from ..sentences import alone
from ..statements import no_gpu_seen, statements, value
from .cause import CONTAINER, MISSING, NODES, NOT_LOADED, WSL, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts

_TITLES = (
    ("told-wsl", WSL, "WSL does not get at the GPU, as the text says"),
    ("told-container", CONTAINER, "The container does not get at the GPU, as the text says"),
    ("told-nodes", NODES, "The device files are closed to the program, as the text says"),
    ("told-not-loaded", NOT_LOADED, "The driver's kernel module does not run, as the text says"),
    ("told-missing", MISSING, "There is no NVIDIA driver, as the text says"),
    ("chinese-container", CONTAINER, "The container does not get at the GPU, as the text says"),
    ("chinese-not-loaded", NOT_LOADED, "The driver's kernel module does not run, as the text says"),
    ("chinese-missing", MISSING, "There is no NVIDIA driver, as the text says"),
)


def told(facts: Facts) -> Unreached | None:
    """Why the program does not reach the driver, as somebody says it."""
    if not alone(facts):
        return None
    unusable = (*statements(facts, "gpu-not-usable"), *no_gpu_seen(facts, ""))
    for place, cause in ((names.WSL_VERSION, WSL), (names.CONTAINER_KIND, CONTAINER)):
        if isinstance(facts.fact(place), Known) and unusable and not _has_builds(facts):
            title = "The GPU is not reached from within, as the text says"
            return Unreached(cause, title, (place, *unusable), Confidence.POSSIBLE)
    for sign, cause, title in _TITLES:
        keys = statements(facts, sign)
        if keys:
            named = _LINUX_DRIVER if linux_driver_told(facts) else title
            return Unreached(cause, named, (*keys, *unusable), Confidence.POSSIBLE)
    return None


_LINUX_DRIVER = "A Linux driver was installed inside WSL, which the driver of Windows serves"


def linux_driver_told(facts: Facts) -> bool:
    """Whether somebody says, or shows, that a driver for Linux was installed inside WSL."""
    told = value(facts, "told-wsl").lower()
    shown = bool(statements(facts, "linux-driver-installed", "os-driver-set-up"))
    return shown or ("linux" in told and "driver" in told)


def _has_builds(facts: Facts) -> bool:
    """Whether versions are stated, which other rules compare."""
    families = (names.PACKAGE_VERSION, names.PACKAGE_BUILD)
    stated = any(facts.subjects(family) for family in families)
    return stated or facts.known(names.DRIVER_VERSION) is not None
