"""Does a program get the copy of a CUDA library that it was made for?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.search_order import newer_cpp_first, own_copy_first, search_driver_folder
from ..model import Confidence, Draft, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.cudnn.fault import SHADOWED
from ..questions.cudnn.faults import cudnn_fault
from ..questions.cudnn.releases import major_of
from ..questions.libraries.faults import library_faults, title_of
from ..questions.libraries.search_path import (
    bound_elsewhere,
    foreign_folder,
    loose_symbols,
    older_cublas,
    older_than_built,
    paddle_came_first,
    stubs_for_loader,
)
from ..questions.libraries.system_libraries import newer_system
from ..questions.place import place_of
from ..questions.statements import errors, short, statements, value_words
from ..questions.unreached.cause import NOT_SEARCHED
from ..questions.unreached.first_cause import stands_for

if TYPE_CHECKING:
    from ...facts.model import Facts


def library_path_conflict(facts: Facts) -> Findings:
    """What GP403 finds."""
    not_without_gpu(facts)
    if (told := stands_for(facts, NOT_SEARCHED)) is not None:
        yield told.finding(facts, search_driver_folder(place_of(facts)))
        return
    if bound := _bound_elsewhere(facts):
        yield bound.finding(facts)
        return
    fault = cudnn_fault(facts)
    if fault is not None and fault.cause == SHADOWED:
        fix = own_copy_first(place_of(facts), "cuDNN")
        yield Draft(fault.title, fault.keys, fix, fault.confidence).finding(facts)
    if jaxs := _left_by_jax(facts):
        yield jaxs.finding(facts)
        return
    yield from _julias_own(facts)
    steps = (
        *(_not_the_driver, _for_the_linker, _of_physx, _other_runtime, _older_cpp),
        *(_refused_product, _without_function, _of_paddle, _older_than_built, _of_cupy, _of_nvrtc),
    )
    found = (step(facts) for step in steps)
    yield from (each.finding(facts) for each in found if each is not None)


_SEARCHED = names.ENV("LD_LIBRARY_PATH")


def _bound_elsewhere(facts: Facts) -> Draft | None:
    """A library misses a function in another copy than the one that came with it."""
    for symbol in loose_symbols(facts):
        if (copy := bound_elsewhere(facts, symbol)) is not None:
            title = f"{short(symbol.wanted_by)} gets {symbol.library} from {copy}, not its own"
            fix = own_copy_first(place_of(facts), symbol.library)
            return Draft(title, (symbol.key, *symbol.copies), fix)
    return None


def _left_by_jax(facts: Facts) -> Draft | None:
    """JAX comes with its libraries, and finds others."""
    for missed in library_faults(facts):
        if missed.cause == SHADOWED:
            library = title_of(missed.stem)
            title = f"JAX brings {library} along and does not load it: another copy is found first"
            fix = own_copy_first(place_of(facts), library)
            return Draft(title, (*missed.keys, _SEARCHED), fix, Confidence.LIKELY)
    return None


def _julias_own(facts: Facts) -> Findings:
    """CUDA.jl says which of its libraries it did not get; a profiler does that on purpose."""
    if taken := statements(facts, "julia-system-library"):
        yield Finding(
            f"CUDA.jl brings {facts.known(taken[0])} along, and gets the system's copy",
            cite(facts, *taken, _SEARCHED),
            own_copy_first(place_of(facts), "CUDA libraries"),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )


def _not_the_driver(facts: Facts) -> Draft | None:
    """A variable names another library where Numba looks for the driver's."""
    taken = statements(facts, "driver-file-of-other")
    title = "A program takes another library for the driver's: every driver's has cuInit"
    fix = Fix(
        "Let Numba find the driver's own library, libcuda.so.1: no variable is to name another "
        "file.",
        ("env | grep -i cuda_driver", "unset NUMBA_CUDA_DRIVER NUMBAPRO_CUDA_DRIVER"),
    )
    return Draft(title, taken, fix, Confidence.LIKELY) if taken else None


def _for_the_linker(facts: Facts) -> Draft | None:
    """The stub to link with is there, in a variable that the linker does not look at."""
    keys = stubs_for_loader(facts)
    title = "The folder of stubs is in LD_LIBRARY_PATH, and the linker, which needs it, searches "
    fix = Fix(
        "Give the folder to the linker, by -L or LIBRARY_PATH, and take it out of "
        "LD_LIBRARY_PATH, where programs get the stub in place of the driver's library.",
        ("export LIBRARY_PATH=/usr/local/cuda/lib64/stubs:$LIBRARY_PATH",),
    )
    return Draft(f"{title}others", keys, fix, Confidence.LIKELY) if keys else None


def _of_physx(facts: Facts) -> Draft | None:
    """PhysX brings a CUDA run time of its own, by which every GPU has capability 1.0."""
    taken = statements(facts, "ollama-cudart-of-physx")
    if not taken:
        return None
    title = f"Ollama asks {facts.known(taken[0])} of PhysX for the GPUs, which knows none of today"
    fix = Fix(
        "Update Ollama: later releases pass PhysX over. Until then take the folder of PhysX off "
        "PATH.",
        ("where.exe cudart64*.dll",),
    )
    too_old = statements(facts, "ollama-gpu-too-old")
    return Draft(title, (*taken, *too_old), fix, Confidence.LIKELY)


