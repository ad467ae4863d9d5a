"""Does Windows have the run time that the frameworks' DLLs are linked with?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ..fixes.windows import (
    install_msvc_runtime,
    install_older_msvc_runtime,
    newer_torch,
    put_zlib_on_path,
    renew_msvc_runtime,
)
from ..model import Confidence, Finding, Findings, Fix, cite
from ..questions.cudnn.missing import without_zlib
from ..questions.driver.functions import entries_missing
from ..questions.libraries.faults import extension_without_function
from ..questions.libraries.needs import needs_cuda_dlls, pycuda_for_other_cuda
from ..questions.libraries.search_path import paddle_came_first
from ..questions.statements import errors, short, statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts, Key

#: Files of the Visual C++ run time and of OpenMP beside it.
_RUNTIME = regex(r"(?:lib)?(?:msvcp|vcruntime|vcomp|concrt|omp)140", re.IGNORECASE)
#: OpenMP of LLVM, which the redistributable does not bring.
_OPENMP = regex(r"libomp140", re.IGNORECASE)
_FILE = regex(r"[^\s]+\.dll", re.IGNORECASE)
#: torch for Windows that was linked with it, and the indexes that have the release after that.
_ASKS_FOR_OPENMP = "2.4.0"
_INDEXES = ("cpu", "cu118", "cu121", "cu124")
#: DLLs that call CUDA: that one of them does not load has other reasons.
_OF_CUDA = regex(
    r"(?:jni)?cu(?:dart|blas|fft|rand|solver|sparse|dnn|pti)|(?:jni)?nv|onnxruntime_providers|libbitsandbytes"
    r"|[\w-]{1,60}(?:cuda|cublas)|(?:runtime|_driver)\Z",  # of CuPy, of PyCUDA
    re.IGNORECASE,
)
#: The same in an error's own line: llm_engine_cuda.node, koboldcpp_cublas.dll.
_CALLS_CUDA = regex(r"cu(?:da|blas)[\w-]{0,20}\.(?:dll|node|pyd)\b", re.IGNORECASE)
#: Windows' numbers for "module not found", "procedure not found", "initialisation failed".
_CODES = ("126", "127", "1114")


def msvc_runtime_missing(facts: Facts) -> Findings:
    """What GP407 finds."""
    if facts.known(names.OS_SYSTEM) in ("Linux", "Darwin"):
        return
    zlib = (*statements(facts, "zlib-missing"), *_missing(facts, "zlibwapi"))
    suspected = without_zlib(facts)
    if zlib or suspected:
        yield Finding(
            _title_of_zlib(facts, certain=bool(zlib)),
            cite(facts, *zlib, *suspected),
            put_zlib_on_path(),
            confidence=Confidence.CERTAIN if zlib else Confidence.LIKELY,
        )
        return
    named = (*statements(facts, "msvc-runtime-missing"), *_runtime_files(facts))
    if named:
        what = facts.known(named[0]) or ""
        yield Finding(
            f"A file of the Visual C++ run time is not found: {short(what)}"
            if _FILE.fullmatch(what)
            else "The Visual C++ run time is not installed",
            cite(facts, *named),
            _older_openmp(facts) if _OPENMP.match(what) else _install(facts),
        )
        return
    if older := statements(facts, "msvc-older-runtime-missing"):
        file = value(facts, "msvc-older-runtime-missing")
        yield Finding(
            f"A file of an older Visual C++ run time is not found: {short(file)}",
            cite(facts, *older),
            install_older_msvc_runtime(file),
        )
        return
    unloaded = None if any(entries_missing(facts)) else _unloaded(facts)
    if unloaded is not None:
        file, key = unloaded
        started = _began(facts, key)
        why = "found, but failed to start (error 1114)"
        missing = "does not load: a DLL that it needs is missing or too old"
        yield Finding(
            f"{file} was {why}" if started else f"{file} {missing}",
            cite(facts, key),
            _for_unloaded(facts, file, started),
            confidence=Confidence.LIKELY if ".dll" in file else Confidence.POSSIBLE,
        )


def _title_of_zlib(facts: Facts, *, certain: bool) -> str:
    if certain:
        return "zlibwapi.dll, which cuDNN 8 asks for, is not found"
    why = facts.known(said.LIBRARY_BROKEN("cudnn")) or ""
    if why.endswith(_WRONG_BITS):
        return "zlibwapi.dll, which cuDNN 8 asks for, is perhaps one of 32 bits (error 193)"
    return "zlibwapi.dll, which cuDNN 8 asks for, is perhaps not found"


#: What Windows says of a DLL of 32 bits where one of 64 is asked for.
_WRONG_BITS = "error 193"


def _began(facts: Facts, key: Key[str]) -> bool:
    """Whether Windows found the DLL and all that it needs, and its own start failed."""
    if key == said.SIGN("torch-dll-init"):
        return bool(errors(facts, "WIN32_1114"))
    failed = (facts.known(key) or "").endswith("error 1114")
    return failed or key == said.ERROR("WIN32_1114")


def _for_unloaded(facts: Facts, file: str, started: bool) -> Fix:
    if started:
        return renew_msvc_runtime("tensorflow" in file.lower())
    if file.lower().startswith("fbgemm"):
        return _older_openmp(facts)
    return _install(facts)


#: Windows for which there is no winget.
_BEFORE_TEN = regex(r"(?i)\bwin(?:dows)? ?(?:7|8(?:\.1)?)\b")


def _install(facts: Facts) -> Fix:
    old = _BEFORE_TEN.search(facts.known(names.OS_NAME) or "")
    return install_msvc_runtime(before_ten=old is not None)


def _older_openmp(facts: Facts) -> Fix:
    """The release of torch that asks for it decides; of another torch it is not what is missing."""
    torch = facts.known(names.PACKAGE_VERSION("torch")) or ""
    release, _, variant = torch.partition("+")
    if release and release != _ASKS_FOR_OPENMP:
        return install_msvc_runtime()
    return newer_torch(variant if variant in _INDEXES else "")


def _missing(facts: Facts, stem: str) -> tuple[Key[str], ...]:
    key = names.LIBRARY_MISSING(stem)
    return (key,) if facts.known(key) is not None else ()


def _runtime_files(facts: Facts) -> tuple[Key[str], ...]:
    found = facts.subjects(names.LIBRARY_MISSING)
    return tuple(names.LIBRARY_MISSING(stem) for stem in found if _RUNTIME.match(stem))


def _wants_cuda_dlls(facts: Facts) -> bool:
    """TensorFlow for GPUs, of which the release is not told, beside a toolkit: it may miss CUDA."""
    told = facts.known(names.PACKAGE_VERSION("tensorflow"))
    asked = statements(facts, "tensorflow-gpu-asked")
    return bool(asked) and told is None and facts.known(names.TOOLKIT_VERSION) is not None


def _unloaded(facts: Facts) -> tuple[str, Key[str]] | None:
    """A program's own DLL that does not load, by a code that speaks of a missing neighbour."""
    if extension_without_function(facts) is not None or paddle_came_first(facts):
        return None  # GP608: it was built for another torch; GP403
    for stem in facts.subjects(said.LIBRARY_BROKEN):
        key = said.LIBRARY_BROKEN(stem)
        if _OF_CUDA.match(stem):
            continue
        file, _, why = (facts.known(key) or "").partition(": ")
        if why.removeprefix("error ") in _CODES:
            return file, key
    path = value(facts, "torch-dll-init").replace("\\", "/")
    file = path.rpartition("/")[2]
    if file and not _OF_CUDA.match(file) and not facts.subjects(said.LIBRARY_BROKEN):
        return file, said.SIGN("torch-dll-init")
    if nameless := statements(facts, "ort-without-its-dlls"):
        return "The module of ONNX Runtime", nameless[0]
    codes = errors(facts, *(f"WIN32_{code}" for code in _CODES))
    if needs_cuda_dlls(facts) or _wants_cuda_dlls(facts) or statements(facts, "ort-requires"):
        return None  # GP401, GP602, GP501
    if pycuda_for_other_cuda(facts):
        return None  # GP602
    if codes and not facts.subjects(said.LIBRARY_BROKEN):
        calls_cuda = _CALLS_CUDA.search(facts.known(codes[0]) or "")
        return None if calls_cuda else ("A compiled module", codes[0])
    return None
