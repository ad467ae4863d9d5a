"""gpuprobe's own reports and snapshots, alone or inside an issue: their facts are taken whole.

A JSON document carries typed facts with their sources; the folded table of a Markdown or HTML
report carries the same as words. The text for a terminal has only what its findings rest on: facts,
and lines of the text that was judged, which are read once more; so that what was found is taken as
well (`reported`). All other prose of a report tells of no machine. Of a report that is only in part
there, every row of facts is read that is.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from .. import reported
from ..model import Absent, Fact, Key, Known, Unknown, Value, entry
from ..regex import regex
from ..snapshot import SnapshotError, facts_from_json, find_key
from ..version import Version
from .reported import findings, judged, stated
from .text import ANSI
from .values import size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..model import Entry
    from .statement import Statement, Statements
    from .text import Text

_CUES = ('"schema"', '"facts"')
_START = regex(r'\{\s*"schema"\s*:')
#: Documents that are tried; a text that only looks like many must not cost their square.
_TRIED = 8

_NAME = r"[a-z]\w*(?:\.[\w+-]+)+"
#: One more than the value has in a row, where it stands in this fence.
_FENCE = "`{1,20}"
_ROWS = (
    regex(
        rf"^\|\s*`({_NAME})`\s*\|\s*{_FENCE} ?((?:[^|]|(?<=\\)\|)*?) ?{_FENCE}\s{{0,80}}\|"
        r"((?:[^|\\]|\\.)*)\|$"
    ),
    regex(rf"^(?:  Seen)?\s+({_NAME}) = (.*?)(?: \(([^()]*(?:\([^()]*\)[^()]*)?)\))?$"),
    regex(rf"^- `({_NAME})` = {_FENCE} ?(.*?) ?{_FENCE}, from (.*)$"),
)
#: All rows of a page stand on one line, which is longer than what a text keeps of a line.
_BREAK = "<wbr>"  # where a long name may be broken
_HTML_ROW = regex(
    rf'<tr><th scope="row"><code>((?:[\w.+-]|{_BREAK})+)</code></th><td>([^<]*)</td>'
    r'<td class="soft">([^<]*)</td></tr>'
)
_PAGE = ("<!DOCTYPE html>", "</html>")
_TABLE = regex(
    r"(?m)^<details><summary>\d{1,6} facts?</summary>\s*\n\| fact \| value \| where \|\s*\n"
    r"((?:\|[^\n]*\n)*)\s*(?:</details>)?"
)
_VERDICTS = (
    "(?:Healthy|Perhaps healthy|Broken|Perhaps broken|Cannot work here|The program fails"
    "|Works in part|Unknown)"
)
#: How a report in Markdown begins.
_MARKDOWN = regex(rf"(?m)^\*\*{_VERDICTS}\b[^\n]*\*\*\s*$")
#: The text for a terminal: from the tool's name to the counts of the checks and the verdict.
_TERMINAL = regex(
    r"(?m)^gpuprobe \d{1,4}\.\d\S{0,40}(?: \S [^\n]*)?\n"
    r"(?:(?:(?:  |(?:[^\w\s(\[{<]{1,2}|x) |Could not be|Where it cannot|Also of use|Harmless,)"
    r"[^\n]*)?\n)*?"
    rf"\d{{1,4}} checks?: [^\n]*\n(?:[a-z\d][^\n]*\n)?\S {_VERDICTS}\b[^\n]*(?:\n  \S[^\n]*)*"
)
#: Without either no part of a report is there: its name, how the line with a handle begins.
_OURS = "gpuprobe", "\n  GP"
#: The first line of one that does not stand at the margin.
_INDENTED = regex(r"(?m)^((?:> ?){1,4}[ \t]{0,8}|[ \t]{1,8})gpuprobe \d{1,4}\.\d")
_VERDICT = regex(rf"\S ({_VERDICTS}\b.*)")
_ESCAPED = regex(r"\\([\\`*_{}\[\]<>#|~&])")  # as Markdown writes these characters
#: What findings rest on in the text for a terminal, wrapped: the block, and how a piece begins.
_SEEN = regex(r"(?m)^  Seen {4}[^\n]*(?:\n {10}(?! )[^\n]*)*")
_NARROW = "\n  Seen\n"  # below 60 columns, where nothing is put together again
_LINE = regex(r"\A(line \d{1,9}) of the text\Z")
_QUOTED = regex(r"line \d{1,9}:(?: |\Z)")
_STATED = regex(rf"{_NAME} = ")
#: What our reports advise, which names faults that are none of this machine's.
_ADVICE = (
    regex(r"(?m)^  (?:Fix {5}|Risk {4}|Undo {4})[^\n]*(?:\n {10}[^\n]*)*"),
    regex(r"(?m)^\u2192 [^\n]*(?:\n {2}[^\n]*)*"),
    regex(r"(?m)^\*\*(?:Fix|Undo)\*\*: [^\n]*(?:\n\n```sh\n[^`]*```)?"),
    regex(r"<h3>How to mend it</h3>(?:(?!<h3>How to mend it<)[^\n])*?</section>"),
)
#: A size as a finding's evidence shows it; in the tables of all facts it stands in bytes.
_SIZE = regex(r"(?a)\A(\d{1,9}(?:\.\d)?) ([KMGT]i)?B\Z")
#: As reports show a text without letters.
_EMPTY = "(empty)"
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def take_out(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """The facts of our documents in a text, and the text with blank lines in their place."""
    facts: dict[str, Fact[Value]] = {}
    if any(cue in pasted for cue in _OURS):
        pasted = bare(pasted)
        facts = dict(_judgement(pasted))
        for take in (_html, _markdown, _terminal):
            found, pasted = take(pasted)
            facts = {**found, **facts}
        for advice in _ADVICE:
            pasted = advice.sub(lambda block: "\n" * block[0].count("\n"), pasted)
    if "\n  Seen    " in pasted:
        pasted = _SEEN.sub(lambda block: "\n".join(_unwrapped(block[0])), pasted)
    if not all(cue in pasted for cue in _CUES):
        return facts, pasted
    spans = []
    for start, end, found in _documents(pasted):
        facts = {**found, **facts}
        spans.append((start, end))
    return facts, _blank(pasted, spans)


def verdict_told(pasted: str) -> str | None:
    """The verdict of the last of our reports for a terminal in a text, in its words."""
    told = None
    for report in _TERMINAL.finditer(bare(pasted)) if "gpuprobe" in pasted else ():
        told = _verdict(report[0].split("\n")) or told
    return told


def _verdict(lines: Sequence[str]) -> str | None:
    """The verdict that ends a report, in one line."""
    told = None
    for number, line in enumerate(lines):
        verdict = _VERDICT.match(line)
        if verdict:
            told = " ".join([verdict[1], *map(str.strip, lines[number + 1 :])])
    return told


def _judgement(pasted: str) -> Iterator[Entry]:
    """What the last of our reports for a terminal found, and where it stands.

    Where no report is there as a whole, what is there of its findings.
    """
    reports = [*_TERMINAL.finditer(pasted)]
    start, whole = (reports[-1].start(), reports[-1][0]) if reports else (0, pasted)
    lines = [line.rstrip() for line in whole.split("\n")]
    first = pasted.count("\n", 0, start) + 1
    found = findings(lines, first)
    if not reports and not found:
        return
    begins, ends = first, first + len(lines) - 1
    if not reports:
        begins, ends = found[0].number, found[-1].last
    source = f"line {ends} of the text"
    yield entry(reported.FIRST_LINE, Known(begins, source))
    yield entry(reported.LAST_LINE, Known(ends, source))
    yield entry(reported.SOURCE, Known(judged(lines), source))
    verdict = _verdict(lines) if reports else None
    if verdict is not None:
        yield entry(reported.VERDICT, Known(verdict, source))
    yield from stated(found)


def bare(pasted: str) -> str:
    """The text with reports that stand at the margin, without colours: as many lines as before.

    A letter quotes them behind ``> ``, Markdown indents them as a block of code.
    """
    pasted = ANSI.sub("", pasted.replace("\r\n", "\n"))
    if not _INDENTED.search(pasted):
        return pasted
    margin, lines = "", []
    for line in pasted.split("\n"):
        begins = _INDENTED.match(line)
        if begins:
            margin = begins[1]
        elif line.strip() and not line.startswith(margin.rstrip()):
            margin = ""
        lines.append(line[len(margin) :] if line.startswith(margin) else line.strip("> \t"))
    return "\n".join(lines)


def _blank(pasted: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with nothing but the ends of lines in these places, which follow one another."""
    parts, at = [], 0
    for start, end in spans:
        parts += [pasted[at:start], re.sub(r"[^\n]", " ", pasted[start:end])]
        at = end
    return "".join([*parts, pasted[at:]])


