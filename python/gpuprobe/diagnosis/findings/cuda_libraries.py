"""Is each CUDA library found that a program asked for? Of cuDNN: rules/cudnn.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ...facts.version import Version
from ...knowledge.driver_functions import first_of_library
from ..fixes.container_tools import give_container_libraries
from ..fixes.cuda_libraries import install_library, search_folder, take_other_release
from ..fixes.extensions import rebuild_for_torch
from ..fixes.extras import libraries_of
from ..fixes.ground import ground_of
from ..fixes.jax import with_its_libraries
from ..fixes.one_release import one_release, tensorrt_of
from ..fixes.pip_libraries import install_named
from ..fixes.symbols import release_with_symbol
from ..fixes.tensorflow import bring_libraries
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.libraries.faults import (
    CUBLAS,
    CUDART,
    MIXED,
    OF_PIP,
    TITLES,
    LibraryFault,
    asked_by_stranger,
    asker,
    file_of,
    library_faults,
    no_library_in,
    told_by,
    works_in_part,
)
from ..questions.libraries.installed import installed_cuda
from ..questions.libraries.needs import needs_of, runtime_not_found
from ..questions.libraries.search_path import (
    LooseSymbol,
    bound_elsewhere,
    foreign_folder,
    loose_symbols,
    of_module,
    older_cublas,
    older_than_built,
)
from ..questions.libraries.unlisted import unlisted
from ..questions.place import place_of
from ..questions.sentences import something_fails
from ..questions.statements import seen_anyway, short, statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts, Key, Keys
    from ..questions.libraries.unlisted import Unlisted


def cudart_missing(facts: Facts) -> Findings:
    """What GP401 finds."""
    not_without_gpu(facts)
    for fault in library_faults(facts):
        if fault.cause == CUDART:
            yield _missing(facts, fault)
            return
    if gone := unlisted(facts):
        if gone.stem == "cudart":
            yield _not_listed(facts, gone)
        return
    keys, there = runtime_not_found(facts), installed_cuda(facts)
    fits = all(need.takes(each.cuda) for need in needs_of(facts) for each in there)
    if keys and fits:
        yield Finding(
            "TensorFlow does not find the CUDA run time of its build",
            cite(facts, *keys, names.TOOLKIT_VERSION),
            bring_libraries(facts, place_of(facts)),
            confidence=Confidence.LIKELY,
        )
    elif (told := statements(facts, "cuda-libraries-missed-told")) and fits:
        yield from _told_alone(facts, told)


def _told_alone(facts: Facts, told: Keys) -> Findings:
    """Somebody says that CUDA's libraries are missing; no program names one of them."""
    if something_fails(facts) or seen_anyway(facts) or facts.known(said.ABOUT("trouble")) is None:
        return
    place, fix = place_of(facts), None
    if facts.known(said.ABOUT("tensorflow")) is not None:
        fix = bring_libraries(facts, place)
    yield Finding(
        "CUDA's libraries are missing, as the text says; the run time is what all of them need",
        cite(facts, *told),
        fix or install_library(facts, place, "cudart", file_of("cudart", place.system), None),
        confidence=Confidence.POSSIBLE,
    )


def cuda_library_missing(facts: Facts) -> Findings:
    """What GP402 finds."""
    not_without_gpu(facts)
    for fault in library_faults(facts):
        if fault.cause == CUBLAS:
            yield _missing(facts, fault)
            return  # its siblings come with the same packages
    gone = unlisted(facts)
    if gone is not None and gone.stem not in ("cudart", "cudnn"):
        yield _not_listed(facts, gone)


def _not_listed(facts: Facts, gone: Unlisted) -> Finding:
    """A program names no library, and this one was looked for and is not there."""
    library, place = TITLES[gone.stem], place_of(facts)
    file = file_of(gone.stem, place.system)
    return Finding(
        f"A program could not load its CUDA libraries, and {library} {gone.how}",
        cite(facts, *gone.keys, names.TOOLKIT_VERSION),
        install_library(facts, place, gone.stem, file, None),
        severity=Severity.WARNING if works_in_part(facts) else Severity.ERROR,
        confidence=Confidence.LIKELY,
    )