def _other_runtime(facts: Facts) -> Draft | None:
    """A program warns of the run time that it got, and the first call of CUDA fails."""
    warned = statements(facts, "cudart-other-than-built")
    failed = errors(facts, "CUDA_ERROR_UNKNOWN")
    if not warned or not failed:
        return None
    built_for = facts.known(warned[0])
    title = f"The CUDA run time that is found first is not {built_for}, for which the program was "
    fix = own_copy_first(place_of(facts), "CUDA run time")
    return Draft(f"{title}compiled", (*warned, *failed), fix, Confidence.LIKELY)


def _older_cpp(facts: Facts) -> Draft | None:
    """An older C++ library than a file was linked with, where conda has a newer one, or others."""
    found = newer_system(facts)
    if found is None or found.cause != SHADOWED:
        return None
    return Draft(found.title, found.keys, newer_cpp_first(), Confidence.LIKELY)


#: Parts of CUDA that ask each other for functions of the same release.
_PARTS = (
    "cublas",
    "cublaslt",
    "cufft",
    "curand",
    "cusolver",
    "cusolvermg",
    "cusparse",
    "nvjitlink",
)


def _without_function(facts: Facts) -> Draft | None:
    """Windows found all DLLs of ONNX Runtime's provider, or of CUDA, and one lacks a function."""
    fix = own_copy_first(place_of(facts), "CUDA DLLs")
    for stem in ("onnxruntime_providers_cuda", *_PARTS):
        broken = said.LIBRARY_BROKEN(stem)
        file, _, why = (facts.known(broken) or "").partition(": ")
        if not why.endswith(" 127"):
            continue
        title = f"{file} gets another DLL of CUDA in another release than its own"
        if stem not in _PARTS:
            title = (
                "ONNX Runtime gets a DLL of CUDA or cuDNN of another release than it was made for"
            )
        return Draft(title, (broken, said.ERROR("WIN32_127")), fix, Confidence.POSSIBLE)
    return None


def _of_paddle(facts: Facts) -> Draft | None:
    """Windows found the DLLs of torch, and one of them misses a function in what was loaded before.

    Paddle brings DLLs of the same names; a process keeps those that it got first.
    """
    keys = paddle_came_first(facts)
    title = "PyTorch's DLLs miss a function in those that Paddle loaded into the process before"
    fix = Fix(
        "Import torch before Paddle, and what uses it. If that is not enough, let the two run in "
        "processes, or environments, of their own, or take builds of both for one CUDA and cuDNN.",
        ('python -c "import torch, paddle"',),
    )
    return Draft(title, keys, fix, Confidence.LIKELY) if keys else None


def _refused_product(facts: Facts) -> Draft | None:
    """CuBLAS calls the arguments of a product invalid that its caller makes itself.

    So it is mostly another release than the one that PyTorch was compiled with.
    """
    refused = errors(facts, "CUBLAS_STATUS_INVALID_VALUE")
    if not any("gemm" in (facts.known(key) or "").lower() for key in refused):
        return None
    if errors(facts, "CUDA_ERROR_ASSERT") or statements(facts, "index-assertion"):
        return None
    if older_cublas(facts):
        return None  # GP404
    folder = foreign_folder(facts)
    where = "perhaps another copy is found first" if folder is None else f"{folder} comes first"
    title = f"cuBLAS refuses an ordinary product: mostly it is not the program's own; {where}"
    keys = (*refused, _SEARCHED, names.PACKAGE_VERSION("torch"))
    sure = Confidence.POSSIBLE if folder is None else Confidence.LIKELY
    return Draft(title, keys, own_copy_first(place_of(facts), "cuBLAS"), sure)


def _older_than_built(facts: Facts) -> Draft | None:
    """A program tells that a library is older than the one it was built with."""
    older, folder = older_than_built(facts), foreign_folder(facts)
    if older is None or folder is None:
        return None
    title = f"{older.title}; {folder} is searched first"
    fix = own_copy_first(place_of(facts), older.library)
    return Draft(title, (said.SIGN(older.sign), _SEARCHED), fix, Confidence.LIKELY)


def _of_cupy(facts: Facts) -> Draft | None:
    """CuPy is linked with one CUDA, and finds the libraries of another, as torch brings them.

    A library of one major release does not serve a program that was built for another.
    """
    told, trouble = statements(facts, "cupy-runtime-of-other"), facts.known(said.ABOUT("trouble"))
    if not told or not trouble:
        return None
    linked, found = value_words(facts, "cupy-runtime-of-other")
    title = f"CuPy is built for CUDA {linked}, and finds the libraries of CUDA {found} first"
    fix = Fix.by_user(
        f"Install the CuPy for the CUDA whose libraries are there, or take those of CUDA {found} "
        "away.",
        (f"pip uninstall --yes cupy-cuda{linked}x", f"pip install cupy-cuda{found}x"),
        undo=f"pip uninstall cupy-cuda{found}x && pip install cupy-cuda{linked}x",
    )
    return Draft(title, told, fix, Confidence.LIKELY)


def _of_nvrtc(facts: Facts) -> Draft | None:
    """NVRTC knows no such GPU, and the loader lists that of an older CUDA beside a newer one."""
    refused, listed = statements(facts, "nvrtc-arch-unknown"), said.LIBRARY_LISTED("nvrtc")
    found = {major_of(file) for file in facts.known(listed) or ()} - {None}
    if not refused or len(found) <= 1:
        return None
    title = "NVRTC does not know the GPU, and there are two releases of it: the older is found"
    keys = (*refused, listed)
    return Draft(title, keys, own_copy_first(place_of(facts), "NVRTC"), Confidence.LIKELY)
