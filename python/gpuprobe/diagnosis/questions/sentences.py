"""What people say in a sentence decides where a text states nothing else that fails.

A program's words are surer than a reporter's, and a reporter may tell of what is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from .statements import seen_anyway, statements

if TYPE_CHECKING:
    from ...facts.model import Facts, Family, Keys

#: What a text states that speaks of another fault, or of one that a rule knows better.
_OTHERS: tuple[Family[object], ...] = (
    *(said.ERROR, names.XID, names.LIBRARY_MISSING, said.LIBRARY_BROKEN, said.SYMBOL_WANTED_BY),
    names.GPU_FAILURE,
)


def alone(facts: Facts) -> bool:
    """Whether somebody reports a fault of their own, and states nothing else that fails."""
    reporter = statements(facts, "reporter-speaks", "chinese-reporter")
    return bool(reporter) and not something_fails(facts) and not seen_anyway(facts)


def something_fails(facts: Facts) -> bool:
    """Whether a text states what fails, or a build that could not serve a GPU."""
    stated = {*facts.subjects(said.SIGN)} - said.CIRCUMSTANCES
    cpu = "cpu" in facts.known_of(names.PACKAGE_BUILD)
    others = any(facts.subjects(family) for family in _OTHERS)
    return bool(stated) or others or cpu


def in_sentences(facts: Facts, *signs: str) -> Keys:
    """Those of the sentences that are said, where they decide."""
    return statements(facts, *signs) if alone(facts) else ()
