"""Parts of a GPU that still work and are about to fail: memory, and links to other GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.model import Facts, Family, NotThere
from ...facts.version import Version
from ..fixes.wear import look_at_links, replace_memory, reset_gpu
from ..model import Confidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.driver.state import gpu_subject
from ..questions.source import looked_at
from .hardware import is_lost

if TYPE_CHECKING:
    from collections.abc import Callable

    Value = Family[bool] | Family[int]

#: What the memory's own account says, the worst first, and what to do about it.
_ACCOUNTS: tuple[tuple[Value, str, Callable[[str], Fix]], ...] = (
    (names.GPU_ROWS_FAILED, "GPU {} has no spare rows left for failing memory", replace_memory),
    (names.GPU_ECC_UNCORRECTED, "GPU {} had memory errors that ECC could not mend", reset_gpu),
    (names.GPU_ROWS_PENDING, "GPU {} waits for a reset to replace failing memory", reset_gpu),
    (names.GPU_PAGES_PENDING, "GPU {} waits for a reset to retire failing memory", reset_gpu),
)


#: CUDA_ERROR_ECC_UNCORRECTABLE: what CUDA answers on a GPU whose memory has such errors.
ECC_UNCORRECTABLE = 214


def counts_errors(facts: Facts) -> bool:
    """Whether a GPU's memory gives account of errors that stop a program."""
    return any(_bad_accounts(facts, gpu) for gpu in facts.subjects(names.GPU_ECC))


def _bad_accounts(facts: Facts, gpu: str) -> list[tuple[Value, str, Callable[[str], Fix]]]:
    return [account for account in _ACCOUNTS if facts.known(account[0](gpu))]


@rule("GP804", "memory-errors", cause="device-lost", link=Link.WORK, since="0.1")
def memory_errors(facts: Facts) -> Findings:
    """The GPU's memory counts errors that cannot be corrected, or waits to be repaired."""
    gpus = facts.subjects(names.GPU_ECC)
    if not gpus:
        raise NotThere(names.GPU_ECC("*").name)
    answers = (names.CUDA_CODE, names.KERNEL_CODE)
    stopped = [answer for answer in answers if facts.known(answer) == ECC_UNCORRECTABLE]
    for gpu in gpus:
        bad = _bad_accounts(facts, gpu)
        if not bad:
            continue
        _, title, repair = bad[0]
        totals = (names.GPU_ECC_UNCORRECTED_TOTAL(gpu), names.GPU_ROWS_REMAPPED(gpu))
        yield Finding(
            title.format(gpu),
            cite(
                facts,
                *(account[0](gpu) for account in bad),
                *stopped,
                *totals,
                names.GPU_NAME(gpu),
            ),
            repair(gpu),
            severity=Severity.ERROR if stopped else Severity.WARNING,
            subject=gpu_subject(facts, gpu),
        )
    for gpu in gpus if looked_at(facts) else ():
        if not is_lost(facts, gpu):
            _look_at_account(facts, gpu)


#: Since this capability rows are replaced one by one; before it pages are retired.
_REPLACES_ROWS = Version("8.0")


def _look_at_account(facts: Facts, gpu: str) -> None:
    """Ask for what would show failing memory; without ECC nobody counts.

    Raises:
        Missing: NVML does not tell.
    """
    if not facts.look(names.GPU_ECC(gpu)):
        return
    facts.look(names.GPU_ECC_UNCORRECTED(gpu))
    if facts.need(names.GPU_CAPABILITY(gpu)) >= _REPLACES_ROWS:
        facts.look(names.GPU_ROWS_FAILED(gpu))
        facts.look(names.GPU_ROWS_PENDING(gpu))
    else:
        facts.look(names.GPU_PAGES_PENDING(gpu))


@rule("GP805", "nvlink-down", cause="nccl", link=Link.WORK, since="0.1")
def nvlink_down(facts: Facts) -> Findings:
    """An NVLink of a GPU is down while others of it are up."""
    gpus = facts.subjects(names.GPU_NVLINKS)
    if not gpus:
        raise NotThere(names.GPU_NVLINKS("*").name)
    for gpu in gpus:
        down = facts.known(names.GPU_NVLINKS_DOWN(gpu)) or ()
        links = facts.known(names.GPU_NVLINKS(gpu)) or 0
        # All down: no bridge is plugged between these cards, or MIG switched the links off.
        if not down or len(down) >= links:
            continue
        yield Finding(
            f"{len(down)} of {links} NVLinks of GPU {gpu} "
            + ("is down" if len(down) == 1 else "are down"),
            cite(
                facts,
                names.GPU_NVLINKS_DOWN(gpu),
                names.GPU_NVLINKS(gpu),
                names.GPU_NVLINK_ERRORS(gpu),
                names.GPU_NAME(gpu),
            ),
            look_at_links(),
            severity=Severity.NOTE if _may_be_others(facts, gpu) else Severity.WARNING,
            confidence=Confidence.CERTAIN,
            subject=gpu_subject(facts, gpu),
        )


def _may_be_others(facts: Facts, gpu: str) -> bool:
    """Whether the links may lead to GPUs of the board that another virtual machine has.

    Behind NVSwitch a GPU keeps all of its links, whoever has the others.
    """
    switched = any("switch" in each for each in facts.known(names.GPU_NVLINK_PEERS(gpu)) or ())
    return facts.known(names.VM_KIND) is not None and not switched
