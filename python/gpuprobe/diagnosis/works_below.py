"""Faults that a program is not stopped by: below all that failed it works on its GPU.

Nobody says that something was mended, and the failure may be another machine's, another
container's or another process'. So the text tells of both, and proves neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import names, said
from .failures import last_failure
from .model import Placed, Role, Severity
from .questions.statements import goes_on_between, line_of, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..facts.model import Facts

#: Causes with which nothing is computed on a GPU.
#: Of the others one GPU, one operation or one package fails, and the rest may go on, as do programs
#: that began before the driver's library was replaced.
_NOTHING_WORKS = frozenset((
    *("no-nvidia-gpu", "driver-missing", "driver-not-loaded", "driver-too-old", "forward-compat"),
    *("stub-library", "fabric-manager", "device-nodes"),
    *("container-no-gpu", "wsl", "cpu-only-build", "hidden-by-visible-devices"),
    *("cudart-missing", "cublas-missing", "cudnn-missing"),
))  # fmt: skip
#: Causes by which a program does not even get the name of a device.
_UNSEEN = frozenset(("no-nvidia-gpu", "driver-missing", "driver-not-loaded"))
#: Causes that end the program that meets them.
_OF_PROGRAM = frozenset(("oom-workload", "user-code"))


def works_below(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Whether a program works on the GPU, below every line that tells of a failure.

    Not where a lesser finding says so itself, or where somebody tells what it is that works.
    """
    faults = [each for each in placed if each.role is not Role.NOTE]
    causes = frozenset(each.cause for each in faults)
    severe = all(each.finding.severity is Severity.ERROR for each in faults)
    if not causes or not severe or not causes <= _NOTHING_WORKS | _OF_PROGRAM:
        return False
    if statements(facts, "other-state-told"):
        return False
    failed, worked = last_failure(facts), _last_work(facts, causes)
    return 0 < failed < worked and not goes_on_between(facts, failed, worked)


def _last_work(facts: Facts, causes: frozenset[str]) -> int:
    """The last line that shows at work what none of these causes would leave."""
    shown = [line_of(facts, said.DEVICE_WORKED)]
    if any(_devices(facts)):
        shown.append(line_of(facts, said.PROGRESS))
    if not causes & _OF_PROGRAM:  # a model that lies on the GPU is no work yet
        shown.extend(_computed(facts))
    if causes <= _UNSEEN:
        shown.append(line_of(facts, said.DEVICE_IN_USE))
    if causes == {"driver-not-loaded"}:
        shown.append(line_of(facts, names.NVML_COUNT))
    return max(shown)


def _computed(facts: Facts) -> Iterator[int]:
    for framework in facts.subjects(said.FRAMEWORK_COMPUTED):
        computed = said.FRAMEWORK_COMPUTED(framework)
        if facts.known(computed):
            yield line_of(facts, computed)


def _devices(facts: Facts) -> Iterator[bool]:
    """What shows that the work that goes on is on a GPU."""
    yield facts.known(said.DEVICE_IN_USE) is not None
    answers = facts.known_of(said.FRAMEWORK_SEES_GPU)
    yield True in answers and False not in answers
