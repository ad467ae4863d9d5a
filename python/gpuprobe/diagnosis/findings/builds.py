"""Is the CUDA that is installed the one that a framework's build needs? And the Python?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.cuda_libraries import install_library
from ..fixes.cudnn import cudnn_for_cuda_there
from ..fixes.extras import libraries_of
from ..fixes.one_release import match_cuda, newer_cuda_jl, newer_warp
from ..fixes.tensorflow import for_cuda_there, libraries_of_release
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.cudnn.releases import cudnn_of_other_cuda
from ..questions.libraries.faults import OTHER_CUDA, asker, library_faults, works_in_part
from ..questions.libraries.installed import Installed, installed_cuda, installed_or_named
from ..questions.libraries.needs import (
    Need,
    needs_of,
    tensorflow_release,
    told_other_cuda,
    warp_before_driver,
)
from ..questions.packages.python_faults import python_fault
from ..questions.place import place_of
from ..questions.statements import beginning, no_gpu_seen, statements, value_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Keys
    from ...facts.version import Version
    from ..questions.libraries.faults import LibraryFault
    from ..questions.place import Place


def framework_cuda_mismatch(facts: Facts) -> Findings:
    """What GP602 finds."""
    not_without_gpu(facts)
    place = place_of(facts)
    severity = Severity.WARNING if works_in_part(facts) else Severity.ERROR
    if other := cudnn_of_other_cuda(facts):
        package, cuda, keys = other
        yield Finding(
            f"cuDNN {package} is the build for CUDA {cuda.major}; installed is CUDA "
            f"{facts.known(names.TOOLKIT_VERSION)}",
            cite(facts, *keys),
            cudnn_for_cuda_there(place, package, facts.need(names.TOOLKIT_VERSION)),
            severity=severity,
            confidence=Confidence.LIKELY,
        )
        return
    for fault in library_faults(facts):
        if fault.cause == OTHER_CUDA and fault.origin is not None:
            have = _releases(fault.elsewhere)
            yield Finding(
                f"{beginning(asker(facts, fault.stem))} asks for {fault.wanted}; "
                f"{_where_from(fault.keys)} {have}",
                cite(facts, *fault.keys),
                _matching(facts, place, fault),
                severity=severity,
                confidence=Confidence.LIKELY if _in_part(fault.keys) else Confidence.CERTAIN,
            )
            return
    there = installed_or_named(facts)
    for need in needs_of(facts):
        if there and not any(need.takes(each.cuda) for each in there):
            have = _releases(there)
            yield Finding(
                f"{need.title} needs CUDA {need.cuda}; {_there(there)} {have}",
                cite(facts, *need.keys, *(each.key for each in there)),
                _for_need(facts, place, need, there[0].cuda),
                severity=severity,
                confidence=need.confidence,
            )
            return
    yield from _of_warp(facts)
    yield from _of_cuda_jl(facts)
    yield from _told(facts, place)


def _releases(there: tuple[Installed, ...]) -> str:
    """``12.4, 11.8``: each once, and none that only tells less of another."""
    told = dict.fromkeys(str(each.cuda) for each in there)
    return ", ".join(
        each for each in told if not any(other.startswith(f"{each}.") for other in told)
    )


def _of_warp(facts: Facts) -> Findings:
    if warp := warp_before_driver(facts):
        built, serves, keys = warp
        title = f"Warp was built with CUDA {built}, and calls what a driver of CUDA {serves} lacks"
        evidence = cite(facts, *keys, names.PACKAGE_VERSION("warp-lang"))
        yield Finding(title, evidence, newer_warp(), confidence=Confidence.LIKELY)


def _of_cuda_jl(facts: Facts) -> Findings:
    """It compares the driver's CUDA with the last that it knows, and does not start."""
    match value_words(facts, "cuda-jl-before-driver"):
        case [last, serves]:
            title = f"This CUDA.jl knows drivers up to CUDA {last}, and the driver serves {serves}"
            evidence = cite(facts, said.SIGN("cuda-jl-before-driver"), names.DRIVER_VERSION)
            yield Finding(title, evidence, newer_cuda_jl(f"drivers of CUDA {serves}"))


