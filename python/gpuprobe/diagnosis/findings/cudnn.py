"""Is cuDNN there, and is it the one that the program needs?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.cudnn import fitting_cudnn, for_build, install_cudnn, release_that_takes_cudnn
from ..fixes.extras import libraries_of
from ..fixes.ground import ground_of
from ..fixes.jax import with_its_libraries
from ..fixes.search_order import own_cudnn_first
from ..fixes.windows import install_msvc_runtime, renew_artifact
from ..model import Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.cudnn.fault import MISMATCH, MISSING, CudnnFault
from ..questions.cudnn.faults import cudnn_fault
from ..questions.cudnn.mixed import folder_of_other
from ..questions.libraries.faults import works_in_part
from ..questions.place import place_of
from ..questions.statements import errors, short, value

if TYPE_CHECKING:
    from ...facts.model import Facts


def cudnn_missing(facts: Facts) -> Findings:
    """What GP501 finds."""
    yield from _found(facts, MISSING)


def cudnn_mismatch(facts: Facts) -> Findings:
    """What GP502 finds."""
    yield from _found(facts, MISMATCH)


def _found(facts: Facts, cause: str) -> Findings:
    not_without_gpu(facts)
    fault = cudnn_fault(facts)
    if fault is None or fault.cause != cause:
        return
    if by_path := _there_and_not_loaded(facts, fault):
        yield by_path
        return
    partly = cause == MISSING and works_in_part(facts)
    yield Finding(
        fault.title,
        cite(facts, *fault.keys),
        _fix(facts, fault),
        severity=Severity.WARNING if partly else Severity.ERROR,
        confidence=fault.confidence,
    )


def _there_and_not_loaded(facts: Facts, fault: CudnnFault) -> Finding | None:
    """Julia names the whole path of a DLL that it brought: Windows misses what that one needs."""
    path = value(facts, "dll-by-its-path")
    told = errors(facts, "WIN32_126")
    if fault.cause != MISSING or "cudnn" not in path.lower() or not told:
        return None
    return Finding(
        f"{short(path)} does not load: a DLL that it needs is not found",
        cite(facts, said.SIGN("dll-by-its-path"), *told),
        renew_artifact(path) if "artifacts" in path else install_msvc_runtime(),
        confidence=fault.confidence,
    )


def _fix(facts: Facts, fault: CudnnFault) -> Fix:
    place = place_of(facts)
    if fault.cause == MISSING:
        if said.SIGN("jax-library-not-found") in fault.keys:
            return with_its_libraries(ground_of(facts))
        who = facts.known(names.LIBRARY_WANTED_BY("cudnn"))
        fix = libraries_of(place, who) or install_cudnn(facts, place, fault.wanted)
        return for_build(fix) if _is_of_build(facts, fault) else fix
    if said.SIGN("cudnn-refused-by-build") in fault.keys:
        if fault.wanted is not None:
            return for_build(install_cudnn(facts, place, fault.wanted))
        return release_that_takes_cudnn()
    if folder := folder_of_other(facts, fault.keys):
        return own_cudnn_first(folder)
    return fitting_cudnn(facts, place, fault.wanted)


#: What a build misses of cuDNN, and how Julia's packages say the first, which bring their own.
_OF_BUILDS = "cudnn-header-not-found", "header-missing", "linker-library-missing"
_OF_JULIA = "cudnn is missing", "for your platform", "libcudnn"


def _is_of_build(facts: Facts, fault: CudnnFault) -> bool:
    missed = any(said.SIGN(each) in fault.keys for each in _OF_BUILDS)
    words = value(facts, "cudnn-header-not-found").lower()
    return missed and not any(each in words for each in _OF_JULIA)
