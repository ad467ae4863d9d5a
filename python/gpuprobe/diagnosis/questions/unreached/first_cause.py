"""Why the program of a pasted text does not reach the driver: one question for seven rules.

On a machine each rule looks for itself. A text tells of the same faults in the words of whatever
program met them, and seldom says where it ran: without libcuda, without a device, without an
answer of nvidia-smi. So the causes are tried one after the other, what decides most first, and
exactly one of the rules names the one that is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..once import asked_once
from ..source import looked_at

if TYPE_CHECKING:
    from ....facts.model import Facts
    from .cause import Unreached


@asked_once
def unreached(facts: Facts) -> Unreached | None:
    """The one reason; None where the text does not tell of such a failure, or not why."""
    if looked_at(facts):
        return None  # each rule looks for itself, and needs none of what is imported here
    from ..statements import seen_anyway
    from .order import BESIDE_WORK, CAUSES

    causes = BESIDE_WORK if seen_anyway(facts) else CAUSES
    return next((found for cause in causes if (found := cause(facts)) is not None), None)


def stands_for(facts: Facts, cause: str) -> Unreached | None:
    """The reason, where it is this one."""
    found = unreached(facts)
    return found if found is not None and found.cause == cause else None
