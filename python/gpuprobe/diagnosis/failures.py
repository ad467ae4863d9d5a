"""What fails in a text, and where it tells of that last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import names, said
from ..facts.model import Facts, Key, Known
from . import reported
from .model import Link
from .questions.statements import line_in, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator


#: A framework that sees the GPU has loaded what it needs; before that these count.
_BEFORE_FRAMEWORK = (names.LIBRARY_MISSING, said.LIBRARY_BROKEN, said.SYMBOL_WANTED_BY)
_ALWAYS = (said.ERROR, said.SIGN, names.XID, names.GPU_FAILURE)
#: What a GPU answers to a call for what it does not have, a fan or a sensor.
_ANSWERS = frozenset(("NVML_ERROR_NOT_SUPPORTED",))
#: What a monitor does not get, beside a program that computes without it.
_OF_MONITORS = ("NVML_ERROR_LIBRARY_NOT_FOUND", "NVML_ERROR_UNINITIALIZED")
_OUTCOMES = (names.NVML_OUTCOME, names.CUDA_OUTCOME, names.KERNEL_OUTCOME)


def failures_of(facts: Facts, reached: Link) -> Iterator[str]:
    """The facts that show a failure which no rule explained, of what lies beyond a link."""
    of_report = reported.names_told(facts)
    yield from (name for name in _failures(facts, reached) if name not in of_report)


def _failures(facts: Facts, reached: Link) -> Iterator[str]:
    families = _ALWAYS if reached >= Link.FRAMEWORK else (*_ALWAYS, *_BEFORE_FRAMEWORK)
    for family in families:
        harmless = _harmless_signs(facts) if family is said.SIGN else _harmless_errors(facts)
        for subject in facts.subjects(family):
            monitors = subject in _OF_MONITORS and reached >= Link.VISIBLE_DEVICES
            if subject not in harmless and not (monitors and _seen_below(facts, family(subject))):
                yield family(subject).name
    for sees in (said.FRAMEWORK_SEES_GPU, said.FRAMEWORK_COUNT):
        yield from (key.name for key in facts.keys_of(sees) if facts.known(key) in (False, 0))
    for outcome in _OUTCOMES:
        if facts.known(outcome) in ("failed", "hung", "crashed", "not loaded", "wrong"):
            yield outcome.name


def _harmless_signs(facts: Facts) -> frozenset[str]:
    """Those that are no failure; that a shell missed nvidia-smi is none where it then ran."""
    found = facts.known(said.SIGN("smi-off-the-path")) is not None
    return said.CIRCUMSTANCES | {"smi-not-found"} if found else said.CIRCUMSTANCES


#: The calls that save a program which runs, and let it go on: not each system lets them.
_CHECKPOINT = "cucheckpoint"


def _harmless_errors(facts: Facts) -> frozenset[str]:
    """Those that are none of the GPU: so is that a program's own source does not compile."""
    lacks = facts.known(said.SIGN("kernel-source-missing")) is not None
    explained = ("NVRTC_ERROR_COMPILATION",) if lacks else ()
    codes = facts.subjects(said.ERROR)
    saving = (
        each for each in codes if _CHECKPOINT in (facts.known(said.ERROR(each)) or "").lower()
    )
    return _ANSWERS.union(explained, saving)


def _seen_below(facts: Facts, failed: Key[object]) -> bool:
    """Whether a program sees the GPU further down in the text."""
    sees = facts.keys_of(said.FRAMEWORK_SEES_GPU)
    keys = (key for key in (*sees, names.CUDA_COUNT) if facts.known(key))
    return any(line_of(facts, key) > line_of(facts, failed) for key in keys)


def last_failure(facts: Facts) -> int:
    """The last line that tells of a failure; 0 where none does."""
    failed = (*failures_of(facts, Link.HARDWARE), said.FAILURE.name)
    told = (facts[name] for name in failed if name in facts)
    return max((line_in(each.source) for each in told if isinstance(each, Known)), default=0)
