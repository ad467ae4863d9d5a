"""Which host compiler nvcc does not take, by its own word, by a trial, or by the tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.regex import regex
from ...model import Confidence
from ..sentences import something_fails
from ..statements import statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_GCC = regex(r"\b(?:gcc|g\+\+|gnu)\D{0,200}(\d+)", re.IGNORECASE)
_COMPILE_FAILED = ("dlib-cuda-compile-failed", "cmake-no-cuda-compiler")
#: Visual Studio's releases are years.
_A_YEAR = 1000


class CompilerFault(NamedTuple):
    """A host compiler that nvcc does not take; `newest`: the newest gcc that it takes."""

    title: str
    newest: int | None
    keys: Keys
    confidence: Confidence
    there: str | None = None  # a gcc that nvcc takes, and that the build does not use


def compiler_too_new(facts: Facts) -> CompilerFault | None:
    """By nvcc's own word, or by the table where a trial compilation failed."""
    stated = statements(facts, "nvcc-host-compiler")
    compiler = facts.known(names.HOST_COMPILER) or ""
    newest = _newest_gcc(facts)
    keys = (names.HOST_COMPILER, names.TOOLKIT_VERSION)
    if stated:
        title = f"nvcc refuses the host compiler {compiler}".strip()
        told = re.fullmatch(r"(\d+)(?:\.\d+)?", value(facts, "nvcc-host-compiler"))
        newest = int(told[1]) if told else newest
        if told and not compiler and int(told[1]) < _A_YEAR:
            title = f"nvcc takes gcc up to {told[1]}, and the build uses a newer one"
        gcc = _GCC.search(compiler)
        if told and (taken := _taken(compiler, told[0])):
            title = f"nvcc takes gcc up to {told[0]}; the build uses a newer one than {compiler}"
            return CompilerFault(title, newest, (*stated, *keys), Confidence.CERTAIN, taken)
        if not told and gcc and newest is not None and int(gcc[1]) <= newest:
            newest = int(gcc[1]) - 1  # of this one only some releases are taken
        return CompilerFault(title, newest, (*stated, *keys), Confidence.CERTAIN)
    if of_windows := _gcc_on_windows(facts, compiler):
        return of_windows
    failed = statements(facts, *_COMPILE_FAILED)
    if not failed and not something_fails(facts):
        failed = statements(facts, "build-fails-told")
    gcc = _GCC.search(compiler)
    if not failed:
        return None
    if gcc is None or newest is None:
        return _by_trial(facts, newest)
    if int(gcc[1]) <= newest:
        return None
    toolkit = facts.known(names.TOOLKIT_VERSION)
    title = f"nvcc {toolkit} takes gcc up to {newest}; the compiler is {compiler}"
    return CompilerFault(title, newest, (*failed, *keys), Confidence.LIKELY)


def _gcc_on_windows(facts: Facts, compiler: str) -> CompilerFault | None:
    """On Windows nvcc takes Microsoft's compiler alone, and MinGW's is a gcc."""
    broken = statements(facts, "cmake-nvcc-of-windows-broken")
    if not broken or not _GCC.search(compiler):
        return None
    title = f"On Windows nvcc takes Visual C++ alone; the build uses {compiler} (MinGW)"
    return CompilerFault(title, None, (*broken, names.HOST_COMPILER), Confidence.LIKELY)


_GCC_RELEASE = regex(r"\bgcc (\d{1,2})(?:\.(\d{1,2}))?")
#: Up to this one packages of gcc have the minor release in their names.
_LAST_WITH_MINOR = 4


def _taken(compiler: str, newest: str) -> str | None:
    """The suffix of the gcc that is named, where nvcc's word is not against it."""
    match = _GCC_RELEASE.search(compiler)
    if match is None or match[2] is None or int(newest.partition(".")[0]) >= _A_YEAR:
        return None
    major, minor = int(match[1]), int(match[2])
    limit = tuple(map(int, newest.split(".")))
    if (major, minor)[: len(limit)] > limit:
        return None
    return f"{major}.{minor}" if major <= _LAST_WITH_MINOR else str(major)


def _by_trial(facts: Facts, newest: int | None) -> CompilerFault | None:
    """Dlib compiles a small program first: it fails where the two compilers do not fit."""
    tried = statements(facts, "dlib-cuda-compile-failed")
    if not tried or "compile" not in value(facts, "dlib-cuda-compile-failed"):
        return None
    title = "nvcc and the host compiler could not compile a trial program together"
    keys = (*tried, names.HOST_COMPILER, names.TOOLKIT_VERSION)
    return CompilerFault(title, newest, keys, Confidence.POSSIBLE)


def _newest_gcc(facts: Facts) -> int | None:
    from ....knowledge.architecture import toolkit_targets

    toolkit = facts.known(names.TOOLKIT_VERSION)
    targets = None if toolkit is None else toolkit_targets(toolkit)
    return None if targets is None else targets.newest_gcc
