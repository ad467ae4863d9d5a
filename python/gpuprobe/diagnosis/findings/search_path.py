"""Does a program get the copy of a CUDA library that it was made for?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.search_order import newer_cpp_first, own_copy_first
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.cudnn_faults import SHADOWED, cudnn_fault
from ..questions.driver_state import not_without_gpu
from ..questions.library_faults import library_faults, title_of
from ..questions.place import place_of
from ..questions.search_path import (
    bound_elsewhere,
    foreign_folder,
    loose_symbols,
    older_cublas,
    older_than_built,
    stubs_for_loader,
)
from ..questions.statements import errors, short, statements
from ..questions.system_libraries import newer_system

if TYPE_CHECKING:
    from ...facts.model import Facts


def library_path_conflict(facts: Facts) -> Findings:
    """What GP403 finds."""
    not_without_gpu(facts)
    place = place_of(facts)
    for symbol in loose_symbols(facts):
        copy = bound_elsewhere(facts, symbol)
        if copy is not None:
            yield Finding(
                f"{short(symbol.wanted_by)} gets {symbol.library} from {copy}, not its own",
                cite(facts, symbol.key, *symbol.copies),
                own_copy_first(place, symbol.library),
            )
            return
    fault = cudnn_fault(facts)
    if fault is not None and fault.cause == SHADOWED:
        yield Finding(
            fault.title,
            cite(facts, *fault.keys),
            own_copy_first(place, "cuDNN"),
            confidence=fault.confidence,
        )
    for missed in library_faults(facts):
        if missed.cause == SHADOWED:
            library = title_of(missed.stem)
            yield Finding(
                f"JAX brings {library} along and does not load it: another copy is found first",
                cite(facts, *missed.keys, names.ENV("LD_LIBRARY_PATH")),
                own_copy_first(place, library),
                confidence=Confidence.LIKELY,
            )
            return
    yield from _julias_own(facts)
    yield from _not_the_driver(facts)
    yield from _for_the_linker(facts)
    yield from _of_physx(facts)
    yield from _other_runtime(facts)
    yield from _older_cpp(facts)
    yield from _refused_product(facts)
    yield from _without_function(facts)
    older, folder = older_than_built(facts), foreign_folder(facts)
    if older is not None and folder is not None:
        yield Finding(
            f"{older.title}; {folder} is searched first",
            cite(facts, said.SIGN(older.sign), names.ENV("LD_LIBRARY_PATH")),
            own_copy_first(place, older.library),
            confidence=Confidence.LIKELY,
        )


def _julias_own(facts: Facts) -> Findings:
    """CUDA.jl says which of its libraries it did not get; a profiler does that on purpose."""
    taken = statements(facts, "julia-system-library")
    if taken:
        yield Finding(
            f"CUDA.jl brings {facts.known(taken[0])} along, and gets the system's copy",
            cite(facts, *taken, names.ENV("LD_LIBRARY_PATH")),
            own_copy_first(place_of(facts), "CUDA libraries"),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )


def _not_the_driver(facts: Facts) -> Findings:
    """A variable names another library where Numba looks for the driver's."""
    taken = statements(facts, "driver-file-of-other")
    if taken:
        yield Finding(
            "A program takes another library for the driver's: every driver's has cuInit",
            cite(facts, *taken),
            Fix(
                "Let Numba find the driver's own library, libcuda.so.1: no variable is to name "
                "another file.",
                ("env | grep -i cuda_driver", "unset NUMBA_CUDA_DRIVER NUMBAPRO_CUDA_DRIVER"),
            ),
            confidence=Confidence.LIKELY,
        )


def _for_the_linker(facts: Facts) -> Findings:
    """The stub to link with is there, in a variable that the linker does not look at."""
    if keys := stubs_for_loader(facts):
        yield Finding(
            "The folder of stubs is in LD_LIBRARY_PATH, and the linker, which needs it, searches "
            "others",
            cite(facts, *keys),
            Fix(
                "Give the folder to the linker, by -L or LIBRARY_PATH, and take it out of "
                "LD_LIBRARY_PATH, where programs get the stub in place of the driver's library.",
                ("export LIBRARY_PATH=/usr/local/cuda/lib64/stubs:$LIBRARY_PATH",),
            ),
            confidence=Confidence.LIKELY,
        )


def _of_physx(facts: Facts) -> Findings:
    """PhysX brings a CUDA run time of its own, by which every GPU has capability 1.0."""
    if taken := statements(facts, "ollama-cudart-of-physx"):
        yield Finding(
            f"Ollama asks {facts.known(taken[0])} of PhysX for the GPUs, which knows none of today",
            cite(facts, *taken, *statements(facts, "ollama-gpu-too-old")),
            Fix(
                "Update Ollama: later releases pass PhysX over. Until then take the folder of "
                "PhysX off PATH.",
                ("where.exe cudart64*.dll",),
            ),
            confidence=Confidence.LIKELY,
        )


def _other_runtime(facts: Facts) -> Findings:
    """A program warns of the run time that it got, and the first call of CUDA fails."""
    warned = statements(facts, "cudart-other-than-built")
    failed = errors(facts, "CUDA_ERROR_UNKNOWN")
    if warned and failed:
        yield Finding(
            f"The CUDA run time that is found first is not {facts.known(warned[0])}, for which the "
            "program was compiled",
            cite(facts, *warned, *failed),
            own_copy_first(place_of(facts), "CUDA run time"),
            confidence=Confidence.LIKELY,
        )


def _older_cpp(facts: Facts) -> Findings:
    """An older C++ library than a file was linked with, where conda has a newer one, or others."""
    found = newer_system(facts)
    if found is not None and found.cause == SHADOWED:
        fix = newer_cpp_first()
        yield Finding(found.title, cite(facts, *found.keys), fix, confidence=Confidence.LIKELY)


def _without_function(facts: Facts) -> Findings:
    """Windows found all DLLs of ONNX Runtime's provider, and one of them lacks a function."""
    broken = said.LIBRARY_BROKEN("onnxruntime_providers_cuda")
    if (facts.known(broken) or "").endswith(" 127"):
        yield Finding(
            "ONNX Runtime gets a DLL of CUDA or cuDNN of another release than it was made for",
            cite(facts, broken, said.ERROR("WIN32_127")),
            own_copy_first(place_of(facts), "CUDA DLLs"),
            confidence=Confidence.POSSIBLE,
        )


def _refused_product(facts: Facts) -> Findings:
    """CuBLAS calls the arguments of a product invalid that its caller makes itself.

    So it is mostly another release than the one that PyTorch was compiled with.
    """
    refused = errors(facts, "CUBLAS_STATUS_INVALID_VALUE")
    if not any("gemm" in (facts.known(key) or "").lower() for key in refused):
        return
    if errors(facts, "CUDA_ERROR_ASSERT") or statements(facts, "index-assertion"):
        return
    if older_cublas(facts):
        return  # GP404
    folder = foreign_folder(facts)
    where = "perhaps another copy is found first" if folder is None else f"{folder} comes first"
    yield Finding(
        f"cuBLAS refuses an ordinary product: mostly it is not the program's own; {where}",
        cite(facts, *refused, names.ENV("LD_LIBRARY_PATH"), names.PACKAGE_VERSION("torch")),
        own_copy_first(place_of(facts), "cuBLAS"),
        confidence=Confidence.POSSIBLE if folder is None else Confidence.LIKELY,
    )
