"""Who holds a GPU's memory, as nvidia-smi's table shows it beside a program that got none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ..statements import line_of, statements

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys


#: A GPU with less free than this share, before the program took any, is in use.
TAKEN = 0.5


def taken_before(facts: Facts) -> Keys:
    """The table of the time before the program: every GPU is in use there."""
    made = statements(facts, "smi-before-told")
    shown = facts.keys_of(names.GPU_MEMORY_FREE)
    in_use = [share_free(facts, key.name.split(".")[1]) < TAKEN for key in shown]
    return (*made, *shown) if made and shown and all(in_use) else ()


def share_free(facts: Facts, gpu: str) -> float:
    """What part of a GPU's memory is free; all of it where nobody tells."""
    free, total = facts.known(names.GPU_MEMORY_FREE(gpu)), facts.known(names.GPU_MEMORY(gpu))
    return 1.0 if free is None or not total else free / total


def strangers(facts: Facts) -> tuple[Key[int], ...]:
    """Programs that hold most of a GPU, and that the text names in the table alone.

    Where the size of the GPU is not told, they hold much.
    """
    found = facts.keys_of(said.GPU_STRANGER)
    return tuple(key for key in found if (facts.known(key) or 0) > _most(facts, key))


#: So much is what no desktop takes, where the size of the GPU is not told.
_MUCH = 4 << 30


def _most(facts: Facts, key: Key[int]) -> float:
    total = facts.known(names.GPU_MEMORY(key.name.split(".")[1])) or facts.known(said.MEMORY_TOTAL)
    return _MUCH if total is None else TAKEN * total


#: What is left of a GPU that somebody uses, where nothing else can begin.
LEFT = 0.06


def full_gpu(facts: Facts) -> Key[object] | None:
    """A GPU that a tool shows as full, where the first allocation of a program failed already."""
    if facts.known(said.MEMORY_ASKED) is not None:
        return None
    for gpu in facts.subjects(names.GPU_MEMORY_FREE):
        free, total = facts.known(names.GPU_MEMORY_FREE(gpu)), facts.known(names.GPU_MEMORY(gpu))
        if free is not None and total is not None and free < LEFT * total:
            return names.GPU_MEMORY_FREE(gpu)
    return None


#: A GPU that is as busy as this computes for somebody; so little of it is left to a second one.
_BUSY, _LEFT_BESIDE_WORK = 50, 0.25


def at_work_after(facts: Facts, stated: Keys) -> Keys:
    """The GPU, where there is one, at work below the end of the program that got no memory."""
    while_it_ran = statements(facts, "smi-while-told", "smaller-runs-told")
    if len(facts.subjects(names.GPU_UTILIZATION)) != 1 or while_it_ran:
        return ()
    ended = max((line_of(facts, key) for key in stated), default=0)
    for gpu in facts.subjects(names.GPU_UTILIZATION):
        busy, free = names.GPU_UTILIZATION(gpu), names.GPU_MEMORY_FREE(gpu)
        full = share_free(facts, gpu) < _LEFT_BESIDE_WORK
        if full and (facts.known(busy) or 0) >= _BUSY and line_of(facts, busy) > ended > 0:
            return (free, busy)
    return ()


def full_before(facts: Facts) -> Keys:
    """What a program tells of the GPU at its start, where next to nothing of it is free.

    What it tells of a failure would hold its own share, and not be called that of others.
    """
    keys = (said.MEMORY_OTHERS, said.MEMORY_FREE, said.MEMORY_TOTAL)
    others, free, total = (facts.known(key) for key in keys)
    if None in (others, free, total) or facts.known(said.MEMORY_OWN) is not None:
        return ()
    return keys if (free or 0) < LEFT * (total or 0) else ()
