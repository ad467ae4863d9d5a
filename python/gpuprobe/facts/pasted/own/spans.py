"""Places in a text, and the text without them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def blank(pasted: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with nothing but the ends of lines in these places, which follow one another."""
    parts, at = [], 0
    for start, end in spans:
        parts += [pasted[at:start], re.sub(r"[^\n]", " ", pasted[start:end])]
        at = end
    return "".join([*parts, pasted[at:]])
