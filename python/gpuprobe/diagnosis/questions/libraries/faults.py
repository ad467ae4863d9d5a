"""Why a CUDA library is not found: not installed, installed as another release, or mixed.

One question for several rules, so that exactly one of them names each missing file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..once import asked_once
from ..packages.frameworks import framework_packages
from ..source import looked_at
from ..statements import seen_anyway, statements
from ..symptoms import library_gone
from .installed import Installed, lies_elsewhere, loaded_origins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys
    from ....knowledge.cuda_libraries import Origin

CUDART, CUBLAS = "cudart-missing", "cublas-missing"
MIXED, OTHER_CUDA = "cuda-libs-mismatch", "framework-cuda-mismatch"
EXTENSION, SHADOWED = "extension-mismatch", "library-path-conflict"

#: As people write them, for titles.
TITLES = {
    "cudart": "the CUDA run time",
    "cublas": "cuBLAS",
    "cublaslt": "cuBLASLt",
    "cufft": "cuFFT",
    "curand": "cuRAND",
    "cusolver": "cuSOLVER",
    "cusparse": "cuSPARSE",
    "nvrtc": "NVRTC",
    "nvjitlink": "nvJitLink",
    "nccl": "NCCL",
    "cupti": "CUPTI",
    "cusparselt": "cuSPARSELt",
    "cufile": "cuFile",
    "cutensor": "cuTENSOR",
    "nvjpeg": "nvJPEG",
    "nvrtc-builtins": "NVRTC's own library",
    "nvshmem_host": "NVSHMEM",
    "nvtoolsext": "NVTX",
    **dict.fromkeys(
        (
            *("nppc", "nppial", "nppicc", "nppicom", "nppidei", "nppif", "nppig", "nppim"),
            *("nppist", "nppisu", "nppitc", "npps"),
        ),
        "NPP",
    ),
}
#: Statements whose value is the library that a program could not load.
_NAMING = (
    "ctranslate2-library-load",
    "cupy-library-load",
    "paddle-library-not-configured",
    "jax-library-not-found",
    "library-named-missing",
    "llama-cudart-not-brought",
    "build-library-missing",
)
#: "Unable to load CUDA": JAX calls the run time so, which it looks at first; Faiss names packages.
CUDA_OF_JAX = "cudart"
#: Packages of pip that bring the libraries, as Faiss names them.
OF_PIP = "nvidia-"
_SAYING_CUDA = ("jax-library-not-found", "library-named-missing")
_STEM = regex(r"(?:lib)?(cu[a-z]+|nvrtc|nvjitlink)", re.IGNORECASE)


def title_of(stem: str) -> str:
    """A library as people write it, inside a sentence; a part of cuDNN by its stem."""
    return TITLES.get(stem, "cuDNN" if stem == "cudnn" else stem)


class LibraryFault(NamedTuple):
    """A library that a program asked for in vain, and why."""

    stem: str
    file: str
    cause: str
    origin: Origin | None
    elsewhere: tuple[Installed, ...]
    keys: Keys

    @property
    def wanted(self) -> str:
        """What was asked for, with the releases that bring it."""
        origin = self.origin
        return asked_for(self.file) if origin is None else f"{self.file} ({origin.span})"

    def file_on(self, system: str | None) -> str:
        """The file, or where a program tells the library alone, the name that its file has."""
        return self.file if _NAMES_A_FILE.search(self.file) else file_of(self.stem, system)


_NAMES_A_FILE = regex(r"(?i)\.(?:so|dll|dylib)\b|\(R\d\)")
#: Files that are not written as their stem is.
_SPELT = {"cublaslt": "cublasLt", "cusparselt": "cusparseLt", "nvjitlink": "nvJitLink"}


def asked_for(file: str) -> str:
    """What a program asks for, behind a library's name: its file, where it tells one."""
    return file if _NAMES_A_FILE.search(file) else "it"


def file_of(stem: str, system: str | None) -> str:
    """A library's file, whichever its release is."""
    name = _SPELT.get(stem, stem)
    return f"{name}64_*.dll" if system == "Windows" else f"lib{name}.so"


