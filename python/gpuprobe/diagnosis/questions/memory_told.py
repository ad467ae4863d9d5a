"""Memory that is wanting by what somebody tells, or by what a program that went on says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..model import Confidence
from .memory_holders import TAKEN, full_gpu
from .memory_kinds import OTHERS, PREALLOCATED, MemoryFault, size_of
from .statements import statements

if TYPE_CHECKING:
    from ...facts.model import Facts


#: What takes most of a GPU at its start, whatever it needs.
_HOARDERS = ("tensorflow", "keras", "jax")


def memory_told(facts: Facts) -> MemoryFault | None:
    """Somebody tells of it, and who holds the memory; or shows a full GPU that nobody uses."""
    if hoards := statements(facts, "told-takes-all-memory"):
        title = "The framework takes the GPU's memory in advance, as the text says"
        return MemoryFault(PREALLOCATED, title, hoards, Confidence.LIKELY)
    if crowded := _left_to_ollama(facts):
        return crowded
    taken = statements(facts, "told-all-memory-taken")
    if taken and any(facts.known(said.ABOUT(each)) for each in _HOARDERS):
        title = "The framework takes most of the GPU's memory in advance, by what the text says"
        return MemoryFault(PREALLOCATED, title, taken, Confidence.POSSIBLE)
    told = statements(facts, "out-of-memory-told", "tf-no-stream-executor")
    full = full_gpu(facts)
    asked = (*told, *((full,) if full else ()))
    if held := statements(facts, "memory-held-told") if asked else ():
        title = "The GPU's memory is still held by another process, as the text says"
        return MemoryFault(OTHERS, title, (*asked, *held), Confidence.POSSIBLE)
    if left := statements(facts, "told-memory-left"):
        title = "The GPU's memory is still held though the program has ended, as the text says"
        return MemoryFault(OTHERS, title, (*told, *left), Confidence.POSSIBLE)
    if not told or facts.subjects(names.GPU_PROCESSES):
        return None
    for gpu in facts.subjects(names.GPU_MEMORY_FREE):
        free, total = facts.known(names.GPU_MEMORY_FREE(gpu)), facts.known(names.GPU_MEMORY(gpu))
        if free is not None and total is not None and free < TAKEN * total:
            keys = (*told, names.GPU_MEMORY_FREE(gpu), names.GPU_MEMORY(gpu))
            title = (
                f"{size_of(total - free)} of GPU {gpu} are taken by processes that are not listed"
            )
            return MemoryFault(OTHERS, title, keys, Confidence.POSSIBLE)
    return None


def _left_to_ollama(facts: Facts) -> MemoryFault | None:
    """It goes on with the CPU where the GPU has no room, which others may have taken."""
    without = statements(facts, "ollama-no-layers")
    free, total = facts.known(said.MEMORY_FREE), facts.known(said.MEMORY_TOTAL)
    if not without or free is None or total is None or free >= TAKEN * total:
        return None
    title = f"Only {size_of(free)} of {size_of(total)} were free, so that Ollama stays on the CPU"
    keys = (*without, said.MEMORY_FREE, said.MEMORY_TOTAL)
    return MemoryFault(OTHERS, title, keys, Confidence.LIKELY)
