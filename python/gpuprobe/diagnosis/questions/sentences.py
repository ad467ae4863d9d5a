"""What people say in a sentence decides where a text states nothing else that fails.

A program's words are surer than a reporter's, and a reporter may tell of what is over.
"""

from __future__ import annotations

from ...facts import names, said
from ...facts.model import Facts, Family, Keys, Known
from ..model import Confidence
from .statements import no_gpu_seen, seen_anyway, statements, value
from .unreached.cause import CONTAINER, MISSING, NODES, NOT_LOADED, WSL, Unreached

#: What a text states that speaks of another fault, or of one that a rule knows better.
_OTHERS: tuple[Family[object], ...] = (
    *(said.ERROR, names.XID, names.LIBRARY_MISSING, said.LIBRARY_BROKEN, said.SYMBOL_WANTED_BY),
    names.GPU_FAILURE,
)
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


def alone(facts: Facts) -> bool:
    """Whether somebody reports a fault of their own, and states nothing else that fails."""
    reporter = statements(facts, "reporter-speaks", "chinese-reporter")
    return bool(reporter) and not something_fails(facts) and not seen_anyway(facts)


def something_fails(facts: Facts) -> bool:
    """Whether a text states what fails, or a build that could not serve a GPU."""
    stated = {*facts.subjects(said.SIGN)} - said.CIRCUMSTANCES
    cpu = "cpu" in facts.known_of(names.PACKAGE_BUILD)
    others = any(facts.subjects(family) for family in _OTHERS)
    return bool(stated) or others or cpu


def in_sentences(facts: Facts, *signs: str) -> Keys:
    """Those of the sentences that are said, where they decide."""
    return statements(facts, *signs) if alone(facts) else ()


def unreached_by_sentence(facts: Facts) -> Unreached | None:
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
