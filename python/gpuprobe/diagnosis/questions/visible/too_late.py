"""Whether a program sets CUDA_VISIBLE_DEVICES when CUDA has read it: what code and words show.

That a line stands too low harms nobody by itself: a child takes it, or the first GPU was wanted.
It is accused where something shows other GPUs than it names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ...model import Confidence, Severity
from ..gpus.mig import in_use, told_in_use
from ..gpus.users import computing
from ..memory.faults import memory_fault
from ..memory.holders import LEFT, share_free
from ..memory.kinds import OTHERS
from ..sentences import something_fails
from ..statements import statements, value
from ..symptoms import no_device
from .values import NUMBERS, VISIBLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....facts.model import Facts, Key, Keys


_TORCH = names.PACKAGE_VERSION("torch")
#: The release of torch that read the GPUs while it was imported; others read them at first use.
_READS_AT_IMPORT = "1.12.0"


class TooLate(NamedTuple):
    """What is too late, and what shows it."""

    title: str
    keys: Keys
    confidence: Confidence = Confidence.LIKELY
    severity: Severity = Severity.ERROR
    #: Dask sets the variable of its workers, and the program must not be there before.
    in_workers: bool = False


def too_late(facts: Facts) -> TooLate | None:
    """By the first of the readings that finds it."""
    return next((found for read in _READINGS if (found := read(facts))), None)


def _told(facts: Facts) -> TooLate | None:
    told = statements(facts, "visible-devices-ineffective", "tf-visible-too-late")
    if not told or facts.known(said.VISIBLE_SET_LATE) is False:
        return None
    title = "The visible devices are set in the program and nothing changes: it comes too late"
    return TooLate(title, (*told, said.VISIBLE_SET_LATE, VISIBLE))


def _told_far_down(facts: Facts) -> TooLate | None:
    """The code itself was pasted without what stands above it."""
    told = statements(facts, "visible-devices-far-down-told")
    if not told or not facts.known(said.VISIBLE_SET_IN_CODE) or something_fails(facts):
        return None
    title = "The visible devices are set far down in the program, as the text says: too late"
    return TooLate(title, (*told, VISIBLE))


def _told_after_start(facts: Facts) -> TooLate | None:
    """A kernel or a cluster has what the variable was at its start; what fails shows the harm."""
    told = statements(facts, "visible-devices-after-start-told")
    if not told or facts.known(said.FAILURE) is None or something_fails(facts):
        return None
    title = "The visible devices are set when the program runs already, as the text says: too late"
    return TooLate(title, (*told, said.FAILURE, VISIBLE))


def _told_after_import(facts: Facts) -> TooLate | None:
    """In the words of somebody who found the reason."""
    told = statements(facts, "visible-devices-after-import-told")
    if not told or something_fails(facts):
        return None
    title = "The visible devices are set after what reads them, as the text says: too late"
    return TooLate(title, (*told, VISIBLE))


def _before_dask(facts: Facts) -> TooLate | None:
    if told := statements(facts, "dask-context-elsewhere"):
        title = "CUDA had begun before Dask gave each worker a GPU of its own"
        return TooLate(title, told, in_workers=True)
    return None


def _below_the_start(facts: Facts) -> TooLate | None:
    """Code that gives the process other GPUs than it has by then, and is seen to do so in vain.

    Without the variable a program takes the first GPU, so that a wish for that one is fulfilled.
    """
    code = facts.known(said.VISIBLE_SET_AFTER_START)
    if code is None or no_device(facts):
        return None
    given = tuple(code.split(",")) if NUMBERS.fullmatch(code) else ()
    counts = [facts.known(key) for key in _counts(facts)]
    if given and (int(given[0]) == 0 or (counts and set(counts) == {len(given)})):
        return None
    shown = _on_first(facts, len(given))
    if not shown:
        return None
    title = "CUDA_VISIBLE_DEVICES is set below a line that has started CUDA: too late"
    keys = (said.VISIBLE_STARTED_BY, said.VISIBLE_SET_AFTER_START, VISIBLE, *shown)
    return TooLate(title, keys)


def _on_first(facts: Facts, named: int) -> Keys:
    """What shows the program at work on the first GPU, or on more than those `named`."""
    if _is_contradicted(facts, named):
        return statements(facts, "work-on-first-gpu")
    listed: Keys = (names.GPU_PROCESSES("0"),) if _computes_on_first_alone(facts) else ()
    if not something_fails(facts):
        return listed
    if max(len(facts.subjects(each)) for each in (names.GPU_NAME, names.GPU_MEMORY)) < _SEVERAL:
        return ()
    fault, full = memory_fault(facts), _first_alone_is_full(facts)
    return (*listed, *fault.keys, *full) if fault and (fault.cause == OTHERS or full) else ()


_SEVERAL = 2


def _computes_on_first_alone(facts: Facts) -> bool:
    return bool(computing(facts, "0")) and facts.subjects(names.GPU_PROCESSES) == ("0",)


#: With more of its memory free a GPU is unused.
_UNUSED = 0.9


def _first_alone_is_full(facts: Facts) -> Keys:
    """What shows the first GPU as full and all others as unused: by whomever, not by this code."""
    told = [
        gpu for gpu in facts.subjects(names.GPU_MEMORY_FREE) if facts.known(names.GPU_MEMORY(gpu))
    ]
    shares = {gpu: share_free(facts, gpu) for gpu in told}
    first = shares.pop("0", 1.0)
    if first >= LEFT or not shares or min(shares.values()) < _UNUSED:
        return ()
    return (names.GPU_MEMORY_FREE("0"), *(names.GPU_MEMORY_FREE(gpu) for gpu in shares))


def _is_contradicted(facts: Facts, named: int) -> bool:
    """Whether the work is told to be where so many named GPUs do not put it.

    Nobody tells what an expression is worth, so that words about the GPUs do not contradict it.
    """
    told = value(facts, "work-on-first-gpu").lower()
    if not told or not named:
        return False
    if re.search(r"\bboth\b", told):
        return named == 1
    if re.search(r"\ball\b", told):
        return named == 1 or named < len(facts.subjects(names.GPU_NAME))
    return True


def _by_two_counts(facts: Facts) -> TooLate | None:
    """NVML counts by the variable as it is now, CUDA by what it was when CUDA started."""
    differ = statements(facts, "torch-counts-differ")
    if not differ or facts.known(said.VISIBLE_SET_LATE) is None:
        return None
    if in_use(facts) or told_in_use(facts):
        return None  # GP305: CUDA gives a process one instance of those that NVML counts
    title = "torch counts more GPUs now than CUDA did at its start: the variable was changed since"
    return TooLate(title, (*differ, said.VISIBLE_SET_LATE, VISIBLE))


def _in_ranks(facts: Facts) -> TooLate | None:
    """Each rank computes its own value, and NCCL finds two of them on one GPU all the same."""
    twice = statements(facts, "nccl-duplicate-gpu")
    if not twice or not facts.known(said.VISIBLE_SET_LATE) or facts.known(VISIBLE) is not None:
        return None
    if statements(facts, "first-device-set"):
        return None
    title = (
        "Each rank sets CUDA_VISIBLE_DEVICES after the import of the framework, and two use one "
        "GPU: too late"
    )
    return TooLate(title, (said.VISIBLE_SET_LATE, *twice))


def _by_more_than_named(facts: Facts) -> TooLate | None:
    """A framework counts more GPUs than are named, or more are there where code tells the order."""
    late, asked = facts.known(said.VISIBLE_SET_LATE), facts.known(VISIBLE)
    if late is None or not asked:
        return None
    named = len(asked.split(","))
    counts = {key: facts.known(key) or 0 for key in _counts(facts)}
    ignored = [key for key, count in counts.items() if count > named]
    there = facts.keys_of(names.GPU_NAME)
    if not ignored and (not late or counts or len(there) <= named):
        return None
    when = "after the import of the framework" if late else "in the program, and not followed"
    return TooLate(
        f'CUDA_VISIBLE_DEVICES="{asked}" is set {when}: too late',
        (said.VISIBLE_SET_LATE, VISIBLE, *ignored, _TORCH, *there),
        _how_sure(facts, sure=bool(ignored)),
        Severity.ERROR if ignored else Severity.WARNING,
    )


def _how_sure(facts: Facts, *, sure: bool) -> Confidence:
    if sure:
        return Confidence.CERTAIN
    torch = (facts.known(_TORCH) or "").partition("+")[0]
    return Confidence.LIKELY if torch == _READS_AT_IMPORT else Confidence.POSSIBLE


def _counts(facts: Facts) -> tuple[Key[int], ...]:
    """How many GPUs each framework sees."""
    return facts.keys_of(said.FRAMEWORK_COUNT)


_READINGS: tuple[Callable[[Facts], TooLate | None], ...] = (
    _told,
    _told_far_down,
    _told_after_start,
    _told_after_import,
    _before_dask,
    _below_the_start,
    _by_two_counts,
    _in_ranks,
    _by_more_than_named,
)
