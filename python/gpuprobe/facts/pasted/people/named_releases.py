"""The releases of CUDA and cuDNN that a text names anywhere, but for what programs need.

Which of them is installed it may not say; but where a program asks for a library of CUDA 11, and
all that anybody names is CUDA 12, then it is not CUDA 11 that is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from ...model import Key
    from ..text import Line, Text

#: "CUDA 12.3", "cuda toolkit version is 12", "/usr/local/cuda-11.7/", "nvidia/cuda:11.8.0-runtime".
_CUDA = regex(
    r"(?ai)(?<![\w.+=-])(?:nvidia/)?cuda(?:[ -]?tool ?kit)?(?: ?\(?toolkit\)?)?"
    r"(?: ?\((?=version ))?"
    r"(?:[ -]?(?:package|release|version|is|of|installed|v|版本|=|:|,|-)){0,4} {0,2}\(?"
    r"(?P<release>\d{1,2}(?:\.\d{1,2})?)(?:\.\d{1,3})?(?:-\d)?"
    r"(?![\w.]*\w|[ -](?:wheels?|builds?|support|capable|compatible|enabled|ready|aware)\b)"
)
#: "cudnn 4", "CUDNN8.3"; a file's name tells its release too.
_CUDNN = regex(
    r"(?ai)(?<![\w.+-])(?:nvidia[- ])?cudnn(?:[ -]?(?:version|is|of|v|版本|=|:|-)){0,3} {0,2}"
    r"(?P<release>\d{1,2}(?:\.\d{1,2}){0,3})"
    r"(?!\w|\.\w|-(?:windows|linux|x86|capable|compatible|enabled|ready))"
    r"|\blibcudnn[\w-]{0,30}\.so\.(?P<file>\d)\b|\bcudnn[a-z_]{0,30}64_(?P<dll>\d)\.dll"
)
#: What stands before a release that a program wants, or was made for, not one that is there.
_WANTED = regex(
    r"(?i)(?:\b(?:for|needs?|wants?|asks?|requires?|required|supports?|supporting|expects?|until"
    r"|against|built|build|compiled|up to|at least|needed|instead of|not|no|driver\w*|without"
    r"|upgrad\w+|downgrad\w+|torch|pytorch|libc?10|serves|uses|should|would|could|install|nvidia-smi"
    r"|docs?|readme|tried|other)\b|>=|<=|需要|支持)[^\n,;.]{0,24}\Z"
)
#: Before a release: it is that of a machine of which nothing is asked.
_ELSEWHERE = regex(
    r"(?i)\b(?:on|in|with|using|of) (?:another|(?:an?|the|my|our) (?:other|second|different"
    r"|colleague'?s|friend'?s))\b(?:(?!\b(?:here|this|mine|but|while|whereas)\b)[^.;\n]){0,60}\Z"
)
#: nvidia-smi's "CUDA Version: 12.4" is what the driver serves.
_CEILING = ("CUDA Version: ", "CUDA UMD Version: ", "CUDA DRIVER Version")
#: A line in which a program tells what it looked for.
_SOUGHT = regex(
    r"(?i)not found|not (?:be )?load|could(?: not|n't)|unable|cannot|can't|dlerror|missing|locate"
    r"|no such file|failed|make sure|set up|not configured|找不到|无法"
)
#: What the driver serves, a question, and what is there no more.
_ELSE = regex(
    r"(?i)nvidia-smi|\bdrivers?\b[^\n]{0,40}\(?cuda|\?\s*\Z"
    r"|\b(?:removed|uninstalled|failed|download|came out)\b"
    r"|cuda[:,]? ?\d{1,2} (?:GB|GPUs?|cores|devices|times)\b|cuda:\d\b(?!\.)|cuda, \d"
)
_LONGEST = 400
#: The oldest that anybody still names, and the first number that is no release.
_FIRST_CUDA, _BEYOND_CUDA = 5, 15
_FIRST_CUDNN, _BEYOND_CUDNN = 3, 11


def read(text: Text) -> Statements:
    """All that the text names, cited by the first line that names one."""
    cuda = (line for line in text.unlike("cuda") if not any(c in line.text for c in _CEILING))
    yield from _named(said.CUDA_NAMED, _CUDA, cuda, range(_FIRST_CUDA, _BEYOND_CUDA))
    cudnn = (line for line in text.unlike("cudnn") if not _SOUGHT.search(line.text))
    yield from _named(said.CUDNN_NAMED, _CUDNN, cudnn, range(_FIRST_CUDNN, _BEYOND_CUDNN))


def _named(
    key: Key[tuple[str, ...]], pattern: re.Pattern[str], lines: Iterator[Line], majors: range
) -> Statements:
    found: dict[str, Line] = {}
    for line in lines:
        if _ELSE.search(line.text):
            continue
        for match in pattern.finditer(line.text) if len(line.text) <= _LONGEST else ():
            release = next(filter(None, match.groups()))
            before = line.text[: match.start()]
            wanted = _WANTED.search(before) or _ELSEWHERE.search(before)
            if int(release.partition(".")[0]) in majors and not wanted:
                found.setdefault(release, line)
    if found:
        yield say(key, tuple(found), next(iter(found.values())))
