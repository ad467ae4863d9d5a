"""What is kept of a line as a fact's value: all of it, or of a long one the telling part."""

from __future__ import annotations

#: So many characters are kept.
LIMIT = 400
#: Stands where more was cut off.
CUT = "…"
#: What tells something is kept as it is up to here; beyond that the line's beginning is cut off.
_NEAR, _BEFORE = 300, 150


def excerpt(text: str, at: int = 0) -> str:
    """`text`, or of a long one what stands around the position `at`."""
    if len(text) <= LIMIT:
        return text.strip()
    begin = 0 if at <= _NEAR else min(at - _BEFORE, len(text) - LIMIT)
    end = begin + LIMIT
    return CUT * (begin > 0) + text[begin:end].strip() + CUT * (end < len(text))
