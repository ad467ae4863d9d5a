"""An explanation for an issue or a wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..markdown import cell, code_cell
from ..marks import SIGNS
from . import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...visible.explanation import Explanation


def markdown(explanation: Explanation, *, everything: bool = False) -> str:
    """The whole document, without a final line end."""
    others = [f"- {cell(line)}" for line in words.others(explanation, everything=everything)]
    entries = (
        (code_cell(line.text or " "), SIGNS[line.mark], cell(line.words))
        for line in words.entries(explanation)
    )
    rows = (tuple(map(cell, words.cells(row))) for row in explanation.rows)
    parts = (
        f"**{cell(words.headline(explanation))}**",
        _table(("entry", "", "what becomes of it"), entries),
        "\n".join(f"- {SIGNS[mark]} {cell(said)}" for mark, said in words.statements(explanation)),
        _table(words.HEADINGS, rows),
        "\n".join([f"{words.OTHERS}:", "", *others]) if others else "",
    )
    return "\n\n".join(part for part in parts if part)


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = list(_lines(rows))
    return "\n".join((*_lines((headings, ("---",) * len(headings))), *lines)) if lines else ""


def _lines(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    return (f"| {' | '.join(row)} |" for row in rows)
