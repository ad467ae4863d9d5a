"""Where something has to be compiled: is there a toolkit, and does it fit?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.version import Version
from ..fixes.host_compilers import (
    bring_compiler,
    build_with_visual_studio,
    compiler_there,
    other_compiler,
    see_why_nvcc_fails,
    set_up_visual_studio,
)
from ..fixes.toolkit import (
    compile_anew,
    cuda_of_build,
    install_toolkit,
    known_toolkit,
    leave_out_architecture,
    name_a_folder,
    name_architecture,
    newer_source,
    numba_toolkit,
    nvcc_on_path,
    take_nvcc_of,
    toolkit_for_xla,
    toolkit_from,
    toolkit_of_build,
    use_toolkit_there,
)
from ..model import Confidence, Draft, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.driver.ptx import DRIVERS_PTXAS
from ..questions.gpus.known import gpus
from ..questions.libraries.search_path import stubs_for_loader
from ..questions.packages.os_packages import TOOLKIT, uninstalled
from ..questions.place import Place, place_of
from ..questions.statements import seen_anyway, statements, value
from ..questions.toolkit.architectures import (
    ArchFault,
    arch_unknown,
    no_architecture,
    toolkit_before_gpu,
)
from ..questions.toolkit.framework import numba_refuses, older_than_framework, toolkit_pair
from ..questions.toolkit.host_compilers import CompilerFault, compiler_too_new
from ..questions.toolkit.sources import newer_than_runtime, source_of_earlier, source_of_later
from ..questions.toolkit.without_toolkit import (
    built_in_bare_image,
    in_bare_image,
    left_out_without_toolkit,
)
from ..questions.unreached.wsl import linker_of_wsl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Keys

#: Statements of something that has to compile and finds a part of the toolkit missing.
_WANTED = {
    "cuda-home-unset": "the toolkit (no variable names it, and no nvcc is on PATH)",
    "cmake-no-cuda-compiler": "nvcc",
    "nvcc-not-run": "nvcc",
    "build-without-nvcc": "nvcc",
    "nvcc-not-in-folder": "nvcc, where it is looked for",
    "nvcc-part-missing": "a program of the toolkit",
    "tf-libdevice-missing": "libdevice, a file of the toolkit",
    "tf-ptxas-missing": "ptxas",
    "numba-no-libnvvm": "libNVVM, a library of the toolkit",
    "nvrtc-include-missing": "the CUDA headers",
    "linker-library-missing": "a library to link with",
    "header-missing": "the CUDA headers",
    "detectron2-without-cuda": "the toolkit, without which Detectron2 was compiled for the CPU",
    "setup-without-cuda": "the toolkit, without which a setup takes CUDA for not available",
    "ops-left-out": "the toolkit, without which an extension left out its operators",
    "triton-compile-failed": "a C compiler or Python's headers, which Triton calls for",
    "msvc-build-tools-missing": "the compiler of Visual C++",
    "host-compiler-missing": "the host's C++ compiler, which nvcc calls",
}


#: Numba has a toolkit of its own in conda.
_NUMBA = "numba-no-libnvvm"
#: What nvcc itself says where a trial compilation of CMake's fails.
_REFUSED_BY_NVCC = ("nvcc-arch-unknown", "nvcc-option-unknown", "cmake-nvcc-broken")

#: Something that compiles for itself, and ended at that: it is no shell in which somebody looked.
_CALLS_NVCC = ("make-command-missing", "ggml-make-asked-for-cuda", "nvcc-called-by-program")

#: XLA warns at its start, and may find what it needs all the same.
_COMPILED_BY_XLA = said.FRAMEWORK_COMPUTED("tensorflow")


def toolkit_missing(facts: Facts) -> Findings:
    """What GP405 finds."""
    not_without_gpu(facts)
    for draft in _missing(facts):
        yield draft.finding(facts)
        return


def _missing(facts: Facts) -> Iterator[Draft]:
    """What decides most comes first."""
    wanted = [sign for sign in _WANTED if statements(facts, sign) and not _of_others(facts, sign)]
    compiler = statements(facts, "nvcc-not-found")
    refused = uninstalled(facts)
    if not wanted and not compiler and refused is not None and refused.cause == TOOLKIT:
        yield Draft(refused.title, refused.keys, toolkit_of_build(facts), Confidence.POSSIBLE)
    gone = statements(facts, "toolkit-folder-gone")
    if gone and not wanted and not seen_anyway(facts):
        title = "A folder of the CUDA toolkit that something names does not exist"
        fix = toolkit_of_build(facts)
        text = f"Let CUDA_PATH or CUDA_HOME name the toolkit that is there. {fix.text}"
        yield Draft(title, gone, replace(fix, text=text), Confidence.LIKELY)
    bare = built_in_bare_image(facts)
    if bare and not seen_anyway(facts):
        title = "The image was made to run CUDA programs, and has nothing to compile them with"
        yield Draft(title, bare, _TAKE_DEVEL)
    compiling = compiler and statements(facts, *_CALLS_NVCC)
    if not (wanted or compiling) and (not compiler or _works(facts)):
        return  # that the shell knows no nvcc harms nobody who compiles nothing
    if not _is_explained(facts, wanted):
        first = wanted[0] if wanted else "nvcc-not-found"
        shown = (*_also(facts, first), *compiling, *left_out_without_toolkit(facts))
        sure = Confidence.CERTAIN if wanted or compiling else Confidence.LIKELY
        yield Draft(_title(facts, first), (said.SIGN(first), *shown), _bring(facts, first), sure)


def _is_explained(facts: Facts, wanted: list[str]) -> bool:
    """Whether it is a matter of another rule, or of nothing that was asked for."""
    if wanted == ["nvcc-not-in-folder"] and statements(facts, "report-without-nvcc"):
        return True  # nothing else asked for it
    if stubs_for_loader(facts) or linker_of_wsl(facts):
        return True  # GP403, GP307: it is there, and not searched
    if compiler_too_new(facts) is not None or numba_refuses(facts) is not None:
        return True  # GP406: there is a toolkit, which does not fit
    # What CMake tried may have gone as far as to nvcc.
    return wanted == ["cmake-no-cuda-compiler"] and bool(statements(facts, *_REFUSED_BY_NVCC))


def _title(facts: Facts, sign: str) -> str:
    if sign == _NUMBA and "compute capabilities" in value(facts, sign):
        return "Numba serves no GPU with the CUDA toolkit that it finds"
    what = _WANTED.get(sign, "nvcc")
    return f"Something is to be compiled for the GPU, and this is not found: {what}"


def _also(facts: Facts, sign: str) -> Keys:
    """What else shows what is missing, or where it was looked for."""
    of_xla = statements(facts, "xla-searched-toolkit") if sign in _OF_XLA else ()
    none = statements(facts, "cuda-home-none") if sign == "setup-without-cuda" else ()
    return (*statements(facts, "nvcc-not-found"), *of_xla, *none, names.ENV("CUDA_HOME"))


#: What XLA looks for in folders of its own, of which no variable of the toolkit is one.
_OF_XLA = ("tf-libdevice-missing", "tf-ptxas-missing")


def last_toolkit(architecture: int) -> Version | None:
    """The last release that compiles for ``30``; None where the newest does, or it is unknown."""
    from ...knowledge.architecture import architecture as known

    found = known(Version.of(*divmod(architecture, 10)))
    return None if found is None else found.last_toolkit


_TAKE_DEVEL = Fix('Take the image whose tag has "devel" in place of "runtime" or "base".')


def _bring(facts: Facts, sign: str) -> Fix:
    cuda = cuda_of_build(facts)
    if sign == "nvcc-not-found" and in_bare_image(facts):
        return _TAKE_DEVEL
    if sign == "nvcc-not-in-folder" and (fix := name_a_folder(value(facts, sign))):
        return fix
    if sign == _NUMBA:
        return numba_toolkit(facts, cuda)
    if sign == "host-compiler-missing":
        return bring_compiler()
    if sign == "detectron2-without-cuda":
        fix = install_toolkit(facts, place_of(facts), cuda)
        return replace(fix, text=fix.text + " Then compile Detectron2 anew.")
    searched = value(facts, "xla-searched-toolkit")
    if searched and sign in _OF_XLA:
        return toolkit_for_xla(searched)
    if sign == "nvcc-not-found" and statements(facts, "make-command-missing") and cuda is None:
        asked = value(facts, "nvcc-compiles-for")
        last = last_toolkit(int(asked)) if asked else None
        return nvcc_on_path(facts, place_of(facts), last)
    return install_toolkit(facts, place_of(facts), cuda)


def _of_others(facts: Facts, sign: str) -> bool:
    """CuDNN's header and its libraries are no part of the toolkit; and XLA may do without one."""
    if sign == "detectron2-without-cuda" and not seen_anyway(facts):
        return True  # where torch sees no GPU it was compiled for no other reason
    if sign == "setup-without-cuda":
        return not (seen_anyway(facts) or statements(facts, "cuda-home-none"))
    told = value(facts, sign).lower()
    warned = "this may result in" in told and facts.known(_COMPILED_BY_XLA)
    return "cudnn" in told or "nccl" in told or bool(warned)


