"""What frameworks take of a GPU in advance, and what finds too little memory for that reason.

JAX and TensorFlow keep most of the GPU for themselves from their first use on; the message of
PyTorch in the same program counts that among what others hold, or as this process's beside its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ...model import Confidence
from ..gpus.users import computing
from ..statements import errors, line_of, statements, value
from .kinds import OTHERS, PREALLOCATED, MemoryFault, size_of

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys


#: JAX keeps 75 % of the GPU, once 90; by a wish of less it would not be the reason.
_RESERVE = 0.6
#: No context, and no workspace of a library, is so large a share.
_BESIDE = 0.4
_MIB = 1 << 20
#: By which values of which variable nothing is kept in advance, or less than such a share.
_ON_DEMAND = {
    "jax": (
        ("XLA_PYTHON_CLIENT_PREALLOCATE", regex(r"false|0")),
        ("XLA_PYTHON_CLIENT_ALLOCATOR", regex(r"platform")),
        ("XLA_PYTHON_CLIENT_MEM_FRACTION", regex(r"0?\.[0-3]\d{0,8}")),
        ("JAX_PLATFORMS", regex(r"cpu")),
        ("JAX_PLATFORM_NAME", regex(r"cpu")),
    ),
    "tensorflow": (("TF_FORCE_GPU_ALLOW_GROWTH", regex(r"true|1")),),
}


def wanted_at_start(facts: Facts, stated: Keys) -> MemoryFault | None:
    """What a program takes at its start was not free."""
    if arena := _arena_at_start(facts):
        title = "AMReX takes three quarters of the GPU's memory at its start, and did not get them"
        return MemoryFault(PREALLOCATED, title, (*stated, *arena), Confidence.LIKELY)
    return _paddles_share(facts, stated)


def _arena_at_start(facts: Facts) -> Keys:
    """AMReX's pool found no memory before AMReX told that it had started; empty where not.

    It begins with three quarters of the GPU (amrex.the_arena_init_size), and grows later.
    """
    codes = errors(facts, "CUDA_ERROR_OUT_OF_MEMORY")
    failed = tuple(key for key in codes if "amrex_arena.cpp" in (facts.known(key) or "").lower())
    return () if statements(facts, "amrex-started") else failed


def _paddles_share(facts: Facts, stated: Keys) -> MemoryFault | None:
    """Paddle takes 92 % of the GPU at its start, and so much was not free.

    Where not even half of that was, it is others who hold it: no smaller share would help.
    """
    refused = statements(facts, "paddle-share-refused")
    if not refused:
        return None
    asked, free = facts.need(said.MEMORY_ASKED), facts.need(said.MEMORY_FREE)
    held = free < asked / 2
    title = f"Paddle wants {size_of(asked)} in advance, and {size_of(free)} are free"
    return MemoryFault(
        OTHERS if held else PREALLOCATED,
        title,
        (*stated, *refused, said.MEMORY_FREE),
        Confidence.LIKELY,
    )


def beside_torch(facts: Facts) -> Keys:
    """What shows it: an import in the code, and a share that is a reserve's; empty where not."""
    total, beside = facts.known(said.MEMORY_TOTAL), facts.known(said.MEMORY_BESIDE)
    if total is None or (beside is None and _other_processes(facts)):
        return ()
    if told := (_told_by_tensorflow(facts) or _told_by_xla(facts)):
        return told
    imported = [
        each for each in facts.subjects(said.FRAMEWORK_IMPORTED) if not on_demand(facts, each)
    ]
    shown = tuple(said.FRAMEWORK_IMPORTED(each) for each in imported)
    if beside is not None:
        if shown:
            return (*shown, said.MEMORY_BESIDE) if beside > _BESIDE * total else ()
        there = _installed(facts) if beside > _RESERVE * total else ()
        return (*there, said.MEMORY_BESIDE) if there else ()
    # An older message tells of no process, and who imports TensorFlow may want its log files only.
    shown = tuple(said.FRAMEWORK_IMPORTED(each) for each in imported if each == "jax")
    return shown if (facts.known(said.MEMORY_OTHERS) or 0) > _RESERVE * total else ()


def _installed(facts: Facts) -> Keys:
    """Packages of those that keep so much of a GPU, where no code is shown."""
    keys = (
        names.PACKAGE_VERSION(each)
        for each in _ON_DEMAND
        if not on_demand(facts, each) and facts.known(names.PACKAGE_BUILD(each)) != "cpu"
    )
    return tuple(key for key in keys if facts.known(key) is not None)


def _told_by_tensorflow(facts: Facts) -> Keys:
    """What TensorFlow says that it took, where that is most of what PyTorch finds taken."""
    if facts.known(said.MEMORY_OWN) is None and not facts.known(said.ABOUT("torch")):
        return ()  # it is TensorFlow that wants more
    size = tensorflow_took(facts)
    taken = facts.known(said.MEMORY_BESIDE) or facts.known(said.MEMORY_OTHERS) or 0
    shown = size is not None and size > _RESERVE * taken > 0 and not on_demand(facts, "tensorflow")
    return statements(facts, "tf-device-memory") if shown else ()


def _told_by_xla(facts: Facts) -> Keys:
    """What XLA says that it took for JAX, likewise."""
    told = value(facts, "xla-device-memory")
    taken = facts.known(said.MEMORY_BESIDE) or facts.known(said.MEMORY_OTHERS) or 0
    shown = bool(told) and int(told) > _RESERVE * taken > 0
    return statements(facts, "xla-device-memory") if shown else ()


def tensorflow_took(facts: Facts) -> int | None:
    """The bytes of the GPU that TensorFlow told to have taken for itself."""
    told = value(facts, "tf-device-memory")
    return int(told) * _MIB if told else None


def on_demand(facts: Facts, framework: str) -> bool:
    """Whether a variable or code keeps this one from it."""
    if framework == "tensorflow" and statements(facts, "tf-memory-limited"):
        return True
    told = ((facts.known(names.ENV(name)) or "", what) for name, what in _ON_DEMAND[framework])
    return any(what.fullmatch(value.lower()) for value, what in told)


def _other_processes(facts: Facts) -> bool:
    """Whether nvidia-smi lists several, or one by its path: a mere "python" may be the one."""
    listed = (computing(facts, gpu) for gpu in facts.subjects(names.GPU_PROCESSES))
    return any(len(each) > 1 or "".join(each).startswith("/") for each in listed)


def has_pool(facts: Facts) -> bool:
    """Whether TensorFlow's pool ran out of what it had, before the driver gave it no more."""
    refused = said.ERROR("CUDA_ERROR_OUT_OF_MEMORY")
    return 0 < line_of(facts, said.NOISE("allocation-not-a-failure")) < line_of(facts, refused)
