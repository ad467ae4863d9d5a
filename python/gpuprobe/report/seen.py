"""What a finding rests on, as reports show it: a fact with its value, or the line that tells it.

Of a machine every fact is shown with the place where it was read. In a text a statement has no
better words than the reporter's own: his line is quoted, once, whatever it tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..facts.excerpt import CUT, excerpt
from .units import shown_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnosis.model import Evidence, Finding
    from .model import Report

#: How the names of facts begin whose values are words out of a line.
_STATEMENTS = ("about.", "error.", "sign.", "symbol.", "text.", "xid.")


#: Which sources a row of a table has, by their names in that table's file; JSON keeps them.
_IDS = re.compile(r" \[[\w, ]+\](?=, read )")


@dataclass(frozen=True, slots=True)
class Seen:
    """A quoted line, then `fact` is empty; or a fact, its value, and where it was read."""

    fact: str
    value: str
    source: str

    @property
    def words(self) -> str:
        """The whole as one piece of text."""
        if not self.fact:
            return f"{self.source}: {self.value}"
        return f"{self.fact} = {self.value}"


def seen(report: Report, finding: Finding) -> Iterator[Seen]:
    """The evidence in its order, each line of a text once."""
    quotes = report.quotes
    quoted = {each.source for each in finding.evidence if _is_told(each, quotes)}
    shown_already: set[str] = set()
    for each in finding.evidence:
        if each.source not in quoted:
            yield Seen(each.fact, shown_of(each.fact, each.value), _IDS.sub("", each.source))
        elif each.source not in shown_already:
            shown_already.add(each.source)
            place = each.source.removesuffix(" of the text")
            yield Seen("", _telling(quotes[each.source], each.value), place)


def _telling(line: str, value: str) -> str:
    """What of a long line stands around the words that tell a fact."""
    is_part = value.startswith(CUT)  # and was cut out so that it tells
    return value if is_part else excerpt(line, max(0, line.find(value)))


def _is_told(evidence: Evidence, quotes: Mapping[str, str]) -> bool:
    """Whether the line says more than the fact's name and value."""
    line = quotes.get(evidence.source)
    if line is None:
        return False
    return evidence.fact.startswith(_STATEMENTS) or evidence.value not in line
