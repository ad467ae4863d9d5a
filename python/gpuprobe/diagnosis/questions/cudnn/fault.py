"""What a rule about cuDNN is told: which of its three faults it is, and what shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ...model import Confidence
from .releases import pip_releases

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys
    from ....facts.version import Version

MISSING, MISMATCH, SHADOWED = "cudnn-missing", "cudnn-mismatch", "library-path-conflict"


class CudnnFault(NamedTuple):
    """What is wrong with cuDNN, in a sentence, and the facts that show it."""

    cause: str
    title: str
    keys: Keys
    wanted: Version | None
    confidence: Confidence = Confidence.CERTAIN


def path_keys(facts: Facts) -> Keys:
    """What decides which copy of cuDNN is found first: the search path, and pip's packages."""
    return (names.ENV("LD_LIBRARY_PATH"), *pip_releases(facts))
