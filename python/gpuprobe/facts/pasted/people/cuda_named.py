"""The releases of CUDA that a text names anywhere, outside of what programs need or were built for.

Which of them is installed it may not say; but where a program asks for a library of CUDA 11, and
all that anybody names is CUDA 12, then it is not CUDA 11 that is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Line, Text

#: "CUDA 12.3", "cuda toolkit version is 12", "/usr/local/cuda-11.7/", "nvidia/cuda:11.8.0-runtime".
_NAMED = regex(
    r"(?ai)(?<![\w.+=-])(?:nvidia/)?(?P<name>cuda(?:[ -]?toolkit)?)(?: ?\(?toolkit\)?)?"
    r"(?:[ -]?(?:package|release|version|is|of|installed|v|版本|=|:|,|-)){0,4} {0,2}"
    r"(?P<release>\d{1,2}(?:\.\d{1,2})?)(?:\.\d{1,3})?(?:-\d)?(?![\w.]*\w)"
)
#: What stands before a release that a program wants, or was made for, not one that is there.
_WANTED = regex(
    r"(?i)(?:\b(?:for|needs?|wants?|asks?|requires?|required|supports?|supporting|expects?|until"
    r"|against|built|build|compiled|up to|at least|needed|instead of|not|no|driver\w*|without"
    r"|upgrad\w+|downgrad\w+|torch|pytorch|libc?10|serves)\b|>=|<=|需要|支持)[^\n,;.]{0,24}\Z"
)
#: nvidia-smi's "CUDA Version: 12.4" is what the driver serves.
_CEILING = ("CUDA Version: ", "CUDA UMD Version: ", "CUDA DRIVER Version")
_LONGEST = 400
#: The oldest that anybody still names, and the first number that is no release of CUDA.
_FIRST, _BEYOND = 5, 20


def read(text: Text) -> Iterator[Statement]:
    """All of them, of the first line that names one."""
    found: dict[str, Line] = {}
    for line in text.having("cuda"):
        if len(line.text) <= _LONGEST and not any(each in line.text for each in _CEILING):
            for release in _there(line.text):
                found.setdefault(release, line)
    if found:
        yield say(said.CUDA_NAMED, tuple(found), next(iter(found.values())))


def _there(sentence: str) -> Iterator[str]:
    for match in _NAMED.finditer(sentence):
        major = int(match["release"].partition(".")[0])
        if _FIRST <= major < _BEYOND and not _WANTED.search(sentence[: match.start()]):
            yield match["release"]
