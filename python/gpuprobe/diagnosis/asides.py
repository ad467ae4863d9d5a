"""Which judgement of a text counts: of all that it says, or of what it does not say aside.

Somebody who asks about something else quotes faults of another time or machine. To believe it
takes more than how a quotation is introduced: without it, the text has to show at work what the
fault breaks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ..facts import said
from ..facts.model import Facts, Known
from .at_work import shown
from .failures import failures_of
from .model import Diagnosis, Link, Verdict
from .questions.statements import line_in
from .text import broken, noted

F = TypeVar("F", bound=Facts)


def without_asides(facts: F) -> F | None:
    """The facts that no aside tells; None where the text has no asides."""
    numbers = facts.known(said.ASIDES)
    if numbers is None:
        return None
    lines = {int(number) for number in numbers}
    told = (
        name
        for name, fact in facts.items()
        if isinstance(fact, Known) and line_in(fact.source) in lines
    )
    return facts.without({*told})


def chosen(whole: Diagnosis, apart: Diagnosis, rest: Facts) -> Diagnosis:
    """The judgement `apart` from the asides where it may be believed, else of the `whole`."""
    root = whole.root
    if root is None and apart.verdict is Verdict.HEALTHY:
        return apart
    if root is None and whole.verdict is not Verdict.UNKNOWN:
        return whole
    if root is not None and not any(link >= broken(root) for link, _ in shown(rest)):
        return whole
    if apart.root is not None and apart.root.cause not in {each.cause for each in whole.placed}:
        return whole  # what is found only where lines are left out is found for want of them
    left = {each.finding.title for each in apart.placed}
    told = (noted(each, "Told aside") for each in whole.placed if each.finding.title not in left)
    found = replace(apart, placed=(*apart.placed, *told))
    works = any(link is Link.WORK for link, _ in shown(rest))
    if apart.verdict is Verdict.UNKNOWN and works and not any(failures_of(rest, Link.HARDWARE)):
        return replace(found, verdict=Verdict.HEALTHY, settling=(), next_step=None)
    return found
