"""Many machines side by side: those that are alike are one paragraph."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..diagnosis.model import Link, Verdict
from ..facts import names
from .chain import chain
from .marks import CLASSES, COLOURS, SIGNS, Mark, mark_of
from .node_names import folded
from .terminal import Style, wrap
from .words import verdict_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import FailOn, Report

#: The worst first: it is what somebody looks for.
_ORDER = (Verdict.BROKEN, Verdict.DEGRADED, Verdict.UNKNOWN, Verdict.HEALTHY)
_UNREAD = "unreadable"
_HEADINGS = ("verdict", "what comes first", "finding", "nodes")


class Node(NamedTuple):
    """A machine by the name of its file, and what was judged; None: it could not be read.

    Then `why` tells the reason, and names the `file`.
    """

    name: str
    report: Report | None
    why: str = ""
    file: str = ""


class Alike(NamedTuple):
    """What the machines of one paragraph have in common."""

    verdict: str
    mark: Mark
    words: str
    rule: str  # code and name of the finding that comes first, or empty


def exit_code(nodes: Sequence[Node], fail_on: FailOn) -> int:
    """As of one machine: 1 where one is wrong, else 3 where one is unknown, else 0."""
    codes = {_code(node, fail_on) for node in nodes}
    return next((code for code in (1, 3) if code in codes), 0)


def _code(node: Node, fail_on: FailOn) -> int:
    if node.report is not None:
        return node.report.exit_code(fail_on)
    return 0 if fail_on == "never" else 3


def _alike(node: Node) -> Alike:
    if node.report is None:
        return Alike(_UNREAD, Mark.OPEN, node.why, "")
    diagnosis = node.report.diagnosis
    root = diagnosis.root
    if root is not None:
        words, rule = root.finding.title, f"{root.rule.code} {root.rule.name}"
    else:
        healthy = diagnosis.verdict is Verdict.HEALTHY
        words, rule = _make(node.report) if healthy else verdict_sentence(node.report), ""
    return Alike(diagnosis.verdict.value, mark_of(diagnosis), words, rule)


def _make(report: Report) -> str:
    """The cards and their driver, by which one machine is told from its kin."""
    cards = next((row.detail for row in chain(report) if row.link is Link.HARDWARE), "")
    driver = report.facts.known(names.DRIVER_VERSION)
    return cards if driver is None else f"{cards}, driver {driver}"


def groups(nodes: Sequence[Node]) -> list[tuple[Alike, list[str]]]:
    """The paragraphs: the worst first, and of the same verdict those of the fewest machines."""
    found: dict[Alike, list[str]] = {}
    for node in nodes:
        # Files that fail alike differ in their names, which stand below.
        named = node._replace(why=node.why.replace(node.file, "FILE")) if node.file else node
        found.setdefault(_alike(named), []).append(node.name)
    ranks = {verdict.value: rank for rank, verdict in enumerate(_ORDER)}
    ranks[_UNREAD] = ranks[Verdict.UNKNOWN.value]
    return sorted(found.items(), key=lambda each: (ranks[each[0].verdict], len(each[1])))


def _count(found: Sequence[tuple[Alike, list[str]]]) -> str:
    """``200 nodes: 2 broken, 198 healthy``."""
    counts: Counter[str] = Counter()
    for alike, own in found:
        counts[alike.verdict] += len(own)
    order = (*(each.value for each in _ORDER), _UNREAD)
    parts = ", ".join(f"{counts[each]} {each}" for each in order if each in counts)
    total = sum(counts.values())
    return f"{total} {'node' if total == 1 else 'nodes'}: {parts}"


def text(nodes: Sequence[Node], style: Style) -> str:
    """A paragraph for those that are alike, and the count as the last line."""
    lines: list[str] = []
    found = groups(nodes)
    for alike, own in found:
        sign = style.paint(style.plain(SIGNS[alike.mark]), *COLOURS[alike.mark])
        first, *rest = wrap(style.plain(alike.words), style.width - 2)
        lines += [f"{sign} {first}", *(f"  {line}" for line in rest)]
        if alike.rule:
            lines.append(f"  {style.paint(alike.rule, 'dim')}")
        told = style.plain(folded(own)).replace(",", ", ")  # for lines that end behind a comma
        lines += [f"  {line.replace(', ', ',')}" for line in wrap(told, style.width - 2)]
        lines.append("")
    return "\n".join([*lines, style.paint(_count(found), "bold")])


def document(nodes: Sequence[Node]) -> dict[str, object]:
    """The document of ``--json``: a row for each machine, in the order of the files."""
    from .json import head

    return {**head(), "nodes": [_row(node) for node in nodes]}


def _row(node: Node) -> dict[str, object]:
    from .json import handles

    alike = _alike(node)
    root = None if node.report is None else node.report.diagnosis.root
    return {
        "node": node.name,
        "verdict": alike.verdict,
        "root_cause": None if root is None else handles(root),
        "words": alike.words,
    }


def markdown(nodes: Sequence[Node]) -> str:
    """A table with a row for those that are alike."""
    from .markdown import cell, code_cell

    found = groups(nodes)
    rows = [
        f"| {SIGNS[alike.mark]} {alike.verdict} | {cell(alike.words)} | {cell(alike.rule)} | "
        f"{code_cell(folded(own))} |"
        for alike, own in found
    ]
    head = (f"| {' | '.join(_HEADINGS)} |", "|---|---|---|---|")
    return "\n".join((f"**{_count(found)}**", "", *head, *rows))


def page(nodes: Sequence[Node]) -> str:
    """A whole document: the same table."""
    from .html import breakable, escape, wrap_page

    found = groups(nodes)
    rows = "".join(
        f'<tr class="{CLASSES[alike.mark]}"><td class="sign">{SIGNS[alike.mark]}&nbsp;'
        f"{alike.verdict}</td><td>{escape(alike.words)}</td><td>{escape(alike.rule)}</td>"
        f"<td>{breakable(escape(folded(own)), ',')}</td></tr>"
        for alike, own in found
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in _HEADINGS)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return wrap_page("gpuprobe: nodes", f"<h1>{escape(_count(found))}</h1>\n{table}")
