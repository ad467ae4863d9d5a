"""Whether the GPU is a laptop's: its power comes over the board, by a profile of the maker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import cues

if TYPE_CHECKING:
    from ..text import Text

#: A laptop that is told in the line of its GPU, or a product for laptops alone.
_LAPTOP = regex(
    r"(?ai)\A\s*laptop\b|\b(?:nvidia|geforce|[gr]tx|quadro|\d0[5-9]0)\b[^\n]{0,60}\b(?:laptop"
    r"|mobile|max-?q)\b|\b(?:laptop|notebook)\b[^\n]{0,60}\b(?:nvidia|geforce|[gr]tx)\b"
    r"|\b(?:thinkpad|ideapad|zbook|latitude \d{4}|zephyrus|razer blade)\b"
)
_CUES = cues("laptop|notebook|mobile|max-q|maxq|thinkpad|ideapad|zbook|latitude|zephyrus|razer")
_NOT = regex(r"(?i)\b(?:not|no|another|other|on my) (?:an? |my )?(?:laptop|notebook)\b")


def read(text: Text) -> Statements:
    """The first line that says so."""
    for line, _ in text.matching(_LAPTOP, *_CUES):
        if not _NOT.search(line.text):
            yield say(said.LAPTOP, True, line)
            return
