"""JCuda's own words of a library of its own that Java did not load.

Such a library is linked with one of CUDA's, or with the driver's, of the CUDA that JCuda's release
is for (http://jcuda.org/downloads/downloads.html); the system's word for what is missing is often
left out, or stands in a language of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: The library, the release where its name has one, and the system; a window may break the name.
_NOT_LOADED = regex(
    r"Error while loading native library \"J(Cuda(?:Driver|Runtime)|Cublas|Cufft|Curand|Cusolver"
    r"|Cusparse|Cudnn|Nvrtc)2?- ?(?:(\d[\w.]{1,12})-)?(windows|linux)\b"
)
#: From JCuda 10 on its release begins as CUDA's does.
_RELEASE = regex(r"(?a)(?:0\.)?(\d{1,2}\.\d)")
_STEMS = {"CudaDriver": "cuda", "CudaRuntime": "cudart"}
_DRIVERS = {"windows": "nvcuda.dll", "linux": "libcuda.so.1"}
#: What tells of another reason: the archive with the library is not there or is another machine's,
#: or the loader names the file, the symbol or the version that it misses.
_OTHERWISE = ("no resource found with name", "target file already exists", "can't load ia 32-bit",
              "can't load amd 64-bit", "cannot open shared object", "undefined symbol",
              "' not found (required by", "could not create directory for")  # fmt: skip


def read(text: Text) -> Statements:
    """The library of CUDA's that the first one that does not load stands on."""
    if any(each in text for each in _OTHERWISE):
        return
    for line, match in text.matching(_NOT_LOADED, "error while loading native library"):
        stem = _STEMS.get(match[1], match[1].lower())
        yield say(names.LIBRARY_MISSING(stem), _file(stem, match[2] or "", match[3]), line)
        return


def _file(stem: str, release: str, system: str) -> str:
    from ....knowledge.cuda_libraries import file_for

    if stem == "cuda":
        return _DRIVERS[system]
    made = _RELEASE.match(release)
    file = file_for(stem, Version(made[1]), windows=system == "windows") if made else None
    return file or stem
