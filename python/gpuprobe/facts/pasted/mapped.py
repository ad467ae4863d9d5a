"""The files of the driver's library that a process has mapped, as Numba lists them.

Of two the one whose name holds a release is told: under WSL that is a Linux driver's, beside the
one of Windows; elsewhere it is alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Text

_HEAD = re.compile(r"\A\s*Mapped libcuda\.so paths:\s*\Z")
_FILE = re.compile(r"(?a)\A\s*(/\S{1,240}/libcuda\.so(?:\.\d{1,4}){0,4})\s*\Z")
_OF_RELEASE = re.compile(r"(?a)libcuda\.so\.\d{3,4}\.\d")
_MOST_FILES = 6


def read(text: Text) -> Iterator[Statement]:
    """The library that was mapped; of several the Linux driver's."""
    for head, _ in text.matching(_HEAD, "mapped libcuda.so paths:"):
        found = []
        for line in text.after(head, _MOST_FILES):
            match = _FILE.match(line.text)
            if match is None:
                break
            found.append((line, match[1]))
        named = [each for each in found if _OF_RELEASE.search(each[1])]
        for line, file in (named or found)[:1]:
            yield say(said.LIBRARY_LOADED("cuda"), file, line)
