"""Windows' ``where``: the files that were looked for on the PATH and not found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Line

#: Not where a folder to be searched is named.
_COMMAND = re.compile(r"(?i)\Awhere(?:\.exe)? (?!.*(?:/r\b|:))")
#: Windows' answer where it finds none of the names, in its languages; and of one among several.
FOUND_NONE = (
    "could not find files for the given pattern",
    "mit dem angegebenen muster gefunden",
    "impossible de trouver des fichiers pour",
    "no se pudo encontrar ningún archivo para",
    "não foi possível localizar arquivos para",
    "impossibile trovare file corrispondenti",
    "не удается найти файлы по заданным шаблонам",
    "用提供的模式无法找到文件",
    "与えられたパターンのファイルが見つかりません",
)
_ASKED = re.compile(r"(?i)(?<=[\s\"])[\w.-]{1,60}\.dll\b")
_FOUND = re.compile(r"[A-Za-z]:\\[^\n]{0,200}\\([\w.-]{1,60})\s*\Z")
_FOUND_NOT = re.compile(r"(?i)\bcould not find \"([\w.]{1,40})\"")


def searches_path(command: str) -> bool:
    """Whether a command asks for files on the PATH."""
    return _COMMAND.match(command) is not None


def _left_out(command: str, answer: tuple[Line, ...]) -> Iterator[tuple[str, Line]]:
    """The files of a list of names that are not among those that were found."""
    lines = [line for line in answer if line.text.strip()]
    found = [_FOUND.match(line.text) for line in lines]
    shown = {match[1].lower() for match in found if match}
    asked = [name.lower() for name in _ASKED.findall(command)]
    if shown and all(found) and shown <= {*asked}:
        for name in asked:
            if name not in shown:
                yield name, lines[-1]


def not_found(command: str, answer: tuple[Line, ...]) -> Iterator[tuple[str, Line]]:
    """The names that were asked for in vain, together, and the line that says so.

    What it says of one among several goes to another stream, and may be left out: then the files
    that it found tell which it did not.
    """
    yield from _left_out(command, answer)
    for line in answer:
        if any(words in line.text.lower() for words in FOUND_NONE):
            yield command, line
        elif one := _FOUND_NOT.search(line.text):
            yield one[1], line
