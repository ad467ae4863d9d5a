"""What the driver's files tell by their names, ``libcuda.so.535.104.05``, and by their sizes.

Flatpak, which lets no program at them, has copies of its own, a package a release of the driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_RELEASE = r"(\d{3}(?:\.\d+){1,2})"
_FILES = (
    (names.LIBCUDA_VERSION, regex(rf"(?a)\blibcuda\.so\.{_RELEASE}")),
    (names.NVML_VERSION, regex(rf"(?a)\blibnvidia-ml\.so\.{_RELEASE}")),
)
#: A row of ``ls -l`` for the file itself, and not a link to it: its size and its place.
_SIZED = regex(
    r"(?a)\A\s*-[rwxst-]{9}[.+@]?\s+\d{1,3}\s+\S{1,40}\s+\S{1,40}\s+(\d{4,10})\s.{5,40}?\s"
    r"(/\S{1,200}/libcuda\.so\.1)\s*\Z"
)
#: The toolkit's stub has some 20 to 80 KiB, a driver's library many MiB; the one that Windows
#: gives WSL is small as well, and lies in a folder of its own.
_SMALLEST = 1 << 20
_ELSEWHERE = "/stubs/", "/wsl/"
_GONE = regex(r"(?i)\b(?:remov\w+|replac\w+|uninstall\w*|eol|end-of-life|unused)\b")
_FLATPAK = regex(r"(?a)\borg\.freedesktop\.Platform\.GL(?:32)?\.nvidia-(\d{3}(?:-\d{1,3}){1,2})\b")


def read(text: Text) -> Statements:
    """The release, and a stub under the name by which programs load the library."""
    yield from _releases(text)
    for line, match in text.matching(_SIZED, "/libcuda.so.1"):
        if int(match[1]) < _SMALLEST and not any(each in match[2] for each in _ELSEWHERE):
            yield say(names.LIBCUDA_STUB, True, line)
    copies = {
        match[1]: line
        for line, match in text.matching(_FLATPAK, ".platform.gl")
        if not _GONE.search(line.text)
    }
    if copies:
        releases = tuple(each.replace("-", ".") for each in copies)
        yield say(said.FLATPAK_DRIVERS, releases, next(iter(copies.values())))


def _releases(text: Text) -> Statements:
    """The release, where all files that are named have one: leftovers of others tell nothing."""
    for key, pattern in _FILES:
        found = list(text.matching(pattern, "libcuda.so.", "libnvidia-ml.so."))
        if len({match[1] for _, match in found}) == 1:
            line, match = found[0]
            yield say(key, Version(match[1]), line)
