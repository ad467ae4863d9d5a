"""What holds a GPU's clocks down, as its driver or its board tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from .statements import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key

#: Reasons by which hardware protects itself. A GPU at its power limit only works hard.
_PROTECTS = ("thermal", "hw slowdown", "power brake")


def protecting(facts: Facts) -> tuple[Key[object], ...]:
    """What shows that the hardware slows itself down, for heat or for want of power."""
    found = (key for word in _PROTECTS for key in throttled(facts, word))
    read = tuple(dict.fromkeys(found))  # a GPU mostly gives more than one of these reasons
    told = statements(facts, "hw-slowdown", "power-cable", "board-over-current")
    return (*read, *_too_hot(facts), *told)


def _too_hot(facts: Facts) -> Iterator[Key[object]]:
    """GPUs as hot as their own limit, from which on they slow down."""
    for gpu in facts.subjects(names.GPU_TEMPERATURE_SLOWDOWN):
        keys = (names.GPU_TEMPERATURE(gpu), names.GPU_TEMPERATURE_SLOWDOWN(gpu))
        now, limit = map(facts.known, keys)
        if now and limit and now >= limit:
            yield from keys


def throttled(facts: Facts, word: str) -> tuple[Key[object], ...]:
    """The reasons of those GPUs that give one with this word in it."""
    keys = (names.GPU_THROTTLE(gpu) for gpu in facts.subjects(names.GPU_THROTTLE))
    return tuple(
        key for key in keys if any(word in each.lower() for each in facts.known(key) or ())
    )
