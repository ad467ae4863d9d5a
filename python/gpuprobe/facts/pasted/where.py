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
_FOUND_NOT = re.compile(r"(?i)\bcould not find \"([\w.]{1,40})\"")


def searches_path(command: str) -> bool:
    """Whether a command asks for files on the PATH."""
    return _COMMAND.match(command) is not None


def not_found(command: str, answer: tuple[Line, ...]) -> Iterator[tuple[str, Line]]:
    """The names that were asked for in vain, together, and the line that says so."""
    for line in answer:
        if any(words in line.text.lower() for words in FOUND_NONE):
            yield command, line
        elif one := _FOUND_NOT.search(line.text):
            yield one[1], line
