"""What a text reads like, where nothing that it states decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ..causes import CAUSES
from ..fixes.by_cause import told_repair, usual_repair
from ..model import Confidence, Finding, Link, cite, rule
from ..questions.belied import is_belied
from ..questions.statements import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts


@rule("GP903", "reads-like", cause="user-code", link=Link.WORK, since="0.1", last_resort=True)
def reads_like(facts: Facts) -> Iterator[Finding]:
    """No rule decides, and the text has the words of reports that had this cause."""
    cause = facts.need(said.READS_LIKE)
    if is_belied(facts, cause) or _fails_elsewhere(facts):
        return
    special = told_repair(cause)
    told = statements(facts, special[0]) if special else ()
    yield Finding(
        f"It reads like reports with the cause {cause}: {CAUSES[cause].rstrip('.')}",
        cite(facts, *told, said.READS_LIKE, said.READS_LIKE_PERCENT, said.READS_LIKE_WORDS),
        special[1] if special and told else usual_repair(cause),
        confidence=Confidence.POSSIBLE,
        cause=cause,
    )


def _fails_elsewhere(facts: Facts) -> bool:
    """Whether a framework got at the GPU, and what failed then is cut off: words tell not what."""
    sees = (said.FRAMEWORK_SEES_GPU(each) for each in facts.subjects(said.FRAMEWORK_SEES_GPU))
    return facts.known(said.TRACE_CUT) is not None and any(facts.known(each) for each in sees)
