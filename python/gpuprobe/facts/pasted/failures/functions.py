"""Functions that a program looked up in a library by their names, and did not find.

The words are the program's own or its language's, where the loader says "undefined symbol".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: Functions that the driver's library alone has, by how their names begin.
_DRIVERS_OWN = r"(?:cu(?-i:Ctx|Device|Mem|Launch|Stream)|nvml)(?-i:[A-Z])\w{3,60}"
_NO_SYMBOL = regex(
    r"(?i)(?:could not|cannot|can'?t|unable to) (?:load|find) symbol:? [`'\"]?(\w+)"
    r"|\bsymbol lookup for (\w+) failed\b"
    # TensorFlow's, of a function; where it has none of all it asks for the first, cudnnCreate.
    r"|\bcould not find (cudnn(?!Create\b|GetVersion\b)\w{3,60}) in cudnn DSO\b"
    r"|\bcould not find (cu(?-i:[A-Z])\w{3,60}) in libcuda DSO\b"
    # Taichi's; and the name alone, as others print it and people put it behind their own words.
    rf"|\bfunction ['\"`]?({_DRIVERS_OWN})['\"`]? not found(?! in\b)"
    rf"|(?:\A\W{{0,4}}|: ?['\"`]?)({_DRIVERS_OWN})['\"`]? not found\W*\Z"
    # Julia's, whose library has no name where it was looked for in vain; .NET's.
    r"|\bcould not find function ((?:cu|nv|nccl)\w{3,60}) in library \S"
    r"|\bentry point named '((?:cu|nv|nccl)\w{3,60})' in (?:DLL|shared library)\b"
)
_CUES = ("load symbol", "find symbol", "symbol lookup for", " in cudnn dso", " in libcuda dso",
         " not found", "could not find function ", " entry point named '")  # fmt: skip
_OF_NO_LIBRARY = regex(
    r"\bcould not find function (cudnn|cublas|cufft|curand|cusolver|cusparse|nvrtc)[A-Z]\w{2,60}"
    r" in library\s*\Z"
    # cpm_kernels, of which ChatGLM's quantised models are made: the library was looked for in vain.
    r"|(?:\A|[:!] )Library (cuda|cudart|cublas(?:Lt)?|nvrtc) is not initialized\s*\Z"
    # What JAX has in the place of a run time that was not opened.
    r"|\boperation cuda\w+\(\) failed: cuda\w+ symbol not found"
)
_OF_NO_LIBRARY_CUES = ("could not find function ", "library cu", "library nvrtc",
                       " symbol not found")  # fmt: skip
#: The driver's functions, which programs look up in its library by their names.
_OF_DRIVER = regex(r"(?:cu|nvml)[A-Z]\w")


def read(text: Text) -> Statements:
    """Symbols that a program asked a library for, which it may not have got."""
    for line, unloaded in text.matching(_NO_SYMBOL, *_CUES):
        symbol = next(filter(None, unloaded.groups()))
        if symbol.startswith("cudnn") and "Invalid handle" in line.text:
            yield say(names.LIBRARY_MISSING("cudnn"), "libcudnn", line)
        else:
            where = "the driver's library" if _OF_DRIVER.match(symbol) else "a program"
            yield say(said.SYMBOL_WANTED_BY(symbol), where, line)
    for line, unnamed in text.matching(_OF_NO_LIBRARY, *_OF_NO_LIBRARY_CUES):
        library = unnamed[1] or unnamed[2] or "cudart"
        yield say(names.LIBRARY_MISSING(library.lower()), f"lib{library}", line)
