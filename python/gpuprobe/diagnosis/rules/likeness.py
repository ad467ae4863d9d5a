"""What a text reads like, where nothing that it states decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ...facts.regex import regex
from ..causes import CAUSES
from ..failures import failures_of
from ..fixes.by_cause import repair_here
from ..model import Confidence, Evidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.belied import LIKELY_PERCENT, is_belied
from ..questions.statements import errors, value

if TYPE_CHECKING:
    from ...facts.model import Facts

_OF_THE_PROGRAM = Fix(
    "Make sure of the set-up with gpuprobe on that machine. If it says that all is well, the matter"
    " is one for those who make the program.",
    ("gpuprobe",),
)


@rule("GP903", "reads-like", cause="user-code", link=Link.WORK, since="0.1", last_resort=True)
def reads_like(facts: Facts) -> Findings:
    """No rule is sure, and the text has the words of reports that had this cause."""
    cause = facts.need(said.READS_LIKE)
    words = (said.READS_LIKE, said.READS_LIKE_PERCENT, said.READS_LIKE_WORDS)
    if cause == "healthy":
        yield from _of_something_else(facts, cite(facts, *words))
    elif not is_belied(facts, cause) and not _fails_elsewhere(facts):
        fix, told = repair_here(facts, cause)
        yield Finding(
            f"It reads like reports with the cause {cause}: {CAUSES[cause].rstrip('.')}",
            cite(facts, *told, *words),
            fix,
            confidence=_confidence(facts),
            cause=cause,
        )


def _confidence(facts: Facts) -> Confidence:
    sure = (facts.known(said.READS_LIKE_PERCENT) or 0) >= LIKELY_PERCENT
    return Confidence.LIKELY if sure else Confidence.POSSIBLE


#: Somebody says it of a program outright, and of no one GPU among several.
_FINDS_NONE = regex(
    r"(?i)\A(?!.*(?:\?|\b(?:if|when|unless|whether)\b)).*?\b(?:can(?:not|'t| not)|unable to"
    r"|fails to|(?:does|did|could|will)(?: not|n't)) (?:find|see|detect|recogni[sz]e|access)"
    r" (?:\w+ ){0,2}(?:gpus?|cuda)\b(?!:\d)"
)


def _of_something_else(facts: Facts, words: tuple[Evidence, ...]) -> Findings:
    """A note, where nothing is seen to fail either: the text is about another matter."""
    from ..questions.builds.for_gpu import may_lack_code

    idles = "idle" in value(facts, "told-idle").lower()
    unused = idles or _FINDS_NONE.search(value(facts, "gpu-not-usable")) is not None
    if not (unused or any(failures_of(facts, Link.HARDWARE)) or may_lack_code(facts)):
        yield Finding(
            "It reads like reports about something else, of machines that work",
            words,
            _OF_THE_PROGRAM,
            Severity.NOTE,
            Confidence.POSSIBLE,
            cause="healthy",
        )


def _fails_elsewhere(facts: Facts) -> bool:
    """Whether what failed is told and no cause of the list, or cut off after a GPU was seen."""
    if errors(facts, "WIN32_1455"):
        return True
    sees = facts.keys_of(said.FRAMEWORK_SEES_GPU)
    return facts.known(said.TRACE_CUT) is not None and any(facts.known(each) for each in sees)