def _missing(facts: Facts, fault: LibraryFault) -> Finding:
    lies = names.LIBRARY_PATH(fault.stem)
    torch = (names.PACKAGE_VERSION("torch"),) if asked_by_stranger(facts, fault) else ()
    title = f"{_first_upper(TITLES[fault.stem])} is not found: {asker(facts, fault.stem)} asks for "
    title += fault.wanted
    cause = "nccl" if fault.stem == "nccl" else None
    if said.LIBRARY_BROKEN(fault.stem) in fault.keys:
        title = no_library_in(fault.file)
    elif part := _part_of_cudnn(facts, fault):
        title = f"{part}, a part of cuDNN, does not load: {fault.file}, which it asks for, is not"
        title, cause = f"{title} found", "cudnn-missing"
    return Finding(
        title,
        cite(facts, *fault.keys, *torch, lies, names.TOOLKIT_VERSION),
        _fix(facts, fault, facts.known(lies) or ""),
        severity=_severity(facts),
        confidence=told_by(facts),
        cause=cause,
    )


def _part_of_cudnn(facts: Facts, fault: LibraryFault) -> str:
    """The file of cuDNN that opens the library when it is used; empty where none does.

    It compiles some of its kernels by NVRTC, for which nothing else of the program need ask.
    """
    who = facts.known(names.LIBRARY_WANTED_BY(fault.stem)) or ""
    return who if fault.stem == "nvrtc" and "cudnn" in who else ""


def _severity(facts: Facts) -> Severity:
    """A note where TensorFlow goes on without it, to fail over code for another release."""
    if statements(facts, "tf-cudart-ignorable") and statements(facts, "tf-name-of-other-release"):
        return Severity.NOTE
    return Severity.WARNING if works_in_part(facts) else Severity.ERROR


def _fix(facts: Facts, fault: LibraryFault, lies: str) -> Fix:
    """Of a library that a look found in another place, its folder; else what brings it."""
    folder, _, file = lies.rpartition("/")
    if file == fault.file:
        return search_folder(folder, file)
    if wheel := value(facts, "missing-in-wheel-told"):
        return take_other_release(wheel)
    place, origin = place_of(facts), fault.origin
    if (
        place.tegra
        and place.container == "docker"
        and origin
        and origin.first.major == _OF_JETPACK_4
    ):
        return give_container_libraries()
    who = facts.known(names.LIBRARY_WANTED_BY(fault.stem))
    if asked_by_stranger(facts, fault):
        return rebuild_for_torch(fault.origin.span if fault.origin else fault.file)
    if fault.file.startswith(OF_PIP):
        return install_named(fault.file)
    if said.SIGN("jax-library-not-found") in fault.keys:
        return with_its_libraries(ground_of(facts))
    asked = fault.file_on(place.system)
    return libraries_of(place, who) or install_library(
        facts, place, fault.stem, asked, fault.origin
    )


#: The CUDA of JetPack 4; images for later ones bring their libraries themselves.
_OF_JETPACK_4 = 10


def _first_upper(text: str) -> str:
    return text if text.startswith("cu") else text[0].upper() + text[1:]


#: A package, in the name of a fact about it, and what the fact tells.
_OF_PACKAGE = regex(r"package\.(.+)\.(version|cuda)")


def _mixed(facts: Facts, fault: LibraryFault) -> Finding:
    """The libraries are of two releases; by packages where those show it, and by files else."""
    who = facts.known(names.LIBRARY_WANTED_BY(fault.stem))
    told = [(match, key) for key in fault.keys if (match := _OF_PACKAGE.fullmatch(key.name))]
    have = [f"{each[1]} is {_BUILT[each[2]]}{facts.known(key)}" for each, key in told]
    if len(have) > _ALONE:  # the library itself, what it calls, and the run time
        title = f"{fault.file} is there and is not loaded: {' and '.join(have[1:])}"
        return Finding(
            title,
            cite(facts, *fault.keys),
            one_release(f"nvJitLink, which {fault.file} calls, is older than the other libraries."),
            confidence=Confidence.LIKELY,
        )
    asked = f"{who} asks for {fault.wanted}" if who else f"{fault.wanted} is asked for"
    beside = have[0] if have else "the other libraries are of another CUDA"
    return Finding(
        f"{asked}, but {beside}",
        cite(facts, *fault.keys),
        one_release(
            f"{who or 'A CUDA library'} comes from another CUDA than the libraries beside it."
        ),
    )


