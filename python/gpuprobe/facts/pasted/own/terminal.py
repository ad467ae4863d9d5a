"""Reports as a terminal shows them: what they found, and the facts in its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import reported
from ...model import Fact, Known, Value, entry
from ...regex import regex
from ..text import ANSI
from .findings import findings, judged, stated
from .rows import QUOTED, STATED, pieces, row

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from ...model import Entry

VERDICTS = (
    "(?:Healthy|Perhaps healthy|Broken|Perhaps broken|Cannot work here|The program fails"
    "|Works in part|Unknown)"
)
#: The text for a terminal: from the tool's name to the counts of the checks and the verdict.
_TERMINAL = regex(
    r"(?m)^gpuprobe \d{1,4}\.\d\S{0,40}(?: \S [^\n]*)?\n"
    r"(?:(?:(?:  |(?:[^\w\s(\[{<]{1,2}|x) |Could not be|Where it cannot|Also of use|Harmless,)"
    r"[^\n]*)?\n)*?"
    rf"\d{{1,4}} checks?: [^\n]*\n(?:[a-z\d][^\n]*\n)?\S {VERDICTS}\b[^\n]*(?:\n  \S[^\n]*)*"
)
#: The first line of one that does not stand at the margin.
_INDENTED = regex(r"(?m)^((?:> ?){1,4}[ \t]{0,8}|[ \t]{1,8})gpuprobe \d{1,4}\.\d")
_VERDICT = regex(rf"\S ({VERDICTS}\b.*)")
#: What findings rest on in the text for a terminal, wrapped: the block, and how a piece begins.
_SEEN = regex(r"(?m)^  Seen {4}[^\n]*(?:\n {10}(?! )[^\n]*)*")
_NARROW = "\n  Seen\n"  # below 60 columns, where nothing is put together again


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


def _verdict(lines: Sequence[str]) -> str | None:
    """The verdict that ends a report, in one line."""
    told = None
    for number, line in enumerate(lines):
        verdict = _VERDICT.match(line)
        if verdict:
            told = " ".join([verdict[1], *map(str.strip, lines[number + 1 :])])
    return told


def judgement(pasted: str) -> Iterator[Entry]:
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


def of_terminal(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
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
                facts.update((key.name, fact) for key, fact in row(line))
                lines[number] = "" if STATED.match(line.lstrip()) else line
        return "\n".join(lines)

    return facts, _TERMINAL.sub(quotes, pasted)


def evidence_read(pasted: str) -> str:
    """The text with each piece of evidence in one line, where a part of a report is left."""
    if "\n  Seen    " not in pasted:
        return pasted
    return _SEEN.sub(lambda block: "\n".join(_unwrapped(block[0])), pasted)


def _unwrapped(block: str) -> Iterator[str]:
    """Each piece in one line, what is quoted as it was, and as many lines as there were."""
    for _, piece in pieces(line[10:] for line in block.split("\n")):
        whole = " ".join(piece)
        quoted = QUOTED.match(whole)
        yield whole[quoted.end() :] if quoted else f"          {whole}"
        yield from ("" for _ in piece[1:])
