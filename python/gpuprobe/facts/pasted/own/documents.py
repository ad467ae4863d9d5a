"""Reports and snapshots as JSON: typed facts with their sources, taken whole."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model import Fact, Unknown, Value
from ...regex import regex
from ...snapshot import SnapshotError, facts_from_json
from .rows import elsewhere
from .spans import blank

if TYPE_CHECKING:
    from collections.abc import Iterator

_CUES = ('"schema"', '"facts"')
_START = regex(r'\{\s*"schema"\s*:')
#: Documents that are tried; a text that only looks like many must not cost their square.
_TRIED = 8


def documents(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """The facts of the documents in a text, and the text without these."""
    facts: dict[str, Fact[Value]] = {}
    spans = []
    for start, end, found in _documents(pasted) if all(cue in pasted for cue in _CUES) else ():
        facts = {**found, **facts}
        spans.append((start, end))
    return facts, blank(pasted, spans) if spans else pasted


def _documents(pasted: str) -> Iterator[tuple[int, int, dict[str, Fact[Value]]]]:
    """Each document's beginning, end and facts; what cannot be read stays text."""
    at, decoder = 0, json.JSONDecoder()
    for _ in range(_TRIED):
        match = _START.search(pasted, at)
        if match is None:
            return
        at = match.end()
        try:
            document, end = decoder.raw_decode(pasted, match.start())
            facts, _ = facts_from_json(document.get("facts"))
        except (ValueError, RecursionError, SnapshotError):
            continue
        yield match.start(), end, {name: _of_its_text(fact) for name, fact in facts.items()}
        at = end


def _of_its_text(fact: Fact[Value]) -> Fact[Value]:
    return fact if isinstance(fact, Unknown) else replace(fact, source=elsewhere(fact.source))
