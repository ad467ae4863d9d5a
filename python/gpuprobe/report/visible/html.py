"""An explanation as a page, or as a part of one for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import __version__
from ..html import escape, style, wrap_page
from ..marks import CLASSES, SIGNS, Mark
from . import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...visible.explanation import Explanation

#: Small round marks beside lines; the report's sheet has the colours.
_STYLE = """
.gpuprobe .marked td:nth-child(-n+2) { width: 1%; white-space: nowrap; }
.gpuprobe .sign { color: var(--tone); font-weight: 700; }
.gpuprobe .wide { overflow-x: auto; }
.gpuprobe .wide td { white-space: nowrap; }
.gpuprobe tr.hidden-device td { color: var(--soft); }
.gpuprobe h3 { margin-top: 20px; font-size: 16px; color: var(--soft); }
"""


def page(explanation: Explanation, *, everything: bool = False) -> str:
    """A whole document."""
    title = f"gpuprobe: {words.assignment(explanation)}"
    return wrap_page(title, _body(explanation, everything=everything), _STYLE)


def fragment(explanation: Explanation) -> str:
    """The part that a notebook shows."""
    body = _body(explanation, everything=False)
    return f'<style>{style()}{_STYLE}</style><div class="gpuprobe">{body}</div>'


def _body(explanation: Explanation, *, everything: bool) -> str:
    tone = CLASSES[words.mark_of(explanation)]
    head = f"<h1>{escape(words.headline(explanation))}</h1>"
    version = f'<p class="soft">gpuprobe {escape(__version__)}</p>'
    entries = (
        (line.mark, f"<code>{escape(line.text or '(empty)')}</code>", escape(line.words))
        for line in words.entries(explanation)
    )
    parts = (
        f'<header class="{tone}">{head}{version}</header>',
        _marked(entries),
        _marked((mark, "", escape(said)) for mark, said in words.statements(explanation)),
        _index(explanation),
        _others(words.others(explanation, everything=everything)),
    )
    return "\n".join(part for part in parts if part)


def _others(lines: tuple[str, ...]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    if not items:
        return ""
    return f'<h3>{escape(words.OTHERS)}</h3><ul class="plain soft">{items}</ul>'


def _marked(lines: Iterable[tuple[Mark, str, str]]) -> str:
    rows = "".join(
        f'<tr class="{CLASSES[mark]}"><td>{name}</td>'
        f'<td class="sign" title="{escape(mark.value)}">{SIGNS[mark]}</td><td>{said}</td></tr>'
        for mark, name, said in lines
    )
    return f'<table class="marked"><tbody>{rows}</tbody></table>' if rows else ""


def _index(explanation: Explanation) -> str:
    if not explanation.rows:
        return ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (*words.HEADINGS, "name"))
    body = "".join(
        f"<tr{'' if row.ordinal is not None else ' class=hidden-device'}>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in (*words.cells(row), row.name or "-"))
        + "</tr>"
        for row in explanation.rows
    )
    return (
        '<div class="wide"><table class="index"><thead>'
        f"<tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