def _works(facts: Facts) -> bool:
    """Whether something uses the GPU, if only to the last of its memory."""
    from ..questions.memory.faults import memory_fault

    return seen_anyway(facts) or _driver_answers(facts) or memory_fault(facts) is not None


def _driver_answers(facts: Facts) -> bool:
    return (facts.known(names.NVML_COUNT) or 0) > 0 or facts.known(names.DRIVER_VERSION) is not None


def toolkit_mismatch(facts: Facts) -> Findings:
    """What GP406 finds."""
    not_without_gpu(facts)
    yield from _other_than_framework(facts)
    for draft in (*_misfits(facts), *_without_visual_studio(facts)):
        yield draft.finding(facts)
    yield from _old_ptxas(facts)


def _misfits(facts: Facts) -> Iterator[Draft]:
    """Of the toolkit and the code that it is to compile, or the compiler that it calls."""
    toolkit = names.TOOLKIT_VERSION
    if unknown := statements(facts, "nvcc-option-unknown"):
        option = value(facts, "nvcc-option-unknown")
        title = f"nvcc is older than the code: it does not know {option}"
        yield Draft(title, (*unknown, toolkit), toolkit_of_build(facts), Confidence.LIKELY)
    if mixed := statements(facts, "cmake-two-toolkits"):
        nvcc, _, headers = value(facts, "cmake-two-toolkits").partition(" ")
        title = f"A build finds nvcc of CUDA {nvcc} and the headers of CUDA {headers}"
        yield Draft(
            title, (*mixed, names.ENV("CUDA_HOME")), toolkit_of_build(facts), Confidence.CERTAIN
        )
    yield from _below_minimum(facts)
    yield from _of_another_cuda(facts)
    yield from _of_other_age(facts)
    if compiler := compiler_too_new(facts):
        fix = _fitting_compiler(place_of(facts), compiler)
        yield Draft(compiler.title, compiler.keys, fix, compiler.confidence)
    if numba := numba_refuses(facts):
        yield Draft(*numba, numba_toolkit(facts, cuda_of_build(facts)), Confidence.LIKELY)
    arch = arch_unknown(facts)
    if arch is None:
        yield from _no_architecture(facts)
    elif arch.cause is None:
        yield Draft(arch.title, arch.keys, _for_architecture(facts, arch), Confidence.LIKELY)
    broken = statements(facts, "cmake-nvcc-broken")
    if broken and compiler is None and arch is None and not unknown:
        nvcc = value(facts, "cmake-nvcc-broken")
        title = f"{nvcc} is there and compiles nothing: mostly the host's compiler is too new for "
        keys = (*broken, toolkit, names.HOST_COMPILER)
        yield Draft(f"{title}it", keys, see_why_nvcc_fails(nvcc), Confidence.LIKELY)


