"""Where the facts come from: a look at a machine, or what programs said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names

if TYPE_CHECKING:
    from ...facts.model import Facts

#: The families of what programs say, in `facts.said`.
_STATEMENTS = ("error.", "sign.", "memory.")


def looked_at(facts: Facts) -> bool:
    """Whether these facts come from a look at a machine; a text states no level of the look."""
    return names.PROBE_LEVEL.name in facts


def anything_said(facts: Facts) -> bool:
    """Whether programs said something: a look at a machine that works has no statements."""
    return any(name.startswith(_STATEMENTS) for name in facts)
