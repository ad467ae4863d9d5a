"""A comparison as text, JSON, Markdown and HTML, and without what tells whose machines they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, TypeGuard

from ..facts.model import Fact, Facts, Known, Value
from ..facts.snapshot import facts_to_json
from .links import TITLES
from .marks import SIGNS, VERDICT_MARKS, Mark
from .redact import Redactor, texts_of, versions_of
from .terminal import Style, cells, margin, wrap
from .units import shown_of
from .words import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..comparison.model import Comparison, Difference, Side
    from .identity import Identity

SAME = "Nothing differs."
DECISIVE = "What the other verdict rests on"
_COLOURS = {Mark.WORKS: "green", Mark.BROKEN: "red", Mark.IN_PART: "yellow", Mark.OPEN: "dim"}
#: Columns of the name, and of the two gaps between three columns.
_NAME, _GAP = 30, 2
_NARROW = 60
#: Lines of a column beyond which values are hard to read side by side.
_TALLEST = 3


#: From so many entries on only those of a list are shown that the other side has not.
_LONG = 4


def _is_long(fact: Fact[Value]) -> TypeGuard[Known[tuple[str, ...]]]:
    return isinstance(fact, Known) and isinstance(fact.value, tuple) and len(fact.value) >= _LONG


def _apart(own: tuple[str, ...], other: tuple[str, ...]) -> str:
    found = [entry for entry in own if entry not in other]
    return ", ".join((*found, "…") if len(found) < len(own) else found)


def cells_of(difference: Difference) -> tuple[str, str]:
    """Both values in words; sizes in bytes where the words would be alike."""
    a, b = difference.a, difference.b
    if _is_long(a) and _is_long(b) and {*a.value} != {*b.value}:
        return _apart(a.value, b.value), _apart(b.value, a.value)
    one, other = (_shown(difference.name, fact) for fact in (a, b))
    if one == other:
        return value_of(a), value_of(b)
    return one, other


def _shown(name: str, fact: Fact[Value]) -> str:
    if not isinstance(fact, Known) and name.count(".") == 1 and name.startswith("package."):
        return "not installed"
    return shown_of(name, value_of(fact))


def groups(comparison: Comparison) -> Iterator[tuple[str, list[Difference]]]:
    """Differences under their headings: first what a verdict rests on, then link by link."""

    def heading(each: Difference) -> str:
        return DECISIVE if each.decisive else TITLES[each.link]

    for title, found in groupby(comparison.differences, key=heading):
        yield title, list(found)


def count(comparison: Comparison) -> str:
    """``3 differences``, and what could not be compared."""
    number = len(comparison.differences)
    text = f"{number} {'difference' if number == 1 else 'differences'}" if number else SAME
    unseen = len(comparison.unseen)
    if not unseen:
        return text
    facts = "fact was" if unseen == 1 else "facts were"
    return f"{text.rstrip('.')}; {unseen} {facts} looked at on one side only"


# -- text ------------------------------------------------------------------------------------


def text(comparison: Comparison, style: Style) -> str:
    """Values side by side; below each other where there is no room."""
    lines = [
        *_heading("A", comparison.a, style),
        *_heading("B", comparison.b, style),
    ]
    if comparison.lost:
        lines.append("")
    for told in comparison.lost:
        lines += _block(told, style, "red", indent=0)
    for title, found in groups(comparison):
        lines += ["", *_block(title, style, "bold", indent=0)]
        for each in found:
            lines += _row(each, style)
    if comparison.unseen:
        lines += ["", *_block("Looked at on one side only", style, "bold", indent=0)]
        lines += _block(", ".join(comparison.unseen), style, "dim")
    return "\n".join([*lines, "", *_block(count(comparison), style, "bold", indent=0)])


def _heading(letter: str, side: Side, style: Style) -> list[str]:
    mark = VERDICT_MARKS[side.verdict]
    sign = style.plain(SIGNS[mark])
    first, *rest = wrap(style.plain(_sentence(side)), style.width - 5) or [""]
    lead = f"{style.paint(letter, 'bold')}  {style.paint(sign, _COLOURS[mark])} "
    return [lead + first, *(" " * 5 + line for line in rest)]


def _row(each: Difference, style: Style) -> list[str]:
    one, other = cells_of(each)
    width = max(1, (style.width - _NAME - 2 * _GAP - 2) // 2)
    columns = (
        wrap(style.plain(each.name), _NAME),
        wrap(style.plain(one), width),
        wrap(style.plain(other), width),
    )
    is_wide = len(columns[0]) > 1  # a fact's name is one word: it would break inside
    is_wide |= any(cells(line) > width for value in columns[1:] for line in value)
    if style.width < _NARROW or is_wide or max(map(len, columns)) > _TALLEST:
        return [
            *_block(each.name, style),
            *_block(f"A  {one}", style, "dim", indent=4),
            *_block(f"B  {other}", style, "dim", indent=4),
        ]
    return [
        f"  {name:{_NAME}}{'':{_GAP}}{left:{width}}{'':{_GAP}}{right}".rstrip()
        for name, left, right in zip_longest(*columns, fillvalue="")
    ]


def _block(told: str, style: Style, *names: str, indent: int = 2) -> list[str]:
    lines = wrap(style.plain(told), style.width - indent)
    return [margin(line, indent, style.width) + style.paint(line, *names) for line in lines]


# -- documents -------------------------------------------------------------------------------


def document(comparison: Comparison) -> dict[str, object]:
    """The document of ``--json``."""
    from .json import head

    return {
        **head(),
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "same": comparison.same,
        "lost": list(comparison.lost),
        "differences": [
            {
                "fact": each.name,
                "link": each.link.name.lower(),
                "decisive": each.decisive,
                "a": facts_to_json(Facts({each.name: each.a}))[each.name],
                "b": facts_to_json(Facts({each.name: each.b}))[each.name],
            }
            for each in comparison.differences
        ],
        "unseen": list(comparison.unseen),
    }


def _side(side: Side) -> dict[str, object]:
    return {
        "label": side.label,
        "verdict": side.verdict.value,
        "root_cause": None if side.root is None else side.root._asdict(),
        "title": side.title,
    }


def markdown(comparison: Comparison) -> str:
    """A table a heading, for an issue form."""
    from .markdown import cell, code_cell

    parts = [
        f"- **{letter}** {SIGNS[VERDICT_MARKS[side.verdict]]} {cell(_sentence(side))}"
        for letter, side in (("A", comparison.a), ("B", comparison.b))
    ]
    blocks = ["\n".join(parts), *map(cell, comparison.lost), f"**{cell(count(comparison))}**"]
    for title, found in groups(comparison):
        rows = [
            f"| {code_cell(each.name)} | {' | '.join(map(code_cell, cells_of(each)))} |"
            for each in found
        ]
        blocks.append("\n".join((f"### {title}", "", "| fact | A | B |", "|---|---|---|", *rows)))
    if comparison.unseen:
        blocks.append(f"Looked at on one side only: {cell(', '.join(comparison.unseen))}")
    return "\n\n".join(blocks)


def _sentence(side: Side) -> str:
    told = f"{side.label}: {side.verdict.value}"
    return told if side.root is None else f"{told} by {side.root}. {side.title}"


def html_page(comparison: Comparison) -> str:
    """A whole page in one file."""
    from .html import wrap_page

    return wrap_page("gpuprobe: diff", _html(comparison))


def html_fragment(comparison: Comparison) -> str:
    """The part that a notebook shows."""
    from .html import style

    return f'<style>{style()}</style><div class="gpuprobe">{_html(comparison)}</div>'


def _html(comparison: Comparison) -> str:
    from .html import escape, fact_name

    sides = "".join(
        f"<li><strong>{letter}</strong> {escape(_sentence(side))}</li>"
        for letter, side in (("A", comparison.a), ("B", comparison.b))
    )
    parts = [f"<h1>{escape(count(comparison))}</h1>", f'<ul class="plain">{sides}</ul>']
    parts += (f"<p><strong>{escape(told)}</strong></p>" for told in comparison.lost)
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Fact", "A", "B"))
    for title, found in groups(comparison):
        rows = "".join(
            f"<tr>{fact_name(each.name)}"
            + "".join(f"<td>{escape(value)}</td>" for value in cells_of(each))
            + "</tr>"
            for each in found
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        parts.append(f"<h2>{escape(title)}</h2>{table}")
    if comparison.unseen:
        names = escape(", ".join(comparison.unseen))
        parts.append(f'<p class="soft">Looked at on one side only: {names}</p>')
    return "".join(parts)


def for_other_eyes(comparison: Comparison, identity: Identity) -> Comparison:
    """The same without names, addresses and the tails of UUIDs, alike on both sides."""
    # One by one: a GPU that A alone has and one that B alone has may have the same number.
    alone = [Facts({each.name: each.a}) for each in comparison.differences]
    alone += [Facts({each.name: each.b}) for each in comparison.differences]
    texts = [text for facts in alone for text in texts_of(facts)]
    texts += [text for s in (comparison.a, comparison.b) for text in (s.label, s.title or "")]
    texts += comparison.lost
    redactor = Redactor(identity, texts, [text for facts in alone for text in versions_of(facts)])
    differences = tuple(
        replace(each, a=redactor.fact(each.name, each.a), b=redactor.fact(each.name, each.b))
        for each in comparison.differences
    )
    one, other = (
        replace(s, label=redactor.text(s.label), title=s.title and redactor.text(s.title))
        for s in (comparison.a, comparison.b)
    )
    lost = tuple(map(redactor.text, comparison.lost))
    return replace(comparison, a=one, b=other, differences=differences, lost=lost)