def _of_other_age(facts: Facts) -> Iterator[Draft]:
    """The toolkit that compiled, or failed to, and the CUDA that its code is used beside."""
    if newer := newer_than_runtime(facts):
        yield Draft(*newer, toolkit_of_build(facts), Confidence.LIKELY)
    if older := older_than_framework(facts):
        yield Draft(*older, toolkit_of_build(facts), Confidence.POSSIBLE)


def _without_visual_studio(facts: Facts) -> Iterator[Draft]:
    """Nvcc runs Visual C++ by a file of it that sets variables, PATH among them."""
    if failed := statements(facts, "visual-studio-not-set-up"):
        title = "nvcc finds Visual C++, and its vcvars64.bat, which sets it up for a build, fails"
        keys = (*failed, names.TOOLKIT_VERSION)
        yield Draft(title, keys, set_up_visual_studio(), Confidence.LIKELY)


def _of_another_cuda(facts: Facts) -> Iterator[Draft]:
    """A source that was written for an earlier CUDA than the compiler's, or for a later one."""
    toolkit = names.TOOLKIT_VERSION
    if old := source_of_earlier(facts):
        title = f"The source is written for CUDA {old.last} or earlier: {old.name} changed since"
        keys = (*statements(facts, "cuda-source-of-earlier"), toolkit)
        yield Draft(title, keys, newer_source(facts, old.last), Confidence.LIKELY)
    if later := source_of_later(facts):
        name, cuda = later
        title = f"The source asks for CUDA {cuda} or later: {name} came with it"
        keys = (*statements(facts, "cuda-source-of-later"), toolkit)
        yield Draft(title, keys, toolkit_from(facts, cuda), Confidence.LIKELY)


