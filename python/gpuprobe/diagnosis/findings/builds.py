"""Is the CUDA that is installed the one that a framework's build needs? And the Python?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ..fixes.cuda import match_cuda
from ..model import Confidence, Finding, Severity, cite
from ..questions.build_needs import needs_of
from ..questions.driver_state import not_without_gpu
from ..questions.installed import installed_cuda
from ..questions.library_faults import OTHER_CUDA, asker, library_faults, works_in_part
from ..questions.place import place_of
from ..questions.python_faults import python_fault
from ..questions.statements import beginning, no_gpu_seen, statements, value_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key
    from ..questions.place import Place


def framework_cuda_mismatch(facts: Facts) -> Iterator[Finding]:
    """What GP602 finds."""
    not_without_gpu(facts)
    place = place_of(facts)
    severity = Severity.WARNING if works_in_part(facts) else Severity.ERROR
    for fault in library_faults(facts):
        if fault.cause == OTHER_CUDA and fault.origin is not None:
            have = ", ".join(str(each.cuda) for each in fault.elsewhere)
            yield Finding(
                f"{beginning(asker(facts, fault.stem))} asks for {fault.wanted}; installed is "
                f"CUDA {have}",
                cite(facts, *fault.keys),
                match_cuda(place, fault.origin.span),
                severity=severity,
                confidence=Confidence.LIKELY if _by_listing(fault.keys) else Confidence.CERTAIN,
            )
            return
    for need in needs_of(facts):
        there = installed_cuda(facts)
        if there and not any(need.takes(each.cuda) for each in there):
            have = ", ".join(str(each.cuda) for each in there)
            yield Finding(
                f"{need.title} needs CUDA {need.cuda}; installed is {have}",
                cite(facts, *need.keys, *(each.key for each in there)),
                match_cuda(place, f"CUDA {need.cuda}"),
                severity=severity,
                confidence=Confidence.LIKELY,
            )
            return
    yield from _told(facts, place)


def _by_listing(keys: tuple[Key[object], ...]) -> bool:
    """Whether a listing alone shows the other CUDA, which may hold less than the machine has."""
    return any(key.name.startswith("library.") and key.name.endswith(".listed") for key in keys)


def _told(facts: Facts, place: Place) -> Iterator[Finding]:
    """By the words of a framework that names no file and no release of its own."""
    if stub := statements(facts, "tf-cudart-stub"):
        yield Finding(
            "TensorFlow found no runtime of the CUDA that it was built with",
            cite(facts, *stub, *(each.key for each in installed_cuda(facts))),
            match_cuda(place, "the CUDA that TensorFlow was built with"),
            confidence=Confidence.LIKELY,
        )
        return
    reached = statements(facts, "tf-xla-gpu")
    unused = no_gpu_seen(facts, "tensorflow")
    if reached and unused and not library_faults(facts):
        yield Finding(
            "TensorFlow reaches the GPU, yet not all libraries of the CUDA that it was built with",
            cite(facts, *reached, *unused, *(each.key for each in installed_cuda(facts))),
            match_cuda(place, "the CUDA that TensorFlow was built with"),
            confidence=Confidence.POSSIBLE,
        )
        return
    if refused := statements(facts, "cuda-release-refused"):
        yield Finding(
            f"A program refuses the CUDA that it found: {facts.known(refused[0])}",
            cite(facts, *refused),
            match_cuda(place, "the CUDA that the message asks for"),
            confidence=Confidence.LIKELY,
        )
        return
    words = value_words(facts, "jax-library-older-than-built")
    if len(words) > 2 and words[0].lower() == "cuda":  # noqa: PLR2004  what, found, built with
        yield Finding(
            f"JAX found CUDA {words[1]} and was built with {words[2]}",
            cite(facts, said.SIGN("jax-library-older-than-built")),
            match_cuda(place, "the CUDA that JAX was built with"),
            confidence=Confidence.LIKELY,
        )


def python_unsupported(facts: Facts) -> Iterator[Finding]:
    """What GP605 finds."""
    fault = python_fault(facts)
    if fault is not None:
        yield Finding(fault.title, cite(facts, *fault.keys), fault.fix, confidence=fault.confidence)
