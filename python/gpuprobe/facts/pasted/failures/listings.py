"""The CUDA libraries that a listing shows: ``ldconfig -p``, and what ls, find and where answer.

A program that misses ``libcublas.so.13`` beside a listed ``libcublas.so.12`` needs another CUDA
than is there. All listed files count: one of the right release settles that there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import commands
from ..statement import Statements, say
from .library_names import base, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

_LIBRARIES = "cudart|cublasLt|cublas|nvrtc|cufft|curand|cusolver|cusparse"
_FILE = (
    rf"(?:lib(?:{_LIBRARIES}|cudnn(?:_[a-z_]{{3,40}})?)\.so\.\d{{1,3}}(?:\.\d{{1,4}}){{0,3}}"
    rf"|(?:{_LIBRARIES}|cudnn(?:_[a-z_]{{3,40}})?)64_\d{{1,4}}(?:_0)?\.dll)(?![\w.-])"
)
_CACHED = regex(rf"\A\s*({_FILE}) \(libc6[^)\n]{{0,60}}\) => /")
_NAMED = regex(rf"(?<![\w.-]){_FILE}")
#: Where programs look without being told: folders of the system and of a toolkit. Those of a
#: package or of another program have libraries of their own.
_SHARED = regex(
    r"(?<![\w./-])(?:/usr/lib(?:64|/(?!i386)[a-z0-9_]{3,8}-linux-gnu)?(?=[/\s*\"']|\Z)(?!/python|/ollama)"
    r"|/usr/local/cuda|/opt/cuda)(?!\S*/stubs)|NVIDIA GPU Computing Toolkit"
    r"|(?i:\$env:CUDA_PATH|%CUDA_PATH%)(?=\\)"
)
#: A row of a listing holds names, folders, sizes and dates; who fails says so in words.
_TROUBLE = regex(r"(?i)error|cannot|could not|not found|no such|warning|failed|missing")
_PATH = regex(r"[/\\]\w")
_LISTING = ("ls ", "find ", "locate ", "where ", "dir ", "ll ", "get-childitem ", "gci ")


#: A row of ``ls -l`` with a file of no length, which a tool put in the place of a library.
_EMPTY = regex(
    r"\A\s*-[rwxst-]{9}[.+@]? +\d+ +\S+ +\S+ +0 [^\n/]{8,24} "
    r"((?:\S*/)?lib(?:cuda|nvidia-ml|cudnn\w*|cublas\w*|cudart|cufft|curand|cusolver|cusparse)\.so[.\d]*)"
    r"\s*\Z"
)


def read(text: Text) -> Statements:
    """The files of each library, in the order of the text; those that are empty."""
    for line, empty in text.matching(_EMPTY, ".so"):
        yield say(said.LIBRARY_BROKEN(stem(empty[1])), f"{empty[1]}: empty file", line)
    shown: dict[str, tuple[list[str], Line]] = {}
    for line, file in _files(text):
        files, _ = shown.setdefault(stem(file), ([], line))
        if file not in files:
            files.append(file)
    for name, (files, line) in shown.items():
        yield say(said.LIBRARY_LISTED(name), tuple(files), line)


def _files(text: Text) -> Iterator[tuple[Line, str]]:
    for line, match in text.matching(_CACHED, " => /"):
        yield line, match[1]
    folder = ""
    for _, typed, answer in commands(text, "cd ", *_LISTING):
        command = typed
        if typed.startswith("cd "):
            folder, _, rest = typed.partition("&&")
            command = rest.strip()
        if command.lower().startswith(("sudo ", *_LISTING)):
            place = command if _PATH.search(command) else folder
            yield from _named(answer, place)


def _named(answer: tuple[Line, ...], place: str) -> Iterator[tuple[Line, str]]:
    """The files in what a command answered of `place`, or that each row places by itself."""
    for line in answer:
        shared = _SHARED.search(line.text if _PATH.search(line.text) else place)
        if shared and not _TROUBLE.search(line.text):
            for match in _NAMED.finditer(line.text):
                yield line, base(match[0])