def _html(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """Of pages, and of rows of them that stand in another text."""
    facts = {
        key.name: fact
        for row in _HTML_ROW.finditer(pasted)
        for name, shown, source in [map(html.unescape, row.groups())]
        for key, fact in _fact(name.replace(_BREAK, ""), shown, _elsewhere(source))
    }
    pages = _pages(pasted) if facts else ()
    return facts, _blank(pasted, (page for page in pages if _HTML_ROW.search(pasted, *page)))


def _pages(pasted: str) -> Iterator[tuple[int, int]]:
    """Where pages begin and end; looked for as words, since most have no end where many begin."""
    head, foot = _PAGE
    start = pasted.find(head)
    while start >= 0:
        end = pasted.find(foot, start)
        if end < 0:
            return
        yield start, end + len(foot)
        start = pasted.find(head, end)


def _markdown(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    facts: dict[str, Fact[Value]] = {}
    spans = []
    begun = 0
    for table in _TABLE.finditer(pasted):
        facts.update((key.name, fact) for line in table[1].split("\n") for key, fact in _row(line))
        heads = [head.start() for head in _MARKDOWN.finditer(pasted, begun, table.start())]
        start = heads[-1] if heads else table.start()
        begun = table.end()
        spans.append((start, begun))
    return facts, _blank(pasted, spans)


def _terminal(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """The facts of the evidence; the lines that it quotes stay, to be read as what they are.

    What an earlier report says of the machine the last one says anew.
    """
    facts: dict[str, Fact[Value]] = {}
    last = max((report.start() for report in _TERMINAL.finditer(pasted)), default=0)

    def quotes(report: re.Match[str]) -> str:
        if report.start() < last:
            return "\n" * report[0].count("\n")
        if _NARROW in report[0]:
            return report[0]
        lines = [""] * (report[0].count("\n") + 1)
        first = at = 0
        for seen in _SEEN.finditer(report[0]):
            first += report[0].count("\n", at, seen.start())
            at = seen.start()
            for number, line in enumerate(_unwrapped(seen[0]), first):
                facts.update((key.name, fact) for key, fact in _row(line))
                lines[number] = "" if _STATED.match(line.lstrip()) else line
        return "\n".join(lines)

    return facts, _TERMINAL.sub(quotes, pasted)


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
        yield match.start(), end, {name: _of_its_text(fact) for name, fact in facts.items()}
        at = end


def read(text: Text) -> Statements:
    """The facts that parts of a report in words show."""
    if "gpuprobe" not in text:
        return
    for line in text.having("`", " = "):
        yield from _row(line.text, line.source)


def _row(line: str, place: str = "") -> Statements:
    """The fact of a line, with its own source where it names one."""
    for match in filter(None, (row.match(line.rstrip()) for row in _ROWS)):
        shown = match[2].replace("\\|", "|")
        source = _elsewhere(_ESCAPED.sub(r"\1", match[3].strip())) if match[3] else place
        yield from _fact(match[1], shown, source)


def _of_its_text(fact: Fact[Value]) -> Fact[Value]:
    return fact if isinstance(fact, Unknown) else replace(fact, source=_elsewhere(fact.source))


def _elsewhere(source: str) -> str:
    """A line of the text that a report judged is none of the text that the report stands in."""
    return _LINE.sub(r"\1 of another text", source)


def _fact(name: str, shown: str, source: str) -> Statements:
    key = find_key(name)
    if key is None:
        return
    if shown in ("absent", "unknown"):
        yield cast("Statement", (key, (Absent if shown == "absent" else Unknown)(source)))
        return
    value = _value(key, shown)
    if value is not None:
        yield cast("Statement", (key, Known(value, source)))


def _value(key: Key[object], shown: str) -> Value | None:
    """The value in the key's type; None where the words state none."""
    shown = "" if shown == _EMPTY else shown
    if key.type is Version:
        return Version.parse(shown)
    if key.type is bool:
        return _YES_NO.get(shown.lower())
    if key.type is tuple:
        return () if shown in ("", "none") else tuple(shown.split(", "))
    size = _SIZE.match(shown)
    if size and key.name.endswith("_bytes"):
        return size_bytes(size[1], size[2] or "")
    try:
        if key.type is int:
            return int(shown)
        return float(shown) if key.type is float else shown
    except ValueError:
        return None
