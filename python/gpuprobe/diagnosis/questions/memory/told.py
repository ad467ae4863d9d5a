"""Memory that is wanting by what somebody tells, or by what a program that went on says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...model import Confidence
from ..sentences import something_fails
from ..statements import statements, value_words
from .holders import TAKEN, full_gpu, share_free
from .kinds import OTHERS, PREALLOCATED, WORKLOAD, MemoryFault, size_of

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys


#: What takes most of a GPU at its start, whatever it needs.
_HOARDERS = ("tensorflow", "keras", "jax")
#: TensorFlow leaves less of a GPU than this, which then has nothing to do.
_KEPT, _AT_REST, _SEVERAL = 0.1, 5, 2


def memory_told(facts: Facts) -> MemoryFault | None:
    """Somebody tells of it, and who holds the memory; or shows a full GPU that nobody uses."""
    steps = (
        *(_in_advance, _in_vain, _by_import, _kept_of_each, _beyond_xla, _left_to_ollama),
        *(_all_taken, _several_processes, _held_by_others, _by_unlisted, _pool_beyond_free),
    )
    return next((found for step in steps if (found := step(facts)) is not None), None)


def _in_advance(facts: Facts) -> MemoryFault | None:
    hoards = statements(facts, "told-takes-all-memory", "memory-taken-on-import-told")
    title = "The framework takes the GPU's memory in advance, as the text says"
    return MemoryFault(PREALLOCATED, title, hoards, Confidence.LIKELY) if hoards else None


def _in_vain(facts: Facts) -> MemoryFault | None:
    """JAX keeps it in spite of a setting, which came after its first use of the GPU."""
    if not (told := statements(facts, "jax-memory-setting-in-vain")):
        return None
    title = "JAX takes the GPU's memory in advance in spite of its setting, which comes too late"
    return MemoryFault(PREALLOCATED, title, told, Confidence.POSSIBLE)


def _by_import(facts: Facts) -> MemoryFault | None:
    """The import of a library takes memory, of one that is built on those that keep it."""
    taken = statements(facts, "memory-taken-by-import-told")
    if not taken or not _is_of_hoarder(facts):
        return None
    title = "A library takes the GPU's memory as it is imported: it starts JAX or TensorFlow"
    return MemoryFault(PREALLOCATED, title, taken, Confidence.LIKELY)


def _kept_of_each(facts: Facts) -> MemoryFault | None:
    """Every GPU is full and at most one works: TensorFlow keeps the memory of all that it sees."""
    shown = facts.subjects(names.GPU_MEMORY_FREE)
    full = [gpu for gpu in shown if share_free(facts, gpu) < _KEPT]
    busy = [gpu for gpu in shown if (facts.known(names.GPU_UTILIZATION(gpu)) or 0) > _AT_REST]
    told = facts.known(names.ENV("CUDA_VISIBLE_DEVICES")) or statements(facts, "tf-memory-limited")
    if not facts.known(said.ABOUT("tensorflow")) or told or something_fails(facts):
        return None
    if len(full) < _SEVERAL or len(full) < len(shown) or len(busy) > 1:
        return None
    title = f"All {len(full)} GPUs are full, and at most one works: TensorFlow keeps the memory of "
    keys = tuple(names.GPU_MEMORY_FREE(gpu) for gpu in full)
    return MemoryFault(PREALLOCATED, f"{title}each that it sees", keys, Confidence.POSSIBLE)


def _all_taken(facts: Facts) -> MemoryFault | None:
    taken = statements(facts, "told-all-memory-taken")
    if not taken or not _is_of_hoarder(facts):
        return _all_gpus_taken(facts)
    title = "The framework takes most of the GPU's memory in advance, by what the text says"
    return MemoryFault(PREALLOCATED, title, taken, Confidence.POSSIBLE)


def _all_gpus_taken(facts: Facts) -> MemoryFault | None:
    """A program that needs one GPU takes the memory of each that it sees.

    Where it was to see only some of them, the question is why it sees all.
    """
    taken = statements(facts, "told-all-gpus-taken")
    told = facts.known(names.ENV("CUDA_VISIBLE_DEVICES")) or statements(facts, "tf-memory-limited")
    if not taken or not _is_of_hoarder(facts) or told:
        return None
    title = "The framework takes the memory of every GPU that it sees in advance"
    return MemoryFault(PREALLOCATED, title, taken, Confidence.POSSIBLE)


def _is_of_hoarder(facts: Facts) -> bool:
    return any(facts.known(said.ABOUT(each)) for each in _HOARDERS)


def _told(facts: Facts) -> Keys:
    return statements(facts, "out-of-memory-told", "tf-no-stream-executor")


def _held_by_others(facts: Facts) -> MemoryFault | None:
    """Another process has the memory, one that has ended, or another pod on the same GPU."""
    told, full = _told(facts), full_gpu(facts)
    if told and (shared := statements(facts, "gpu-shared-by-pods")):
        title = "Pods share the GPU, and what one asks for does not keep the others from its memory"
        return MemoryFault(OTHERS, title, (*told, *shared), Confidence.POSSIBLE)
    asked = (*told, *((full,) if full else ()))
    if held := statements(facts, "memory-held-told") if asked else ():
        title = "The GPU's memory is still held by another process, as the text says"
        return MemoryFault(OTHERS, title, (*asked, *held), Confidence.POSSIBLE)
    if orphan := statements(facts, "memory-held-by-orphan") if told else ():
        # A program that tells of it itself may be that one, which somebody left to itself.
        title = "A process whose parent is gone, as of a job that is over, holds the GPU's memory"
        return MemoryFault(OTHERS, title, (*told, *orphan), Confidence.LIKELY)
    if left := statements(facts, "told-memory-left"):
        title = "The GPU's memory is still held though the program has ended, as the text says"
        return MemoryFault(OTHERS, title, (*told, *left), Confidence.POSSIBLE)
    return None


#: A pool of RAPIDS is nearly all of a GPU, of which others hold the rest where so little is free.
_OF_POOL = 0.5


def _pool_beyond_free(facts: Facts) -> MemoryFault | None:
    """RAPIDS for Spark finds much less free at its start than it takes of a GPU."""
    told = value_words(facts, "rmm-pool-beyond-free")
    pool, free = (int(each) << 20 for each in told) if told else (0, 0)
    if free >= _OF_POOL * pool:
        return None
    title = f"Only {size_of(free)} were free before RAPIDS took its pool of {size_of(pool)}"
    return MemoryFault(OTHERS, title, statements(facts, "rmm-pool-beyond-free"), Confidence.LIKELY)


def _by_unlisted(facts: Facts) -> MemoryFault | None:
    """A GPU is full, and no process is listed that has it."""
    told = _told(facts)
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


def _beyond_xla(facts: Facts) -> MemoryFault | None:
    """What a program takes and gives exceeds what XLA may use, and it does not go on."""
    made = statements(facts, "xla-no-room")
    if not made or facts.known(said.PROGRESS) is not None:
        return None
    title = "What the program takes and gives fills the GPU, and nothing is left to compute in"
    return MemoryFault(WORKLOAD, title, made, Confidence.LIKELY)


def _several_processes(facts: Facts) -> MemoryFault | None:
    """Each process of a framework takes most of the GPU, so that several have no room on one."""
    told = statements(facts, "memory-for-several-told")
    if not told or not _is_of_hoarder(facts):
        return None
    title = "Several processes share a GPU of which each takes most of the memory in advance"
    return MemoryFault(PREALLOCATED, title, told, Confidence.POSSIBLE)


def _left_to_ollama(facts: Facts) -> MemoryFault | None:
    """It goes on with the CPU where the GPU has no room, which others may have taken."""
    without = statements(facts, "ollama-no-layers")
    free, total = facts.known(said.MEMORY_FREE), facts.known(said.MEMORY_TOTAL)
    if not without or free is None or total is None or free >= TAKEN * total:
        return None
    title = f"Only {size_of(free)} of {size_of(total)} were free, so that Ollama stays on the CPU"
    keys = (*without, said.MEMORY_FREE, said.MEMORY_TOTAL)
    return MemoryFault(OTHERS, title, keys, Confidence.LIKELY)
