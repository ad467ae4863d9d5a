"""An explanation for a terminal: the sentence, each entry, what is to be said, the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..marks import COLOURS, SIGNS, Mark
from ..terminal import cells, margin, wrap
from . import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...visible.explanation import Explanation, Row
    from ..terminal import Style

#: An entry wider than this stands on a line of its own.
_WIDEST_ENTRY = 16
#: Below this width the table does not fit, and each device becomes a few lines.
_WIDE = 80
_PCI_WIDTH = len("0000:01:00.0")


def text(explanation: Explanation, style: Style, *, everything: bool = False) -> str:
    """The explanation; with `everything`, also what others make of the text elsewhere."""
    blocks = (
        list(_headline(explanation, style)),
        list(_entries(explanation, style)),
        list(_statements(explanation, style)),
        list(_table(explanation, style)),
        list(_others(explanation, style, everything=everything)),
    )
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _headline(explanation: Explanation, style: Style) -> Iterator[str]:
    tone = COLOURS[words.mark_of(explanation)]
    for line in wrap(style.plain(words.headline(explanation)), style.width):
        yield style.paint(line, *dict.fromkeys(("bold", *tone)))


def _entries(explanation: Explanation, style: Style) -> Iterator[str]:
    """The entries stand below each other, and what became of them beside them."""
    lines = words.entries(explanation)
    shown = [style.plain(line.text) or '""' for line in lines]
    width = min(max(map(cells, shown), default=0), _WIDEST_ENTRY)
    for line, entry in zip(lines, shown, strict=True):
        beside = entry
        if cells(entry) > width:
            beside = ""
            yield from _indented(entry, style, "bold")
        head = f"  {style.paint(beside, 'bold')}{' ' * (width - cells(beside) + 2)}"
        yield from _marked(line.mark, line.words, head, width + 4, style)


def _marked(mark: Mark, said: str, head: str, indent: int, style: Style) -> Iterator[str]:
    """Text after a mark; its further lines begin where its first one does."""
    sign = style.paint(style.plain(SIGNS[mark]), *COLOURS[mark])
    first, *rest = wrap(style.plain(said), style.width - indent - 2)
    yield f"{head}{sign} {first}"
    yield from (" " * (indent + 2) + line for line in rest)


def _statements(explanation: Explanation, style: Style) -> Iterator[str]:
    for mark, said in words.statements(explanation):
        yield from _marked(mark, said, "", 0, style)


def _others(explanation: Explanation, style: Style, *, everything: bool) -> Iterator[str]:
    lines = words.others(explanation, everything=everything)
    if lines:
        yield style.paint(words.OTHERS, "dim")
    for line in lines:
        yield from _marked(Mark.OPEN, line, "  ", 2, style)


def _table(explanation: Explanation, style: Style) -> Iterator[str]:
    if not explanation.rows:
        return
    if style.width < _WIDE:
        for row in explanation.rows:
            yield from _block(row, style)
        return
    yield style.paint(_line(words.HEADINGS), "dim")
    for row in explanation.rows:
        line = style.plain(_line(words.cells(row)))
        yield line if row.ordinal is not None else style.paint(line, "dim")


def _line(row: tuple[str, ...]) -> str:
    *numbers, pci, uuid = row
    right = (cell.rjust(len(name)) for cell, name in zip(numbers, words.HEADINGS, strict=False))
    return "  ".join((*right, pci.ljust(_PCI_WIDTH), uuid)).rstrip()


def _block(row: Row, style: Style) -> Iterator[str]:
    *numbers, pci, uuid = words.cells(row)
    pairs = zip(words.HEADINGS, numbers, strict=False)
    yield from wrap(
        style.plain(", ".join(f"{name} {number}" for name, number in pairs)), style.width
    )
    for value in (pci, uuid):
        yield from _indented(style.plain(value), style)


def _indented(shown: str, style: Style, *names: str) -> Iterator[str]:
    for line in wrap(shown, style.width - 2):
        yield margin(line, 2, style.width) + style.paint(line, *names)