def _fitting_compiler(place: Place, fault: CompilerFault) -> Fix:
    if said.SIGN("cmake-nvcc-of-windows-broken") in fault.keys:
        return build_with_visual_studio()
    return compiler_there(fault.there) if fault.there else other_compiler(place, fault.newest)


def _other_than_framework(facts: Facts) -> Findings:
    """A build tool refused the toolkit that it found beside the framework's CUDA."""
    pair, place = toolkit_pair(facts), place_of(facts)
    if pair is not None:
        there = pair.fits_beside
        title = f"The toolkit is CUDA {pair.toolkit}, the framework was built with {pair.framework}"
        if there is not None:
            title = (
                f"The build takes CUDA {pair.toolkit}, the framework was built with "
                f"{pair.framework}; nvcc of {there} is installed"
            )
        fix = use_toolkit_there(place, there) if there else None
        yield Finding(
            title,
            cite(facts, *pair.keys),
            fix or install_toolkit(facts, place, pair.framework),
            severity=Severity.ERROR if pair.other_major else Severity.WARNING,
        )
    elif refused := statements(facts, "build-cuda-mismatch"):
        title = "The toolkit is of another CUDA than the framework was built with"
        yield Finding(title, cite(facts, *refused, names.TOOLKIT_VERSION), toolkit_of_build(facts))


def _for_architecture(facts: Facts, arch: ArchFault) -> Fix:
    """Leave out what the toolkit has dropped; for what it does not know yet a newer one."""
    if arch.serves is not None:
        return take_nvcc_of(place_of(facts), arch.serves)
    if not arch.dropped:
        return toolkit_of_build(facts)
    present = {gpu.capability for gpu in gpus(facts)}
    return leave_out_architecture(arch.capability, tuple(sorted(present)))


