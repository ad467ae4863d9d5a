"""Which Python a package takes, by its Requires-Python."""

from __future__ import annotations

from ....facts.regex import regex
from ....facts.version import Version

#: ``3.7.1 not in '>=3.9'``, as pip refuses; else the demand alone.
_REFUSED = regex(r"(\d[\d.]{0,8}) not in '([^']{1,60})'")
#: The minor releases of Python 3 that a demand may name.
_MINORS = range(5, 16)
#: Stands for the last of a minor release: a demand of >=3.7.1 takes 3.7.
_PATCH = 99


def taken_instead(told: str, python: Version | None) -> Version | None:
    """The Python nearest to the one that is there which the demand takes; None: none is told."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    refused = _REFUSED.search(told)
    demand = refused[2] if refused else told
    present = Version.parse(refused[1]) if refused else python
    try:
        asked = SpecifierSet(demand)
    except InvalidSpecifier:
        return None
    taken = [minor for minor in _MINORS if asked.contains(f"3.{minor}.{_PATCH}")]
    if not taken:
        return None
    there = taken[0] if present is None or len(present.parts) == 1 else present.minor
    return Version.of(3, min(taken, key=lambda minor: abs(minor - there)))
