"""Windows' ``where``: the files that were looked for on the PATH and not found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line

#: Not where a folder to be searched is named.
_COMMAND = regex(
    r"(?i)\A(?:for %{1,2}\w in \([^()\n]{1,400}\) do @)?where(?:\.exe)? (?!.*(?:/r\b|:))"
)
#: The same for each name of a list; without the @ the prompt would show each command by itself.
_LOOP = regex(r"(?i)\Afor (%{1,2}\w) in \(([^()\n]{1,400})\) do @where(?:\.exe)? (\S{1,60})\s*\Z")
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
_ASKED = regex(r"(?i)(?<=[\s\"])[\w.-]{1,60}\.dll\b")
_FOUND = regex(r"[A-Za-z]:\\[^\n]{0,200}\\([\w.-]{1,60})\s*\Z")
_FOUND_NOT = regex(r"(?i)\bcould not find \"([\w.]{1,40})\"")


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
    if loop := _LOOP.match(command):
        names = [loop[3].replace(loop[1], each) for each in re.split(r"[\s,;]+", loop[2].strip())]
        yield from _in_turn(names, answer)
        return
    yield from _left_out(command, answer)
    for line in answer:
        if _is_none(line):
            yield command, line
        elif one := _FOUND_NOT.search(line.text):
            yield one[1], line


def _is_none(line: Line) -> bool:
    return any(words in line.text.lower() for words in FOUND_NONE)


def _in_turn(names: list[str], answer: tuple[Line, ...]) -> Iterator[tuple[str, Line]]:
    """Each name has its answer in its turn: a file or several of that name, or that there is none.

    Where an answer is of no name that is left, the turns are lost.
    """
    turn = 0
    for line in answer:
        found = re.split(r"[\\/]", line.text.strip().lower())[-1]
        if _is_none(line):
            if turn < len(names):
                yield names[turn], line
            turn += 1
        elif turn and found == names[min(turn, len(names)) - 1].lower():
            continue  # another file of the same name
        elif turn < len(names) and found == names[turn].lower():
            turn += 1
        else:
            return