def missing_files(facts: Facts) -> Iterator[tuple[str, str, Key[object]]]:
    """Stem and file name of each library that is not found, and the fact that says so."""
    told = set()
    for stem in facts.subjects(names.LIBRARY_MISSING):
        file = facts.look(names.LIBRARY_MISSING(stem))
        if file is not None:
            told.add(stem)
            yield stem, file, names.LIBRARY_MISSING(stem)
    for sign in _NAMING:
        file = (facts.known(said.SIGN(sign)) or "").partition(";")[0]
        match = _STEM.match(file.replace("\\", "/").rpartition("/")[2].removeprefix(OF_PIP))
        stem = match[1].lower() if match else ""
        stem = CUDA_OF_JAX if stem == "cuda" and sign in _SAYING_CUDA else stem
        if stem and stem not in told:
            told.add(stem)
            yield stem, file, said.SIGN(sign)
    for stem, file, key in _cut_off(facts):
        if stem not in told:
            yield stem, file, key


#: A file of which only a beginning was copied, or that another one was put in the place of.
_CUT_OFF = regex(r"([^\n]{1,400}): (?:file too short|empty file|invalid ELF header)")


def no_library_in(file: str) -> str:
    """What is wrong with such a file, for a title."""
    return f"{file} is there by its name only: it was cut off, or holds something else"


def _cut_off(facts: Facts) -> Iterator[tuple[str, str, Key[object]]]:
    """Libraries of which the loader finds the file, and no library in it.

    Not those that stand for a board's own in a container (GP301).
    """
    hollow = library_gone(facts)
    for stem in facts.subjects(said.LIBRARY_BROKEN):
        key = said.LIBRARY_BROKEN(stem)
        match = _CUT_OFF.fullmatch(facts.known(key) or "")
        if match is not None and key not in hollow:
            yield stem, match[1].rpartition("/")[2], key


@asked_once
def library_faults(facts: Facts) -> tuple[LibraryFault, ...]:
    """Every CUDA library that was asked for and not found; cuDNN has rules of its own."""
    return tuple(
        _fault(facts, stem, file, key) for stem, file, key in missing_files(facts) if stem in TITLES
    )


def _fault(facts: Facts, stem: str, file: str, key: Key[object]) -> LibraryFault:
    from ....knowledge.cuda_libraries import origin

    brought = _brought(facts, stem) if key == said.SIGN("jax-library-not-found") else None
    if brought is not None:
        older = _older_linker(facts, stem) if stem in _LINKED_AT_RUN_TIME else ()
        cause = MIXED if older else SHADOWED
        return LibraryFault(stem, file, cause, None, (), (key, brought, *older))
    asker = names.LIBRARY_WANTED_BY(stem)
    wanted, asking = origin(file), origin(facts.known(asker) or "")
    missing = CUDART if stem == "cudart" else CUBLAS
    if nvrtc := _of_other_nvrtc(facts, file):
        return LibraryFault(stem, file, MIXED, wanted, (), (key, nvrtc))
    if wanted is None:
        return LibraryFault(stem, file, missing, None, (), (key,))
    strangers = tuple(at for at, each in loaded_origins(facts) if not each.meets(wanted))
    if asking is not None and strangers:
        return LibraryFault(stem, file, MIXED, wanted, (), (key, asker, *strangers))
    if _asked_by_extension(facts, wanted):
        torch = names.PACKAGE_CUDA("torch")
        return LibraryFault(stem, file, EXTENSION, wanted, (), (key, torch))
    if asking is None and (cupy := _of_other_cupy(facts, wanted)):
        return LibraryFault(stem, file, MIXED, wanted, (), (key, cupy))
    of_wheel = statements(facts, "missing-in-wheel-told")
    elsewhere = () if of_wheel else lies_elsewhere(facts, wanted)
    keys = (key, asker, *of_wheel, *(each.key for each in elsewhere))
    return LibraryFault(stem, file, OTHER_CUDA if elsewhere else missing, wanted, elsewhere, keys)


def _brought(facts: Facts, stem: str) -> Key[str] | None:
    """The package by which JAX brings a library that it does not load: another copy is first."""
    start = f"nvidia-{stem}-cu"
    found = (each for each in facts.subjects(names.PACKAGE_VERSION) if each.startswith(start))
    return next((names.PACKAGE_VERSION(each) for each in found), None)


