"""From pasted text to the same facts that a live machine gives, each with its line.

One file a format; a reader yields what it recognises and keeps silent about the rest. The order
of the readers is the order of trust: what a tool printed about the machine comes before what a
program's log lets one conclude, and that before what somebody typed into a form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fact, Facts, Value
from .text import Text

if TYPE_CHECKING:
    from .statement import Reader


def _readers() -> tuple[Reader, ...]:
    from . import collect_env, nvidia_smi

    return (nvidia_smi, collect_env)


def read(pasted: str) -> Facts:
    """The facts that `pasted` states. Never fails: text that says nothing gives no facts."""
    text = Text(pasted)
    facts: dict[str, Fact[Value]] = {}
    for reader in _readers():
        for key, fact in reader.read(text):
            facts.setdefault(key.name, fact)
    return Facts(facts)
