"""The page of a finding for its reader: on a terminal, as Markdown, as HTML.

The pages are simple: headings, paragraphs, tables of two columns, and last the examples by which
the rule is tested. Those are read by the tests, and by nobody who looks for a repair.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .terminal import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .terminal import Style

_EXAMPLES = "\n## Examples\n"
#: A link to a page beside the findings: where this is read, no file lies at its end.
_LINK = re.compile(r"\[[^\[\]]+\]\(\.\./([\w./-]+)(?:#[\w-]+)?\)")
_CODE = re.compile(r"`([^`]+)`")
_EMPHASIS = re.compile(r"(?<![\w*])\*(\w[^*\n]*)\*(?![\w*])")


def markdown(page: str) -> str:
    """The page up to its examples."""
    return _LINK.sub(r"docs/\1", page.partition(_EXAMPLES)[0]).rstrip()


def text(page: str, style: Style) -> str:
    """Paragraphs as wide as the terminal."""
    return "\n\n".join("\n".join(_lines(block, style)) for block in _blocks(page))


def html(page: str) -> str:
    """The content of a whole document."""
    return "\n".join(('<article class="page">', *map(_element, _blocks(page)), "</article>"))


def _blocks(page: str) -> Iterator[str]:
    return (block.strip() for block in re.split(r"\n{2,}", markdown(page)))


def _lines(block: str, style: Style) -> Iterator[str]:
    if block.startswith("#"):
        yield style.paint(style.plain(block.lstrip("# ")), "bold")
    elif block.startswith("|"):
        for left, right in _rows(block):
            yield style.plain(left)
            yield from ("  " + line for line in wrap(style.plain(right), style.width - 2))
    else:
        yield from wrap(style.plain(_EMPHASIS.sub(r"\1", " ".join(block.split()))), style.width)


def _rows(block: str) -> Iterator[tuple[str, str]]:
    """The rows of a table, without its rule."""
    for line in block.splitlines():
        left, _, right = line.strip("| ").partition(" | ")
        if left.strip("-|"):
            yield left, right


def _element(block: str) -> str:
    from .html import escape

    def inline(content: str) -> str:
        coded = _CODE.sub(r"<code>\1</code>", escape(" ".join(content.split())))
        return _EMPHASIS.sub(r"<em>\1</em>", coded)

    if block.startswith("#"):
        level = 1 if block.startswith("# ") else 2
        return f"<h{level}>{inline(block.lstrip('# '))}</h{level}>"
    if block.startswith("|"):
        head, *rows = (f"<td>{inline(a)}</td><td>{inline(b)}</td>" for a, b in _rows(block))
        head = head.replace("<td>", '<th scope="col">').replace("</td>", "</th>")
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<p>{inline(block)}</p>"
