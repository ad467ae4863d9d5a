"""Parts of cuDNN that are of two releases, by what they lack, by codes, or as they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ...model import Confidence
from ..libraries.search_path import foreign_folder
from ..statements import beginning, errors, short
from .fault import MISMATCH, SHADOWED, CudnnFault, path_keys
from .releases import failures

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

_MIXED_CODES = ("CUDNN_STATUS_VERSION_MISMATCH", "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
_LOADING_CODES = ("CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED",)
#: Since cuDNN 8 it consists of several libraries, which call each other by C++ names.
_OF_A_PART = regex(r"\blibcudnn_\w+\.so")
#: What Windows says where Linux names an undefined symbol.
_NO_PROCEDURE = ": error 127"
#: A name of C++, of a class or of a function of cuDNN's own: its libraries alone share these.
_MANGLED = regex(r"\Asymbol\._Z(?:N|\d{1,3}cudnn)")


def parts_of_two(facts: Facts) -> CudnnFault | None:
    """One library of cuDNN asks another one for a function that it does not have."""
    broken = said.LIBRARY_BROKEN("cudnn")
    if (facts.known(broken) or "").endswith(_NO_PROCEDURE):
        title = "A DLL of cuDNN lacks a function that another one asks it for"
        named = (broken, said.ERROR("WIN32_127"), said.CUDNN_VERSION)
        return CudnnFault(MISMATCH, title, named, None, Confidence.LIKELY)
    wanted = facts.keys_of(said.SYMBOL_WANTED_BY)
    keys = tuple(key for key in wanted if _OF_A_PART.search(facts.known(key) or ""))
    folder = foreign_folder(facts)
    if not any(_MANGLED.match(key.name) for key in keys):
        return None
    title = "The libraries of cuDNN are of different versions: one asks another in vain"
    cause = MISMATCH if folder is None else SHADOWED
    return CudnnFault(cause, title, (*keys, *path_keys(facts)), None, Confidence.LIKELY)


_IN_SYSTEM = regex(r"(/(?!.*(?:site|dist)-packages)\S+)/libcudnn\w*\.so")


def folder_of_other(facts: Facts, keys: Keys) -> str | None:
    """The system's folder from which a part of cuDNN was taken, though torch brings its own.

    Pip's builds of torch, which carry the CUDA in their version, have cuDNN with them.
    """
    if "+cu" not in (facts.known(names.PACKAGE_VERSION("torch")) or ""):
        return None
    files = (facts.known(key) or "" for key in keys if key.name.startswith("symbol."))
    found = (_IN_SYSTEM.match(str(file)) for file in files)
    return next((match[1] for match in found if match), None)


def mixed_parts(facts: Facts) -> CudnnFault | None:
    """A code of cuDNN's says so, or a symbol of it is asked for in vain."""
    mixed = errors(facts, *_MIXED_CODES)
    symbols = tuple(
        said.SYMBOL_WANTED_BY(name)
        for name in facts.subjects(said.SYMBOL_WANTED_BY)
        if "cudnn" in name.lower()
    )
    if not mixed and not symbols:
        return None
    folder = foreign_folder(facts)
    title = "The libraries of cuDNN are of different versions"
    keys = (*mixed, *symbols, said.CUDNN_VERSION, names.ENV("LD_LIBRARY_PATH"))
    cause = MISMATCH if folder is None else SHADOWED
    where = "" if folder is None else f"; {folder} is searched first"
    if not mixed:
        title = _lacked(facts, symbols[0]) or title
    return CudnnFault(cause, title + where, keys, None, Confidence.LIKELY)


def part_not_loaded(facts: Facts) -> CudnnFault | None:
    """A library of cuDNN does not load another one."""
    loading = errors(facts, *_LOADING_CODES)
    title = "cuDNN could not load one of its own libraries"
    return CudnnFault(MISMATCH, title, loading, None, Confidence.POSSIBLE) if loading else None


def _lacked(facts: Facts, key: Key[str]) -> str | None:
    """The function of cuDNN's that a program, no part of it, asks the loaded copy for in vain."""
    file, symbol = facts.known(key) or "", key.name.split(".")[1]
    asks = "/" in file or file == "a program"
    if not symbol.startswith("cudnn") or not asks or _OF_A_PART.search(file):
        return None
    who = beginning(short(file))
    return f"{who} needs {short(symbol)}, which the libcudnn that is loaded does not have"


#: A part of cuDNN, and the whole release that its file is named after.
_PART = regex(r"lib(cudnn(?:_\w+)?)\.so\.(\d+\.\d+\.\d+)\Z")


def parts_listed(facts: Facts) -> CudnnFault | None:
    """Files of cuDNN are listed, and of no release there are all of them."""
    key, failing = said.LIBRARY_LISTED("cudnn"), failures(facts)
    parts: dict[str, set[str]] = {}
    for match in filter(None, map(_PART.match, facts.known(key) or ())):
        parts.setdefault(match[1], set()).add(match[2])
    if not failing or not parts or set.intersection(*parts.values()):
        return None
    releases = " and ".join(sorted(set.union(*parts.values())))
    title = f"The libraries of cuDNN are of different versions: {releases} are listed"
    return CudnnFault(MISMATCH, title, (*failing, key), None, Confidence.LIKELY)
