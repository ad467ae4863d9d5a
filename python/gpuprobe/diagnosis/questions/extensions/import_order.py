"""Whether an extension was imported before torch, whose libraries it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ..statements import line_of

if TYPE_CHECKING:
    from ....facts.model import Facts, Key


def imported_before_torch(facts: Facts) -> tuple[Key[str], ...]:
    """What an extension misses of torch that every torch has, where torch is seen to work later."""
    key, works = names.LIBRARY_MISSING("c10"), said.FRAMEWORK_SEES_GPU("torch")
    missed = facts.known(key) is not None and facts.known(works) is True
    return (key,) if missed and line_of(facts, key) < line_of(facts, works) else ()
