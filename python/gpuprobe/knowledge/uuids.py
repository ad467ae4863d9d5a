"""UUIDs of GPUs out of redacted documents: how they are known, and what is left of them."""

from __future__ import annotations

import re

#: What redaction leaves: ``GPU-5d2f9a7c``, ``MIG-…``, ``MIG-GPU-…``, or the digits alone.
_HEAD = re.compile(r"(?:(?:GPU|MIG)-)*[0-9a-f]{8}", re.IGNORECASE)
#: Redaction numbers the digits behind it, so that most of the 24 are zeros; else one or two are.
_FEWEST_ZEROS = 12


def head_of(uuid: str) -> str:
    """What redaction leaves of a UUID; all of one that is shorter."""
    head = _HEAD.match(uuid)
    return uuid if head is None else head[0]


def is_redacted(uuid: str) -> bool:
    """Whether a UUID is one of those that redaction writes."""
    return uuid[len(head_of(uuid)) :].count("0") >= _FEWEST_ZEROS
