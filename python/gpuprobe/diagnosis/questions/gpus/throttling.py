"""What holds a GPU's clocks down, as its driver or its board tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ..statements import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

#: A GPU that works at less than this share of the clock of its like is held down, where it is hot:
#: by its power limit alone none goes so far down.
_HALF, _HOT, _BUSY = 0.5, 80, 50
#: Reasons by which hardware protects itself. A GPU at its power limit only works hard.
_PROTECTS = ("thermal", "hw slowdown", "power brake")


def protecting(facts: Facts) -> Keys:
    """What shows that the hardware slows itself down, for heat or for want of power."""
    found = (key for word in _PROTECTS for key in throttled(facts, word))
    read = tuple(dict.fromkeys(found))  # a GPU mostly gives more than one of these reasons
    told = statements(facts, "hw-slowdown", *_WEAK_SUPPLY)
    return (*read, *_too_hot(facts), *told)


def by_heat(facts: Facts) -> bool:
    """Whether heat is what the hardware gives as its reason."""
    return bool(throttled(facts, "thermal") or tuple(_too_hot(facts)))


def by_weak_supply(facts: Facts) -> bool:
    """Whether it is the power that comes in."""
    return bool(throttled(facts, "power brake") or statements(facts, *_WEAK_SUPPLY))


#: What programs tell of the power that comes in; a hardware slowdown alone has both reasons.
_WEAK_SUPPLY = ("power-cable", "board-over-current")


def _too_hot(facts: Facts) -> Iterator[Key[object]]:
    """GPUs as hot as their own limit, from which on they slow down."""
    for gpu in facts.subjects(names.GPU_TEMPERATURE_SLOWDOWN):
        keys = (names.GPU_TEMPERATURE(gpu), names.GPU_TEMPERATURE_SLOWDOWN(gpu))
        now, limit = map(facts.known, keys)
        if now and limit and now >= limit:
            yield from keys


def throttled(facts: Facts, word: str) -> Keys:
    """The reasons of those GPUs that give one with this word in it."""
    keys = facts.keys_of(names.GPU_THROTTLE)
    return tuple(
        key for key in keys if any(word in each.lower() for each in facts.known(key) or ())
    )


def below_its_like(facts: Facts) -> Keys:
    """A hot GPU at work whose clock is far below that of another of the same product, and theirs.

    Where one is of another product, or nobody says what it is, the clocks are not compared.
    """
    clocks = {gpu: facts.known(names.GPU_CLOCK_SM(gpu)) or 0 for gpu in _all_alike(facts)}
    fastest = max(clocks, key=lambda gpu: clocks[gpu], default="")
    for gpu, clock in clocks.items():
        hot = (facts.known(names.GPU_TEMPERATURE(gpu)) or 0) >= _HOT
        busy = (facts.known(names.GPU_UTILIZATION(gpu)) or 0) >= _BUSY
        if hot and busy and 0 < clock < _HALF * clocks[fastest]:
            own = (names.GPU_CLOCK_SM(gpu), names.GPU_TEMPERATURE(gpu))
            return (*own, names.GPU_CLOCK_SM(fastest))
    return ()


def _all_alike(facts: Facts) -> tuple[str, ...]:
    """The GPUs of which a clock is told, if all are of one product."""
    told = facts.subjects(names.GPU_CLOCK_SM)
    products = {facts.known(names.GPU_NAME(gpu)) for gpu in told}
    return told if len(products) == 1 and None not in products else ()
