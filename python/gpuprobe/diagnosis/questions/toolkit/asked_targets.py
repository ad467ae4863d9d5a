"""Architectures that a build asks for, and that its toolkit does not compile for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ..sentences import something_fails
from ..statements import seen_anyway

if TYPE_CHECKING:
    from ....facts.model import Facts, Key
    from ....facts.version import Version

#: Where a build tells which architectures it is to have code for.
ASKED: tuple[Key[str], ...] = (
    names.ENV("TORCH_CUDA_ARCH_LIST"),
    names.ENV("TF_CUDA_COMPUTE_CAPABILITIES"),
    said.SIGN("cmake-architectures-asked"),
    said.SIGN("opencv-architecture-asked"),
    said.SIGN("nvcc-compiles-for"),
)
_BETWEEN = regex(r"[\s;,]+")
#: CMake's and nvcc's form, without the point.
_PLAIN = regex(r"\d{2,3}[af]?")


class Asked(NamedTuple):
    """An architecture that a build asks for; `alone`: it asks for no other, as one's own GPU's."""

    capability: Version
    key: Key[str]
    alone: bool


def asked_in_vain(facts: Facts) -> Asked | None:
    """The first that the toolkit does not know, where somebody has trouble and shows no error.

    nvcc says so itself, but often far above what people paste.
    """
    from ....knowledge.architecture import architecture, toolkit_targets

    toolkit = facts.known(names.TOOLKIT_VERSION)
    if toolkit is None or len(toolkit.parts) == 1 or not facts.known(said.ABOUT("trouble")):
        return None
    targets = toolkit_targets(toolkit)
    if targets is None or something_fails(facts) or seen_anyway(facts):
        return None
    for key in ASKED:
        asked = capabilities_in(facts.known(key) or "")
        for capability in asked:
            if architecture(capability) and capability not in targets.capabilities:
                alone = len(asked) == 1 and key != said.SIGN("nvcc-compiles-for")
                return Asked(capability, key, alone)
    return None


def capabilities_in(listed: str) -> list[Version]:
    """The architectures in what a build was asked for."""
    from ....knowledge.architecture import parse_target

    words = (word.partition("-")[0] for word in _BETWEEN.split(listed))  # "86-real" of CMake
    forms = (f"sm_{word}" if _PLAIN.fullmatch(word) else word for word in words)
    return [target.capability for form in forms for target in parse_target(form)[:1]]
