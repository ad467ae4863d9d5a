"""From pasted text to the same facts that a live machine gives, each with its line.

One file a format; a reader yields what it recognises and keeps silent about the rest. The order
of the readers is the order of trust: what a tool printed about the machine comes before what a
program's log lets one conclude, and that before what somebody typed into a form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Facts
from .text import Text

if TYPE_CHECKING:
    from .statement import Reader

#: Why a fact is unknown that the text does not state.
SILENCE = "not in the text"


def _readers() -> tuple[Reader, ...]:
    from . import collect_env, nvidia_smi, own

    return (own, nvidia_smi, collect_env)


def read(pasted: str) -> Facts:
    """The facts that `pasted` states. Never fails: text that says nothing gives no facts."""
    from . import own

    facts, rest = own.take_out(pasted)
    text = Text(rest)
    for reader in _readers():
        for key, fact in reader.read(text):
            facts.setdefault(key.name, fact)
    return Facts(facts, silence=SILENCE)
