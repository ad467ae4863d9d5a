"""What ld said while it linked: what a library of CUDA asks another for in vain, and for libcuda.

A program's own undefined references have other reasons: it was not told of a library, or of all;
but for those that an older run time has not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, say
from .library_names import stem

if TYPE_CHECKING:
    from ..text import Line, Text

#: The asking library, the symbol, and the file in which it was to be.
_UNDEFINED = regex(
    r"(?a)(?:\A|\s)(\S{1,200}?\blib(?:cublas|cublasLt|cusparse|cusolver|cufft|curand|npp\w{1,6})"
    r"\.so(?:\.\d{1,4}){0,3}): undefined reference to [`'](\w{1,80})"
    r"@{1,2}(lib\w{1,24}\.so\.\d{1,3})"
)
#: A symbol is missed, in the words of several linkers.
_MISSED = (
    r"(?:undefined reference (?:to|for)|\blld\S{0,8}: error: undefined symbol:"
    r"|unresolved external symbol) ?[`'\"]?"
)
#: What the code of nvcc calls since CUDA 9.2 to start a kernel.
_STARTS = regex(rf"{_MISSED}__cuda(?:Push|Pop)CallConfiguration\b")
#: What it has always called: without the run time it is missed as well.
_OF_RUNTIME = regex(
    rf"{_MISSED}(?:__cudaRegister\w{{1,40}}"
    r"|cuda(?:Malloc|Free|Memcpy|GetLastError|DeviceSynchronize))\b"
)
_OBJECT = regex(r"\A\s*(?:\S{0,80}ld(?:\.\w{1,5})?: )?([\w./+-]{1,200}\.(?:o|obj|a|so))\b")
#: The linker did not look everywhere: then it lacks the file, which may be the right one.
_NOT_FOUND = regex(r"\bwarning: (lib\S{1,60}), needed by \S{1,200}, not found\b")


def read(text: Text) -> Statements:
    """Each symbol, as the loader would miss it when the program starts; libcuda is the driver's."""
    lacked: dict[str, tuple[str, Line]] = {}
    for line, match in text.matching(_NOT_FOUND, ", needed by "):
        lacked.setdefault(stem(match[1]), (match[1], line))
    if "cuda" in lacked:
        yield say(names.LIBRARY_MISSING("cuda"), *lacked["cuda"])
    for line, match in text.matching(_UNDEFINED, ": undefined reference to "):
        if stem(match[3]) not in lacked:
            yield say(said.SYMBOL_WANTED_BY(match[2]), match[1], line)
    yield from _of_older_runtime(text)


def _of_older_runtime(text: Text) -> Statements:
    """A program's own code is linked with a run time that lacks what came with CUDA 9.2."""
    if text.shows(_OF_RUNTIME, "undefined ", "unresolved external"):
        return
    for line, _ in text.matching(_STARTS, "callconfiguration"):
        named = (_OBJECT.match(each.text) for each in (line, *text.before(line, 1)))
        file = next((found[1] for found in named if found), "the program")
        yield say(said.SIGN("launch-not-linked"), file, line)
