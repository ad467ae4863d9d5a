"""The list of checks as text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terminal import Style, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnosis.model import Rule

HEADINGS = ("Code", "Name", "Link of the chain", "What is looked for")


def row(rule: Rule) -> tuple[str, str, str, str]:
    """The cells of one rule under `HEADINGS`."""
    from .links import TITLES

    return rule.code, rule.name, TITLES[rule.link], rule.summary


def text(rules: Sequence[Rule], style: Style) -> str:
    """Two lines a rule, or more where the page is narrow."""
    lines = []
    for rule in rules:
        code, name, link, summary = map(style.plain, row(rule))
        link = style.paint(style.plain(f" · {link}"), "dim")
        lines.append(f"{style.paint(code, 'bold')} {name}{link}")
        lines += [f"      {line}" for line in wrap(summary, style.width - 6)]
    return "\n".join(lines)


def markdown(rules: Sequence[Rule]) -> str:
    """A table."""
    from .markdown import cell

    table = [HEADINGS, ["---"] * len(HEADINGS), *(map(cell, row(rule)) for rule in rules)]
    return "\n".join("| " + " | ".join(line) + " |" for line in table)


def html_table(rules: Sequence[Rule]) -> str:
    """A table for a page."""
    from .html import escape

    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in HEADINGS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row(rule)) + "</tr>"
        for rule in rules
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
