"""How a link, an entry or a verdict is marked: the sign, its colour and its class in a page."""

from __future__ import annotations

import enum

from ..diagnosis.model import Diagnosis, Verdict


class Mark(enum.Enum):
    """How a link is seen: it works, it is broken, it works in part, or nothing is said of it."""

    WORKS = "works"
    BROKEN = "broken"
    IN_PART = "in part"
    OPEN = "open"


SIGNS = {Mark.WORKS: "✓", Mark.BROKEN: "✗", Mark.IN_PART: "!", Mark.OPEN: "·"}
#: What a terminal paints them with, and the classes of the page's style sheet.
COLOURS = {
    Mark.WORKS: ("green",),
    Mark.BROKEN: ("red", "bold"),
    Mark.IN_PART: ("yellow", "bold"),
    Mark.OPEN: ("dim",),
}
CLASSES = {
    Mark.WORKS: "works",
    Mark.BROKEN: "broken",
    Mark.IN_PART: "part",
    Mark.OPEN: "open",
}

VERDICT_MARKS = {
    Verdict.HEALTHY: Mark.WORKS,
    Verdict.BROKEN: Mark.BROKEN,
    Verdict.DEGRADED: Mark.IN_PART,
    Verdict.UNKNOWN: Mark.OPEN,
}


def mark_of(diagnosis: Diagnosis) -> Mark:
    """The mark of the verdict; what is well by the words of a text alone was not seen to work."""
    guessed = diagnosis.verdict is Verdict.HEALTHY and diagnosis.guess is not None
    return Mark.OPEN if guessed else VERDICT_MARKS[diagnosis.verdict]
