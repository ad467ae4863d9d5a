"""Faults that a program is not stopped by: below all that failed it works on its GPU.

Nobody says that something was mended, and the failure may be another machine's, another
container's or another process'. So the text tells of both, and proves neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import names, said
from ..facts.model import Known
from .failures import last_failure
from .model import Role, Severity
from .questions.statements import line_in, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..facts.model import Fact, Facts, Value
    from .model import Placed

#: Causes with which nothing is computed on a GPU, and two that end the program that meets them.
#: Of the others one GPU, one operation or one package fails, and the rest may go on.
_NOTHING_WORKS = frozenset((
    *("no-nvidia-gpu", "driver-missing", "driver-not-loaded", "driver-library-mismatch"),
    *("driver-too-old", "forward-compat", "stub-library", "fabric-manager", "device-nodes"),
    *("container-no-gpu", "wsl", "cpu-only-build", "hidden-by-visible-devices"),
    *("cudart-missing", "cublas-missing", "cudnn-missing"),
))  # fmt: skip
#: Causes by which a program does not even get the name of a device.
_UNSEEN = frozenset(("no-nvidia-gpu", "driver-missing", "driver-not-loaded"))
_OF_PROGRAM = frozenset(("oom-workload", "user-code"))


def works_below(facts: Facts, placed: Sequence[Placed]) -> bool:
    """Whether a program works on the GPU, below every line that tells of a failure."""
    faults = [each for each in placed if each.role is not Role.NOTE]
    if any(each.finding.severity is not Severity.ERROR for each in faults):
        return False  # beside such a one things work
    causes = {each.cause for each in faults}
    if statements(facts, "other-state-told"):
        return False  # which it is that works is told
    if not causes or not causes <= _NOTHING_WORKS | _OF_PROGRAM:
        return False
    last = last_failure(facts)
    went_on = _line(facts.fact(said.PROGRESS)) if any(_devices(facts)) else 0
    # A model that lies on the GPU is no work yet, which is what failed.
    begun = () if causes & _OF_PROGRAM else _computed(facts)
    if causes <= _UNSEEN and last < _line(facts.fact(said.DEVICE_IN_USE)):
        return last > 0
    if causes == {"driver-not-loaded"} and last < _line(facts.fact(names.NVML_COUNT)):
        return last > 0  # the driver answers in the end
    return 0 < last < max(*begun, _line(facts.fact(said.DEVICE_WORKED)), went_on)


def _computed(facts: Facts) -> Iterator[int]:
    for framework in facts.subjects(said.FRAMEWORK_COMPUTED):
        computed = facts.fact(said.FRAMEWORK_COMPUTED(framework))
        if isinstance(computed, Known) and computed.value:
            yield line_in(computed.source)


def _devices(facts: Facts) -> Iterator[bool]:
    """What shows that the work that goes on is on a GPU."""
    yield facts.known(said.DEVICE_IN_USE) is not None
    family = said.FRAMEWORK_SEES_GPU
    answers = [facts.known(family(subject)) for subject in facts.subjects(family)]
    yield True in answers and False not in answers


def _line(fact: Fact[Value]) -> int:
    return line_in(fact.source) if isinstance(fact, Known) else 0
