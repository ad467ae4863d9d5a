"""Known messages that are harmless: named, so that nobody searches on, and never an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import said
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Text


def read(text: Text) -> Iterator[Statement]:
    """Each kind of noise once, with the first line that makes it."""
    from .wordings import harmless

    for sign in harmless.SIGNS:
        found = sign.find(text)
        if found is not None:
            line, value = found
            yield say(said.NOISE(sign.id), value, line)
