"""Reports as a page or in Markdown, whose tables carry all facts as words."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from ...regex import regex
from .rows import elsewhere, row, stated
from .spans import blank
from .terminal import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model import Fact, Value

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
#: How a report in Markdown begins.
_MARKDOWN = regex(rf"(?m)^\*\*{VERDICTS}\b[^\n]*\*\*\s*$")


def of_page(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """Of pages, and of rows of them that stand in another text."""
    facts = {
        key.name: fact
        for found in _HTML_ROW.finditer(pasted)
        for name, shown, source in [map(html.unescape, found.groups())]
        for key, fact in stated(name.replace(_BREAK, ""), shown, elsewhere(source))
    }
    pages = _pages(pasted) if facts else ()
    return facts, blank(pasted, (page for page in pages if _HTML_ROW.search(pasted, *page)))


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


def of_markdown(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """Of the folded tables, each with the report above it."""
    facts: dict[str, Fact[Value]] = {}
    spans = []
    begun = 0
    for table in _TABLE.finditer(pasted):
        facts.update((key.name, fact) for line in table[1].split("\n") for key, fact in row(line))
        heads = [head.start() for head in _MARKDOWN.finditer(pasted, begun, table.start())]
        start = heads[-1] if heads else table.start()
        begun = table.end()
        spans.append((start, begun))
    return facts, blank(pasted, spans)