def _matching(facts: Facts, place: Place, fault: LibraryFault) -> Fix:
    """For the file that is missing: a TensorFlow for the CUDA that is there, or that CUDA."""
    release = tensorflow_release(facts)
    if release is not None and fault.origin is not None and fault.origin.holds(release[2]):
        there = fault.elsewhere[0].cuda
        if other := for_cuda_there(facts, place, release[1], there):
            return other
    return install_library(facts, place, fault.stem, fault.file, fault.origin)


def _for_need(facts: Facts, place: Place, need: Need, there: Version) -> Fix:
    """For a build that found no CUDA that it could use."""
    release, name = tensorflow_release(facts), need.title.partition(" ")[0]
    if release is not None and release[0] == name:
        other = for_cuda_there(facts, place, release[1], there)
        fix = other or libraries_of_release(place, *release[:2])
    else:
        fix = libraries_of(place, need.title)
    return fix or match_cuda(place, f"CUDA {need.cuda}")


def _in_part(keys: Keys) -> bool:
    """Whether the other CUDA is listed or named only, which may be less than the machine has."""
    listed = (key.name.startswith("library.") and key.name.endswith(".listed") for key in keys)
    return said.CUDA_NAMED in keys or any(listed)


def _there(there: tuple[Installed, ...]) -> str:
    named = any(each.key == said.CUDA_NAMED for each in there)
    return "the text speaks of" if named else "installed is"


def _where_from(keys: Keys) -> str:
    return "the text speaks of CUDA" if said.CUDA_NAMED in keys else "installed is CUDA"


def _told(facts: Facts, place: Place) -> Findings:
    """By the words of a framework that names no file and no release of its own."""
    for title, keys, cuda, confidence in _other_cuda_told(facts):
        subject = "package:paddlepaddle-gpu" if _PADDLES in keys else "machine"
        fix = match_cuda(place, cuda)
        yield Finding(title, cite(facts, *keys), fix, confidence=confidence, subject=subject)
        return


_PADDLES = said.SIGN("paddle-cuda-older")
_OF_TENSORFLOW = "the CUDA that TensorFlow was built with"


def _other_cuda_told(facts: Facts) -> Iterator[tuple[str, Keys, str, Confidence]]:
    """The title, what shows it, and the CUDA that it takes; what decides most comes first."""
    there = tuple(each.key for each in installed_cuda(facts))
    if stub := statements(facts, "tf-cudart-stub"):
        title = "TensorFlow found no runtime of the CUDA that it was built with"
        yield title, (*stub, *there), _OF_TENSORFLOW, Confidence.LIKELY
    reached, unused = statements(facts, "tf-xla-gpu"), no_gpu_seen(facts, "tensorflow")
    if not statements(facts, "tf-gpu-registered", "tf-op-for-cpu"):
        unused = (*unused, *statements(facts, "tf-op-for-gpu"))
    if reached and unused and not library_faults(facts):
        title = (
            "TensorFlow reaches the GPU, yet not all libraries of the CUDA that it was built with"
        )
        yield title, (*reached, *unused, *there), _OF_TENSORFLOW, Confidence.POSSIBLE
    if both := told_other_cuda(facts):
        wanted, have = both
        title = f"A program asks for CUDA {wanted}, and installed is {have}, as the text says"
        yield title, (said.SIGN("told-other-cuda"),), f"CUDA {wanted}", Confidence.LIKELY
    match value_words(facts, "paddle-cuda-older"):
        case [compiled, found]:
            title = f"This Paddle was compiled with CUDA {compiled}, and found CUDA {found}"
            keys = (_PADDLES, names.PACKAGE_VERSION("paddlepaddle-gpu"))
            yield title, keys, f"CUDA {compiled}", Confidence.LIKELY
    if refused := statements(facts, "cuda-release-refused"):
        title = f"A program refuses the CUDA that it found: {facts.known(refused[0])}"
        yield title, refused, "the CUDA that the message asks for", Confidence.LIKELY
    match value_words(facts, "jax-library-older-than-built"):
        case [library, found, built, *_] if library.lower() == "cuda":
            title = f"JAX found CUDA {found} and was built with {built}"
            shown = (said.SIGN("jax-library-older-than-built"),)
            yield title, shown, "the CUDA that JAX was built with", Confidence.LIKELY


def python_unsupported(facts: Facts) -> Findings:
    """What GP605 finds."""
    fault = python_fault(facts)
    if fault is not None:
        yield fault.finding(facts)
