"""One command run twice: as root, where it gets at the GPU, and as a user, where it does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from .prompts import answer, command_of, commands
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Line, Text

_AS_ROOT = re.compile(r"\Asudo (?:-\w+ |--preserve-env\S* )*(?P<command>.+)")
_WORKS = re.compile(r"\bTrue\b|\bResult = PASS\b|\A\s*GPU 0: |GPU:0\b|CudaDevice\(id=0")
_FAILS = re.compile(
    r"\bFalse\b|\bResult = FAIL\b|\A\s*\[\]\s*\Z|No CUDA GPUs are available"
    r"|cudaGetDeviceCount returned"
)


def read(text: Text) -> Iterator[Statement]:
    """That root alone gets at the GPU, with the command that shows it."""
    for _, typed, answered in commands(text, "sudo "):
        as_root = _AS_ROOT.match(typed)
        if as_root is None or not _answers(answered, _WORKS) or _answers(answered, _FAILS):
            continue
        command = as_root["command"].strip()
        for line in text.having(command.lower()):
            own = command_of(line)
            if own is not None and own.strip() == command and _fails(text, line):
                yield say(said.SIGN("root-only"), command[:240], line)
                return


def _fails(text: Text, line: Line) -> bool:
    answered = answer(text, line)
    return _answers(answered, _FAILS) and not _answers(answered, _WORKS)


def _answers(lines: tuple[Line, ...], pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(line.text) for line in lines)
