"""One command run twice: as root, where it gets at the GPU, and as a user, where it does not."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..prompts import answer, command_of, commands
from ..statement import Statements, say

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from ..text import Line, Text

_AS_ROOT = regex(r"\Asudo (?:-\w+ |--preserve-env\S* )*(?P<command>.+)")
_WORKS = regex(r"\bTrue\b|\bResult = PASS\b|\A\s*GPU 0: |GPU:0\b|CudaDevice\(id=0")
_FAILS = regex(
    r"\bFalse\b|\bResult = FAIL\b|\A\s*\[\]\s*\Z|No CUDA GPUs are available"
    r"|cudaGetDeviceCount returned"
)
#: So many are looked for: each is searched for in the whole text.
_COMMANDS = 8


def read(text: Text) -> Statements:
    """That root alone gets at the GPU, with the command that shows it."""
    worked = tuple(islice(dict.fromkeys(_worked_as_root(text)), _COMMANDS))
    for line in text.having(*(command.lower() for command in worked)) if worked else ():
        own = command_of(line)
        if own is not None and own.strip() in worked and _fails(text, line):
            yield say(said.SIGN("root-only"), excerpt(own), line)
            return


def _worked_as_root(text: Text) -> Iterator[str]:
    for _, typed, answered in commands(text, "sudo "):
        as_root = _AS_ROOT.match(typed)
        if as_root and _answers(answered, _WORKS) and not _answers(answered, _FAILS):
            yield as_root["command"].strip()


def _fails(text: Text, line: Line) -> bool:
    answered = answer(text, line)
    return _answers(answered, _FAILS) and not _answers(answered, _WORKS)


def _answers(lines: tuple[Line, ...], pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(line.text) for line in lines)
