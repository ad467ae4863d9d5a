"""What a text reads like, where nothing that it states decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ..causes import CAUSES
from ..fixes.by_cause import usual_repair
from ..model import Confidence, Finding, Link, cite, rule
from ..questions.statements import line_of, seen_anyway, statements
from ..questions.symptoms import driver_answers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts


#: Causes by which a program does not get to the driver, and what shows that one does.
_WITHOUT_DRIVER = frozenset((
    *("container-no-gpu", "driver-missing", "driver-not-loaded", "driver-too-old", "no-nvidia-gpu"),
    *("driver-library-mismatch", "fabric-manager", "stub-library", "forward-compat", "wsl"),
))  # fmt: skip
_NO_DRIVER = ("driver-missing", "driver-not-loaded", "no-nvidia-gpu")
_REACHED = ("dcgm-initialized",)
#: Causes that end a program which had begun well.
_AFTER_START = frozenset((
    *("device-lost", "extension-mismatch", "gpu-too-new", "gpu-too-old", "nccl", "user-code"),
    *("oom-other-process", "oom-preallocation", "oom-workload"),
))  # fmt: skip
#: Causes with which a program goes on all the same.
_SLOW = ("power-thermal", "silent-cpu-fallback")


@rule("GP903", "reads-like", cause="user-code", link=Link.WORK, since="0.1", last_resort=True)
def reads_like(facts: Facts) -> Iterator[Finding]:
    """No rule decides, and the text has the words of reports that had this cause."""
    cause = facts.need(said.READS_LIKE)
    if cause in _WITHOUT_DRIVER and (seen_anyway(facts) or statements(facts, *_REACHED)):
        return
    if cause in _NO_DRIVER and driver_answers(facts):
        return
    line = line_of(facts, said.READS_LIKE)
    if line in (line_of(facts, said.NOISE(each)) for each in facts.subjects(said.NOISE)):
        return
    went_on = line_of(facts, said.PROGRESS)
    if went_on and cause not in _SLOW and (cause not in _AFTER_START or went_on > line):
        return
    yield Finding(
        f"It reads like reports of {cause}: {CAUSES[cause].rstrip('.')}",
        cite(facts, said.READS_LIKE, said.READS_LIKE_PERCENT, said.READS_LIKE_WORDS),
        usual_repair(cause),
        confidence=Confidence.POSSIBLE,
        cause=cause,
    )
