"""Programs without code for a GPU that name its capability, or that of their own code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..statements import errors, statements, value, value_words
from .no_code import NEW, NO_CODE, OLD, KernelFault, side_of

if TYPE_CHECKING:
    from ....facts.model import Facts
    from ..gpus.known import Gpu


def dotted(target: str) -> str:
    """``8.9`` of ``89``, ``12.0`` of ``120``; what has no two digits stays."""
    return f"{target[:-1]}.{target[-1:]}" if len(target) > 1 else target


#: Programs without code for a GPU that name its capability: statement, program.
_NUMBERED = (
    ("blender-no-kernel", "Blender"),
    ("gromacs-gpu-incompatible", "GROMACS"),
    ("tensorrt-sm-unsupported", "This release of TensorRT"),
)
#: A byte each for both numbers of a capability, in base 16: "809", "c00".
_OF_BYTES = regex(r"(?i)([0-9a-f]{1,2})(0[0-9a-f])")


def _numbered(facts: Facts, sign: str) -> Version | None:
    """``8.9``, or as TensorRT writes it, ``809``."""
    told = value(facts, sign)
    if sign != "tensorrt-sm-unsupported":
        return Version.parse(told)
    number = _OF_BYTES.fullmatch(told)
    return None if number is None else Version.of(int(number[1], 16), int(number[2], 16))


def _newer_than_built(facts: Facts, capability: Version | None) -> bool:
    """A program takes one GPU, and was told to use this one, for which it came too early."""
    if capability is None or not statements(facts, "gromacs-gpu-refused"):
        return False
    return side_of(capability, None) == NEW


def by_its_number(facts: Facts, _: tuple[Gpu, ...]) -> KernelFault | None:
    """They name the GPU's capability; the tables tell whether toolkits still know that.

    Some name that which they were compiled for before it.
    """
    for sign, program in _NUMBERED:
        capability = _numbered(facts, sign)
        refused = _newer_than_built(facts, capability)
        if capability is not None and (refused or not facts.known(names.CUDA_COUNT)):
            title = f"{program} has no code for GPUs of compute capability {capability}"
            side = side_of(capability, None)
            return KernelFault(side, title, statements(facts, sign), None, None, Confidence.LIKELY)
    for sign, program in _COMPARED:
        match [_capability(word) for word in value_words(facts, sign)]:
            case [Version() as compiled, Version() as present] if compiled != present:
                title = f"{program} was compiled for capability {compiled}, the GPU has {present}"
                side = NEW if compiled < present else OLD
                keys = statements(facts, sign)
                return KernelFault(side, title, keys, None, None, Confidence.LIKELY)
    return _of_kokkos(facts)


#: Programs that name what they were compiled for before the GPU's capability.
_COMPARED = (
    ("kokkos-gpu-other-architecture", "Kokkos"),
    ("program-gpu-other-architecture", "The program"),
)


def _capability(word: str) -> Version | None:
    """``8.6``, or ``86`` without the point."""
    return Version.parse(word if "." in word else dotted(word))


def _of_kokkos(facts: Facts) -> KernelFault | None:
    """Its first kernel does not run, and Kokkos tells no capability.

    The driver takes code for an older GPU of the same kind, or compiles it; for a later one none.
    """
    made = statements(facts, "kokkos-gpu-other-architecture")
    if not made:
        return _without_code(facts)
    title = "Kokkos was compiled for a later GPU than this, as it supposes itself"
    return KernelFault(OLD, title, made, None, None, Confidence.POSSIBLE)


def _without_code(facts: Facts) -> KernelFault | None:
    """Kokkos found no code for the GPU, and so CUDA fails; it warns as well where it is slow."""
    told, failed = statements(facts, "kokkos-compiled-for-none"), errors(facts, *NO_CODE)
    present = Version.parse(value(facts, "kokkos-compiled-for-none"))
    if present is None or not failed:
        return None
    title = f"Kokkos was compiled without code for the GPU, which has capability {present}"
    side = side_of(present, None)
    return KernelFault(side, title, (*told, *failed), None, None, Confidence.LIKELY)
