"""Questions that several rules ask: answered once of the same facts, which do not change."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...facts.model import Facts

T = TypeVar("T")


def asked_once(question: Callable[[Facts], T]) -> Callable[[Facts], T]:
    """Keep the answer with the facts. It must not be an iterator, which the first rule empties."""

    @functools.wraps(question)
    def answer(facts: Facts) -> T:
        return facts.answer(question)

    return answer
