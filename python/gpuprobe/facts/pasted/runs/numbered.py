"""Code that asks for a GPU by its number: the highest one that it writes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from .environment import is_code

if TYPE_CHECKING:
    from ..text import Text

_NUMBERED = regex(
    r"\b(?:torch\.device|\.to|set_device|device\s?=)\s?\(?\s?f?['\"]cuda:(\d{1,2})['\"]"
    r"|\btf\.device\(['\"]/?(?:device:)?(?i:gpu):(\d{1,2})['\"]"
    r"|\A\s{0,12}gpus: ?\[ ?(\d{1,2}) ?\]\s*\Z"  # Triton's groups of instances
)


def read(text: Text) -> Statements:
    """With the line that writes it."""
    numbers = [
        (int(next(filter(None, match.groups()))), line)
        for line, match in text.matching(_NUMBERED, "cuda:", "gpu:", "gpus:")
        if is_code(line)
    ]
    if numbers:
        highest, line = max(numbers, key=lambda each: each[0])
        yield say(said.DEVICE_NUMBERED, highest, line)
