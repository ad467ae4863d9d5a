"""gpuprobe's own reports and snapshots, alone or inside an issue: their facts are taken whole.

A JSON document carries typed facts with their sources. The folded table of a Markdown or HTML
report carries the same as words, the text for a terminal only what its findings rest on: facts, and
lines of the text that was judged, which are read once more.
"""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, cast

from ..model import Absent, Fact, Key, Known, Value
from ..regex import regex
from ..snapshot import SnapshotError, facts_from_json, find_key
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Text

_CUES = ('"schema"', '"facts"')
_START = regex(r'\{\s*"schema"\s*:')
#: Documents that are tried; a text that only looks like many must not cost their square.
_TRIED = 8

_NAME = r"[a-z]\w*(?:\.[\w+-]+)+"
_ROWS = (
    regex(rf"^\|\s*`({_NAME})`\s*\|\s*`+ ?(.*?) ?`+\s*\|\s*(.*?)\s*\|$"),
    regex(rf"^(?:  Seen)?\s+({_NAME}) = (.*?)(?: \(([^()]*(?:\([^()]*\))?[^()]*)\))?$"),
    regex(rf"^- `({_NAME})` = `+ ?(.*?) ?`+, from (.*)$"),
)
#: All rows of a page stand on one line, which is longer than what a text keeps of a line.
_HTML_ROW = regex(
    rf'<tr><th scope="row"><code>({_NAME})</code></th><td>([^<]*)</td>'
    r'<td class="soft">([^<]*)</td></tr>'
)
_ESCAPED = regex(r"\\([\\`*_{}\[\]<>#|~&])")  # as Markdown writes these characters
#: What findings rest on in the text for a terminal, wrapped: the block, and how a piece begins.
_SEEN = regex(r"(?m)^  Seen {4}[^\n]*(?:\n {10}(?! )[^\n]*)*")
_QUOTED = regex(r"line \d{1,9}:(?: |\Z)")
_STATED = regex(rf"{_NAME} = ")
#: What our reports advise, which names faults that are none of this machine's.
_ADVICE = (
    regex(r"(?m)^  (?:Fix {5}|Risk {4}|Undo {4})[^\n]*(?:\n {10}[^\n]*)*"),
    regex(r"(?m)^\u2192 [^\n]*(?:\n {2}[^\n]*)*"),
    regex(r"(?m)^\*\*(?:Fix|Undo)\*\*: [^\n]*(?:\n\n```sh\n[^`]*```)?"),
    regex(r"<h3>How to mend it</h3>[^\n]*?</section>"),
)
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def take_out(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """The facts of our documents in a text, and the text with blank lines in place of JSON."""
    facts: dict[str, Fact[Value]] = {}
    for row in _HTML_ROW.finditer(pasted):
        facts.update((key.name, fact) for key, fact in _fact(*map(html.unescape, row.groups())))
    if "gpuprobe" in pasted:
        for advice in _ADVICE:
            pasted = advice.sub(lambda block: "\n" * block[0].count("\n"), pasted)
    if "\n  Seen    " in pasted:
        pasted = _SEEN.sub(lambda block: "\n".join(_unwrapped(block[0])), pasted)
    if not all(cue in pasted for cue in _CUES):
        return facts, pasted
    for start, end, found in _documents(pasted):
        facts = {**found, **facts}
        pasted = pasted[:start] + re.sub(r"[^\n]", " ", pasted[start:end]) + pasted[end:]
    return facts, pasted


def _unwrapped(block: str) -> Iterator[str]:
    """Each piece in one line, what is quoted as it was, and as many lines as there were."""
    pieces: list[list[str]] = []
    for line in block.split("\n"):
        text = line[10:]
        if not pieces or _QUOTED.match(text) or _STATED.match(text):
            pieces.append([])
        pieces[-1].append(text)
    for piece in pieces:
        whole = " ".join(piece)
        quoted = _QUOTED.match(whole)
        yield whole[quoted.end() :] if quoted else f"          {whole}"
        yield from ("" for _ in piece[1:])


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
        yield match.start(), end, dict(facts)
        at = end


def read(text: Text) -> Iterator[Statement]:
    """The facts that a report in words shows."""
    if "gpuprobe" not in text:
        return
    for line in text.having("`", " = "):
        for match in filter(None, (row.match(line.text) for row in _ROWS)):
            shown, source = match[2].replace("\\|", "|"), match[3] or line.source
            yield from _fact(match[1], shown, _ESCAPED.sub(r"\1", source))


def _fact(name: str, shown: str, source: str) -> Iterator[Statement]:
    key = find_key(name)
    if key is None or shown == "unknown":
        return
    if shown == "absent":
        yield cast("Statement", (key, Absent(source)))
        return
    value = _value(key, shown)
    if value is not None:
        yield cast("Statement", (key, Known(value, source)))


def _value(key: Key[object], shown: str) -> Value | None:
    """The value in the key's type; None where the words state none."""
    if key.type is Version:
        return Version.parse(shown)
    if key.type is bool:
        return _YES_NO.get(shown.lower())
    if key.type is tuple:
        return () if shown in ("", "none") else tuple(shown.split(", "))
    try:
        if key.type is int:
            return int(shown)
        return float(shown) if key.type is float else shown
    except ValueError:
        return None
