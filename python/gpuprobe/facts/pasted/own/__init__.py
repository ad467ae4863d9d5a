"""gpuprobe's own reports and snapshots, alone or inside an issue: their facts are taken whole.

A JSON document carries typed facts with their sources; the folded table of a Markdown or HTML
report carries the same as words. The text for a terminal has only what its findings rest on: facts,
and lines of the text that was judged, which are read once more; so that what was found is taken as
well (`findings`). All other prose of a report tells of no machine. Of a report that is only in part
there, every row of facts is read that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...regex import regex
from .documents import documents
from .pages import of_markdown, of_page
from .rows import row
from .terminal import bare, evidence_read, judgement, of_terminal

if TYPE_CHECKING:
    from ...model import Fact, Value
    from ..statement import Statements
    from ..text import Text

#: Without either no part of a report is there: its name, how the line with a handle begins.
_OURS = "gpuprobe", "\n  GP"
#: What our reports advise, which names faults that are none of this machine's.
_ADVICE = (
    regex(r"(?m)^  (?:Fix {5}|Risk {4}|Undo {4})[^\n]*(?:\n {10}[^\n]*)*"),
    regex(r"(?m)^\u2192 [^\n]*(?:\n {2}[^\n]*)*"),
    regex(r"(?m)^\*\*(?:Fix|Undo)\*\*: [^\n]*(?:\n\n```sh\n[^`]*```)?"),
    regex(r"<h3>How to mend it</h3>(?:(?!<h3>How to mend it<)[^\n])*?</section>"),
)


def take_out(pasted: str) -> tuple[dict[str, Fact[Value]], str]:
    """The facts of our documents in a text, and the text with blank lines in their place."""
    facts: dict[str, Fact[Value]] = {}
    if any(cue in pasted for cue in _OURS):
        pasted = bare(pasted)
        facts = dict(judgement(pasted))
        for take in (of_page, of_markdown, of_terminal):
            found, pasted = take(pasted)
            facts = {**found, **facts}
        for advice in _ADVICE:
            pasted = advice.sub(lambda block: "\n" * block[0].count("\n"), pasted)
    found, pasted = documents(evidence_read(pasted))
    return {**found, **facts}, pasted


def read(text: Text) -> Statements:
    """The facts that parts of a report in words show."""
    if "gpuprobe" not in text:
        return
    for line in text.having("`", " = "):
        yield from row(line.text, line.source)
