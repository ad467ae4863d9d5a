"""Which file of a library a process has: /proc/PID/maps, Numba's list of it, LD_DEBUG.

A process that has a library got it from that folder, whatever other copies there are.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import commands
from ..statement import Statements, say
from .library_names import WORD, of_gpu, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

#: The loader runs a library's first function when it has it, and all that it needs.
_STARTED = regex(rf"(?a)\A\s*\d{{1,8}}:\s{{1,4}}calling init: ({WORD})\s*\Z")
#: Addresses, rights, offset, device and inode, then the file.
_ROW = regex(
    r"(?a)\A\s*[0-9a-f]{6,16}-[0-9a-f]{6,16} [r-][w-][x-][ps] [0-9a-f]{6,16} [0-9a-f:]{4,8}"
    rf" \d{{1,20}}\s{{1,80}}({WORD})\s*\Z"
)
_MAPS = regex(r"/proc/[^\s/]{1,40}(?:\([^)]{0,60}\))?/maps\b")
#: What is left of a row where awk or grep -o took the file out of it.
_FILE = regex(rf"\A\s*({WORD})\s*\Z")
_OF_NUMBA = regex(r"\A\s*Mapped libcuda\.so paths:\s*\Z")
#: As the Linux driver's own file is called; under WSL it may be there beside Windows'.
_OF_RELEASE = regex(r"(?a)libcuda\.so\.\d{3,4}\.\d")
_MOST_FILES = 6
_OPENED = regex(r"\bopen\(['\"]/proc/self/maps['\"]\)")
#: The file stands below the program's last line.
_BELOW = 4


def read(text: Text) -> Statements:
    """The path of each library of CUDA that a process has; the first one of each counts."""
    for line, path in _shown(text):
        if path.startswith("/") and of_gpu(stem(path)):
            yield say(said.LIBRARY_LOADED(stem(path)), path, line)


def _shown(text: Text) -> Iterator[tuple[Line, str]]:
    for line, match in text.matching(_STARTED, "calling init: "):
        yield line, match[1]
    for line, match in text.matching(_ROW, "-p ", "xp ", "-s "):
        yield line, match[1]
    for _, command, answer in commands(text, "/maps"):
        for line in answer if _MAPS.search(command) else ():
            if file := _FILE.match(line.text):
                yield line, file[1]
    for line, _ in text.matching(_OPENED, "/proc/self/maps"):  # by a program that prints one file
        for below in text.after(line, _BELOW):
            if file := _FILE.match(below.text):
                yield below, file[1]
    for head, _ in text.matching(_OF_NUMBA, "mapped libcuda.so paths:"):
        yield from _of_numba(text.after(head, _MOST_FILES))


def _of_numba(below: tuple[Line, ...]) -> list[tuple[Line, str]]:
    """The files that it lists, a Linux driver's before others."""
    rows = ((line, _FILE.match(line.text)) for line in below)
    found = [(line, file[1]) for line, file in takewhile(lambda row: row[1], rows) if file]
    return sorted(found, key=lambda each: _OF_RELEASE.search(each[1]) is None)