def _of_other_cupy(facts: Facts, wanted: Origin) -> Key[Version] | None:
    """The only CuPy, where it was built for another CUDA than brings the missing library.

    It asks for nothing of that CUDA itself: a library did that it found in another place. Unless
    there is another framework, which may be the one that asked.
    """
    from ....knowledge.companions import is_rapids

    packages = facts.subjects(names.PACKAGE_VERSION)
    if _another_asks(facts, wanted) or any(each == "torch" or is_rapids(each) for each in packages):
        return None
    found = [each for each in facts.subjects(names.PACKAGE_CUDA) if each.startswith("cupy")]
    cuda = facts.known(names.PACKAGE_CUDA(found[0])) if len(found) == 1 else None
    return None if cuda is None or wanted.holds(cuda) else names.PACKAGE_CUDA(found[0])


#: NVRTC asks for its own library by the release, which no other may stand in for.
_BUILTINS = regex(r"(?a)(?i:libnvrtc-builtins)\.so\.(\d{1,3})\.(\d{1,2})")


def _of_other_nvrtc(facts: Facts, file: str) -> Key[str] | None:
    """The package of NVRTC, where it is of another release than NVRTC's own library asked for."""
    asked = _BUILTINS.search(file)
    key = names.PACKAGE_VERSION(f"nvidia-cuda-nvrtc-cu{asked[1]}" if asked else "")
    there = Version.parse(facts.known(key) or "")
    if asked is None or there is None:
        return None
    return None if there.minor == int(asked[2]) else key


#: Libraries that call nvJitLink, by functions whose names hold a release: an older one lacks them.
_LINKED_AT_RUN_TIME = "cusparse", "cusolver"


def _older_linker(facts: Facts, stem: str) -> tuple[Key[str], ...]:
    """Pip's nvJitLink, where it is of an older CUDA than pip's run time or what calls it."""
    from ....knowledge.cuda_libraries import cuda_of_release

    for major in ("12", "13"):
        packages = (f"nvidia-nvjitlink-cu{major}", f"nvidia-cuda-runtime-cu{major}")
        keys = tuple(map(names.PACKAGE_VERSION, packages))
        caller = names.PACKAGE_VERSION(f"nvidia-{stem}-cu{major}")
        linker, runtime, calls = (Version.parse(facts.known(key) or "") for key in (*keys, caller))
        if linker is None:
            continue
        if runtime and (linker.major, linker.minor) < (runtime.major, runtime.minor):
            return keys
        made = None if calls is None else cuda_of_release(stem, calls)
        if made and (linker.major, linker.minor) < (made.major, made.minor):
            return keys[:1]
    return ()


#: Frameworks that take libraries from the system, and may have asked for the missing one.
_ASKING = ("tensorflow", "onnxruntime", "paddle", "cupy", "ctranslate2", "jax", "mxnet", "faster")


def _another_asks(facts: Facts, wanted: Origin) -> bool:
    """Whether such a framework is there, or said that it asked; a CuPy only if it can have."""
    packages = facts.subjects(names.PACKAGE_VERSION)
    for each in (each for each in packages if each.startswith(_ASKING)):
        cuda = facts.known(names.PACKAGE_CUDA(each)) if each.startswith("cupy") else None
        if cuda is None or wanted.holds(cuda):
            return True
    loading = ("ctranslate2-library-load", "ort-library-load", "own-cuda-frame")
    return any(facts.known(said.SIGN(each)) is not None for each in loading)


def _asked_by_extension(facts: Facts, wanted: Origin) -> bool:
    """Whether torch is there for another CUDA, and nothing else that could have asked.

    torch brings the libraries of its own CUDA, so it was an extension that was built for another.
    """
    cuda = facts.known(names.PACKAGE_CUDA("torch"))
    others = _another_asks(facts, wanted)
    asked = cuda is not None or facts.known(said.SIGN("extension-frame")) is not None
    asked = asked or _imported_beside_other(facts, wanted)
    return asked and not others and (cuda is None or not wanted.holds(cuda))


