"""The compilers: ``nvcc -V``, ``ptxas --version``, gcc, and what CMake says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..prompts import commands
from ..statement import Statements, deny, say

if TYPE_CHECKING:
    from ..text import Line, Text

#: Up to 4.2 the number behind the V was that of a compiler of its own: V0.2.1221.
_TOOLS = regex(r"(?a)Cuda compilation tools, release \d+\.\d+, V([1-9]\d?\.\d+(?:\.\d+)?)")
_RELEASE = regex(r"(?a)Cuda compilation tools, release (\d+\.\d+)")
_BUILD = regex(r"(?a)Build cuda_(\d+\.\d+)\.r")
_CMAKE_CUDA = regex(
    r"(?a)(?:CUDA compiler identification is NVIDIA"
    r"|Found CUDA(?:Toolkit)?: .{0,200}?found suitable (?:exact )?version) \"?(\d+\.\d+(?:\.\d+)?)"
)
_CMAKE_HOST = regex(
    r"(?a)\bCX?X?\s?compiler identification is (GNU|Clang|MSVC|AppleClang|Intel) (\d+(?:\.\d+)*)"
)
_GCC = regex(r"(?a)\A\s*(?:gcc|g\+\+|cc|c\+\+)(?:-\d+)? \([^)\n]{0,80}\) (\d+\.\d+(?:\.\d+)?)")
_CLANG = regex(r"(?a)\A\s*(?:\w+ )?clang version (\d+\.\d+(?:\.\d+)?)")
#: What rpm answers for the compiler and for the toolkit: gcc-6.3.1-1.fc25.x86_64, cuda-8.0.61-1…
_RPM = regex(
    r"(?a)\A\s*(?P<name>gcc|cuda(?:-toolkit)?)-(?P<version>\d{1,2}\.\d{1,2}(?:\.\d{1,3})?)-\d[\w.]*"
    r"\.(?:x86_64|aarch64|ppc64le)\s*\Z"
)
#: The link that chooses a toolkit, as ``ls -l`` shows it.
_LINK = regex(r"(?a)(?:\s|/usr/local/)cuda -> (?:[\w./-]{0,80}/)?cuda-(\d{1,2}\.\d)/?\s*\Z")
#: The page of a release in NVIDIA's archive, where somebody says that it came from there.
_ARCHIVE = regex(
    r"(?a)developer\.nvidia\.com/cuda-(\d|1\d)[.-]?(\d)(?:-\d)?(?:-ga\d)?-download-archive"
)
_FROM_THERE = regex(r"(?i)\b(?:I|we) (?:\w+ )?(?:installed|downloaded|used|took|have)\b")
_NAMES = {"GNU": "gcc", "AppleClang": "clang", "Clang": "clang", "MSVC": "MSVC", "Intel": "icc"}
#: How shells say that there is no such program.
_NOT_FOUND = ("command not found", "not recognized as", "not found", "no such file")


def read(text: Text) -> Statements:
    """The toolkit's version, ptxas's own, the host compiler's."""
    for line in text.having("cuda compilation tools", "build cuda_"):
        match = _TOOLS.search(line.text) or _RELEASE.search(line.text) or _BUILD.search(line.text)
        if match:
            yield from _compiler(text, line, Version(match[1]))
    for line, match in text.matching(_CMAKE_CUDA, "cuda compiler identification", "found cuda"):
        yield say(names.TOOLKIT_VERSION, Version(match[1]), line)
    for line, match in text.matching(_LINK, "cuda -> "):
        yield say(names.TOOLKIT_VERSION, Version(match[1]), line)
    for line, _, answer in commands(text, "nvcc -v", "nvcc --version"):
        for each in answer[:4]:
            if "nvcc" in each.text and any(word in each.text.lower() for word in _NOT_FOUND):
                yield deny(names.TOOLKIT_VERSION, line)
    for line, match in text.matching(_ARCHIVE, "-download-archive"):
        above = " ".join(each.text for each in (*text.before(line, 1), line))
        if _FROM_THERE.search(above):
            yield say(names.TOOLKIT_VERSION, Version(f"{match[1]}.{match[2]}"), line)
    yield from _only_folder(text)
    yield from _host_compiler(text)


#: Where the toolkits lie, as the whole folder is listed.
_FOLDERS = regex(
    r"(?i)\A(?:dir|ls|gci|Get-ChildItem)(?: [-/]\w{1,9}){0,2} ['\"]?(?:"
    r"[^'\"]{0,60}NVIDIA GPU Computing Toolkit\\CUDA\\?"
    r"|/usr/local/?(?:cuda\*|['\"]? ?\| ?grep ['\"]?cuda))['\"]?(?: -(?:Name|Directory)){0,2}\Z"
)
_FOLDER = regex(r"(?a)(?:\A|[\s/])(?:v|cuda-)(\d{1,2}\.\d)(?=[\s/:]|\Z)")


def _only_folder(text: Text) -> Statements:
    """The only toolkit that lies where all of them do."""
    for _, command, answer in commands(text, "dir ", "ls ", "gci ", "get-childitem "):
        if _FOLDERS.match(command):
            found = {match[1]: line for line in answer for match in _FOLDER.finditer(line.text)}
            for version, line in found.items() if len(found) == 1 else ():
                yield say(names.TOOLKIT_VERSION, Version(version), line)


def _compiler(text: Text, line: Line, version: Version) -> Statements:
    """One line is printed by nvcc and by ptxas; who speaks stands two to four lines above."""
    above = " ".join(each.text for each in text.before(line, 4)).lower()
    speaker = max(("ptxas", "nvcc"), key=above.rfind)
    if "ptxas" in above and speaker == "ptxas":
        yield say(said.PTXAS_VERSION, version, line)
    else:
        yield say(names.TOOLKIT_VERSION, version, line)


def _host_compiler(text: Text) -> Statements:
    for line, match in text.matching(_CMAKE_HOST, "compiler identification is"):
        yield say(names.HOST_COMPILER, f"{_NAMES[match[1]]} {match[2]}", line)
    for line, match in text.matching(_RPM, "gcc-", "cuda-"):
        if match["name"] == "gcc":
            yield say(names.HOST_COMPILER, f"gcc {match['version']}", line)
        else:
            yield say(names.TOOLKIT_VERSION, Version(match["version"]), line)
    for line in text.having("gcc", "g++", "cc (", "c++ (", "clang version"):
        if gcc := _GCC.match(line.text):
            yield say(names.HOST_COMPILER, f"gcc {gcc[1]}", line)
        elif clang := _CLANG.match(line.text):
            yield say(names.HOST_COMPILER, f"clang {clang[1]}", line)
