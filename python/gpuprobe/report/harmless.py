"""The messages of a text that look like faults and are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import said
from ..facts.model import Facts, Known

if TYPE_CHECKING:
    from collections.abc import Iterator

TITLE = "Harmless, whatever it looks like"


def harmless(facts: Facts) -> tuple[tuple[str, str], ...]:
    """What each such message means, and the line that makes it."""
    return tuple(_messages(facts))


def _messages(facts: Facts) -> Iterator[tuple[str, str]]:
    found = facts.subjects(said.NOISE)
    if not found:
        return
    from ..facts.pasted.wordings.harmless import SIGNS

    meanings = {sign.id: sign.means for sign in SIGNS}
    for message in found:
        fact = facts.fact(said.NOISE(message))
        if isinstance(fact, Known):
            yield meanings.get(message, message.replace("-", " ")), fact.source