def _no_architecture(facts: Facts) -> Iterator[Draft]:
    """A build that has no architecture to compile for, or a word that is none."""
    unnamed = () if _is_of_policy(facts) else statements(facts, "cmake-arch-unknown")
    title = "CMake has no architecture for the CUDA code, or one that it does not know"
    if words := no_architecture(facts):
        unnamed = statements(facts, "nvcc-arch-unknown")
        title = f'The build asks nvcc for the architecture "{words}", which is none'
    if unnamed:
        keys = (*unnamed, names.TOOLKIT_VERSION)
        yield Draft(title, keys, name_architecture(), Confidence.LIKELY)


def _is_of_policy(facts: Facts) -> bool:
    """Whether CMake, by its older policy, warns of what is an error by the newer one."""
    empty = "is empty" in value(facts, "cmake-arch-unknown")
    return empty and "CMP0104" in (facts.known(said.NOISE("cmake-policy-of-cuda")) or "")


def _below_minimum(facts: Facts) -> Iterator[Draft]:
    """What is to be compiled says which toolkits it takes, or that it does not take this one."""
    if refused := statements(facts, "toolkit-refused"):
        told = value(facts, "toolkit-refused")
        fix = known_toolkit() if "support" in told.lower() else toolkit_of_build(facts)
        title = f"The toolkit is not one that the build takes: {told}"
        yield Draft(title, (*refused, names.TOOLKIT_VERSION), fix, Confidence.LIKELY)
    if newer := statements(facts, "launch-not-linked"):
        title = (
            f"nvcc 9.2 or later compiled {value(facts, 'launch-not-linked')}, and an older CUDA "
        )
        keys = (*newer, names.TOOLKIT_VERSION)
        yield Draft(f"{title}run time is linked", keys, compile_anew(), Confidence.LIKELY)
    if foreign := statements(facts, "objects-of-other-toolkit"):
        title = "What nvlink is to link was compiled by another toolkit"
        yield Draft(title, (*foreign, names.TOOLKIT_VERSION), compile_anew(), Confidence.LIKELY)
    if before := toolkit_before_gpu(facts):
        title, keys = before
        torch = names.PACKAGE_CUDA("torch")
        yield Draft(title, (*keys, torch), toolkit_of_build(facts), Confidence.LIKELY)
    if below := statements(facts, "toolkit-below-minimum"):
        first = value(facts, "toolkit-below-minimum")
        title = f"What is to be compiled takes CUDA {first} or later; the toolkit is older"
        fix = install_toolkit(facts, place_of(facts), Version.parse(first))
        of_numba = facts.known(said.ABOUT("numba")) is not None
        fix = numba_toolkit(facts, cuda_of_build(facts)) if of_numba else fix
        yield Draft(title, (*below, names.TOOLKIT_VERSION), fix)


#: Of CUDA 12.3: https://github.com/openxla/xla/pull/7922
_REFUSED_PTXAS = "12.3.103"


def _old_ptxas(facts: Facts) -> Findings:
    """A ptxas that is found first and is older than the PTX; the driver's own is another matter."""
    if value(facts, "ptxas-fatal").startswith(DRIVERS_PTXAS):
        return
    if keys := statements(facts, "ptxas-too-old", "ptx-version-unsupported"):
        refused = value(facts, "ptxas-too-old") == _REFUSED_PTXAS
        partly = said.SIGN("ptx-version-unsupported") not in keys and not refused
        title = "The ptxas that is found is older than the code that it has to compile"
        if refused:
            fault = "in which a fault is known, and takes any other"
            title = f"XLA refuses ptxas {_REFUSED_PTXAS}, {fault}"
        yield Finding(
            title,
            cite(facts, *keys, said.PTXAS_VERSION, names.TOOLKIT_VERSION),
            toolkit_of_build(facts),
            severity=Severity.WARNING if partly else Severity.ERROR,
            confidence=Confidence.LIKELY,
        )