def _imported_beside_other(facts: Facts, wanted: Origin) -> bool:
    """Whether an extension was being loaded where the toolkit is of another CUDA than asked for.

    Of the CUDA that it asks for it was built; where that one is there, it is only not found.
    """
    toolkit = facts.known(names.TOOLKIT_VERSION)
    loaded = facts.known(said.SIGN("extension-asked-for")) is not None
    return loaded and toolkit is not None and not wanted.holds(toolkit)


def asked_by_stranger(facts: Facts, fault: LibraryFault) -> bool:
    """Whether it must have been a module that was built beside an older torch than this one.

    The build of this torch that pip brings is of a later CUDA, and nothing else could have asked.
    """
    from ....knowledge import pytorch

    build = pytorch.build(facts.known(names.PACKAGE_VERSION("torch")) or "")
    last = None if fault.origin is None else fault.origin.last or fault.origin.first
    if fault.origin is None or last is None or not isinstance(build, pytorch.Build):
        return False
    named = facts.known(names.LIBRARY_WANTED_BY(fault.stem)) or looked_at(facts)
    return not named and last.major < build.cuda.major and not _another_asks(facts, fault.origin)


def works_in_part(facts: Facts) -> bool:
    """Whether a missing library breaks a part only: another framework uses the GPU, or can."""
    return seen_anyway(facts) or _serves_another(facts)


def _serves_another(facts: Facts) -> bool:
    """Whether a look at a machine shows a CUDA build beside those that miss a library.

    Raises:
        Missing: Nobody knows which they are.
    """
    if not looked_at(facts):
        return False
    stems = facts.subjects(names.LIBRARY_WANTED_BY)
    askers = {(facts.look(names.LIBRARY_WANTED_BY(s)) or "").partition(" ")[0] for s in stems}
    packages = framework_packages(facts)
    return any(each.build == "cuda" and each.name not in askers for each in packages)


def asker(facts: Facts, stem: str) -> str:
    """Who asks for a missing library, for a title: of a text it is some program."""
    named = facts.known(names.LIBRARY_WANTED_BY(stem)) if looked_at(facts) else None
    return named or "a program"


def told_by(facts: Facts) -> Confidence:
    """How sure it is that a library is missing: a program's own word, or a table's and a look."""
    return Confidence.LIKELY if looked_at(facts) else Confidence.CERTAIN


#: Compiled extensions of PyTorch, by the names of their modules and files.
_EXTENSIONS = regex(
    r"(?:_?C_)?(?:flash_?att\w*|xformers|torch_?(?:scatter|sparse|cluster|spline|vision|audio)|mmcv"
    r"|detectron2|spconv|bitsandbytes|exllama|causal_conv|mamba|selective_scan|pytorch3d|gsplat"
    r"|libtorch(?:audio|vision)|_ext\b|_qattn|sageatt|simple_knn|diff_gaussian|pointnet2|tinycuda)",
    re.IGNORECASE,
)
#: Windows' number for a function that a DLL does not have.
_NO_PROCEDURE = "error 127"
#: What torch and most extensions call their compiled half.
_PLAIN_NAME = "_c"


def names_an_extension(file: str) -> bool:
    """Whether a file is of a compiled extension of PyTorch, by its name."""
    return _EXTENSIONS.match(file.removeprefix("lib")) is not None or bool(_EXTENSIONS.match(file))


def extension_without_function(facts: Facts) -> tuple[str, Key[str]] | None:
    """An extension that misses a function in torch's DLLs: it was built for another torch."""
    frame, code = facts.known(said.SIGN("extension-frame")), said.ERROR("WIN32_127")
    broken = frame or facts.known(said.SIGN("extension-broken-told"))
    for stem in facts.subjects(said.LIBRARY_BROKEN):
        key = said.LIBRARY_BROKEN(stem)
        file, _, why = (facts.known(key) or "").partition(": ")
        if why == _NO_PROCEDURE and (_EXTENSIONS.match(stem) or (broken and stem == _PLAIN_NAME)):
            return file, key
    if (
        frame is not None
        and facts.known(code) is not None
        and not facts.subjects(said.LIBRARY_BROKEN)
    ):
        return frame, code
    return None
