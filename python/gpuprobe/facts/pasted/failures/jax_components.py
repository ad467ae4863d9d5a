"""What JAX says of each CUDA library that is older than it takes: some lines a library.

    Outdated cuDNN installation found.
    Version JAX was built against: 8907
    Minimum supported: 9100
    Installed version: 8907

Older releases say the same in one sentence, which is a row of `wordings/jax.py`. Who tells of it
may leave out the numbers: the first line alone says which library is the older one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

_OUTDATED = regex(r"\bOutdated (\w{2,20}) installation\b")
#: Of these alone the numbers decide nothing more; cuDNN and CUDA are judged by theirs.
_BY_NAME = regex(r"cu(?:BLAS|FFT|SOLVER|SPARSE|PTI)")
_WANTED = regex(r"(?a)\bMinimum supported: {1,24}(\d{2,9})\b")
_FOUND = regex(r"(?a)\bInstalled version: {1,24}(\d{2,9})\b")
#: How JAX begins a row of numbers; one that cannot be read as a number is not left out.
_ROW = "Installed version:"
_LINES = 4


def read(text: Text) -> Statements:
    """Library, found, needed: what the sentence of older releases says as well; or the first."""
    for line, outdated in text.matching(_OUTDATED, "outdated "):
        below = text.after(line, _LINES)
        found, wanted = _number(_FOUND, below), _number(_WANTED, below)
        if found and wanted:
            value = f"{outdated[1]} {found} {wanted}"
            yield say(said.SIGN("jax-library-older-than-built"), value, line)
        elif _BY_NAME.fullmatch(outdated[1]) and not any(_ROW in each.text for each in below):
            yield say(said.SIGN("jax-library-older-than-built"), outdated[1], line)


def _number(pattern: re.Pattern[str], lines: tuple[Line, ...]) -> str | None:
    return next((match[1] for each in lines if (match := pattern.search(each.text))), None)