_BUILT = {"version": "", "cuda": "built for CUDA "}
#: One package that does not fit shows it.
_ALONE = 1


def _without_symbol(facts: Facts, symbol: LooseSymbol) -> Finding:
    """A file asks a library of CUDA for what the copy that was loaded does not have."""
    first = first_of_library(symbol.name)
    why = "" if first is None else f" (it is older than {first[1]})"
    return Finding(
        f"{short(symbol.asker or 'A program')} needs {short(symbol.name)}, which "
        f"{_loaded(symbol, first)} does not have{why}",
        cite(facts, symbol.key, *symbol.copies),
        release_with_symbol(facts, symbol, first),
        confidence=Confidence.LIKELY,
    )


def _loaded(symbol: LooseSymbol, first: tuple[str, Version] | None) -> str:
    if symbol.linking:
        return f"the {symbol.looked_in} that the linker finds"
    if symbol.looked_in.startswith("a "):
        return symbol.looked_in
    file = symbol.looked_in
    if first and first[0] == "nvjitlink":
        file = f"{symbol.library}.so.{first[1].major}"
    return f"the {file} that is loaded"


def cuda_libs_mismatch(facts: Facts) -> Findings:
    """What GP404 finds."""
    not_without_gpu(facts)
    for fault in library_faults(facts):
        if fault.cause == MIXED:
            yield _mixed(facts, fault)
    for symbol in loose_symbols(facts):
        if bound_elsewhere(facts, symbol) is None and not of_module(symbol):
            yield _without_symbol(facts, symbol)
            return
    if behind := older_cublas(facts):
        yield Finding(
            f"cuBLAS is of CUDA {behind.there}, and torch was built with {behind.wanted}",
            cite(facts, *behind.keys),
            one_release("The package of cuBLAS is older than torch asks for."),
            confidence=Confidence.LIKELY,
        )
        return
    if refused := statements(facts, "tensorrt-other-cublas"):
        yield _of_tensorrt(facts, refused)
        return
    if stale := statements(facts, "nvjitlink-too-old"):
        yield Finding(
            "nvJitLink is of an older CUDA than what compiled the code that it is given",
            cite(facts, *stale),
            one_release("nvJitLink and NVVM are of two releases."),
            confidence=Confidence.LIKELY,
        )
        return
    if unset := statements(facts, "nccl-older-than-caller"):
        yield _of_nccl(facts, unset)
        return
    older = older_than_built(facts)
    if older is not None and foreign_folder(facts) is None:
        yield Finding(
            older.title,
            cite(facts, said.SIGN(older.sign)),
            one_release(f"{older.library} is older than the rest."),
            confidence=Confidence.LIKELY,
        )


def _of_nccl(facts: Facts, refused: tuple[Key[str], ...]) -> Finding:
    """Another NCCL than the program was built with is first on its path, as pip or a module set."""
    loaded = names.PACKAGE_VERSION("nccl")
    which = facts.known(loaded)
    title = f"The NCCL that is loaded{f', {which},' if which else ''} is older than its caller"
    return Finding(
        f"{title}, which was built with 2.17 or later",
        cite(facts, *refused, loaded),
        one_release("A second NCCL is found before the one that the framework brought."),
        confidence=Confidence.LIKELY,
    )


def _of_tensorrt(facts: Facts, refused: tuple[Key[str], ...]) -> Finding:
    built, _, found = value(facts, "tensorrt-other-cublas").partition(" ")
    wanted, there = Version.parse(built), Version.parse(found)
    fix = one_release("cuBLAS is of another release than TensorRT asks for.")
    if wanted is not None and there is not None and wanted.major != there.major:
        fix = tensorrt_of(there)
    title = f"TensorRT was made for cuBLAS {built} and found {found}"
    return Finding(title, cite(facts, *refused), fix, confidence=Confidence.LIKELY)
