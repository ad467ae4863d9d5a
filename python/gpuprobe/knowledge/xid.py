"""Xid events: what the kernel module reports of a GPU, and who is mostly to blame."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from .tables import Record, load


@dataclass(frozen=True, slots=True)
class Xid:
    """One kind of event; not `verified`: the source was not read word for word.

    `blames` is the usual reading: "device" (the card, its link or its firmware), "program" (a
    fault of the code that ran), "follows" (from an earlier event) or "notice" (nothing failed).
    """

    number: int
    blames: str
    meaning: str
    verified: bool
    source: str


@functools.cache
def _table() -> dict[int, Xid]:
    rows = load("xid").section("xids")
    return {row.integer("xid"): _event(row) for row in rows}


def _event(row: Record) -> Xid:
    number, blames, meaning = row.integer("xid"), row.text("blames"), row.text("meaning")
    return Xid(number, blames, meaning, row.verified, row.source)


def by_number(number: int) -> Xid | None:
    """What event `number` reports; None: the table does not list it."""
    return _table().get(number)
