"""Whether JAX or TensorFlow holds the memory that PyTorch asks for in the same program.

Both keep most of the GPU for themselves from their first use on, and PyTorch's message counts
what they keep among that of others, or as this process's beside its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from .statements import statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts, Key

    Keys = tuple[Key[object], ...]

#: JAX keeps 75 % of the GPU, once 90; by a wish of less it would not be the reason.
_RESERVE = 0.6
#: No context, and no workspace of a library, is so large a share.
_BESIDE = 0.4
_MIB = 1 << 20
#: By which values of which variable nothing is kept in advance.
_ON_DEMAND = (
    ("XLA_PYTHON_CLIENT_PREALLOCATE", ("false", "0")),
    ("XLA_PYTHON_CLIENT_ALLOCATOR", ("platform",)),
)


def beside_torch(facts: Facts) -> Keys:
    """What shows it: an import in the code, and a share that is a reserve's; empty where not."""
    total = facts.known(said.MEMORY_TOTAL)
    if total is None or _on_demand(facts) or _several_processes(facts):
        return ()
    if told := _told_by_tensorflow(facts):
        return told
    imported = facts.subjects(said.FRAMEWORK_IMPORTED)
    beside = facts.known(said.MEMORY_BESIDE)
    shown = tuple(said.FRAMEWORK_IMPORTED(each) for each in imported)
    if beside is not None:
        return (*shown, said.MEMORY_BESIDE) if shown and beside > _BESIDE * total else ()
    # An older message tells of no process, and who imports TensorFlow may want its log files only.
    shown = tuple(said.FRAMEWORK_IMPORTED(each) for each in imported if each == "jax")
    return shown if (facts.known(said.MEMORY_OTHERS) or 0) > _RESERVE * total else ()


def _told_by_tensorflow(facts: Facts) -> Keys:
    """What TensorFlow says that it took, where that is most of what PyTorch finds taken."""
    size = tensorflow_took(facts)
    taken = facts.known(said.MEMORY_BESIDE) or facts.known(said.MEMORY_OTHERS) or 0
    shown = size is not None and size > _RESERVE * taken > 0
    return statements(facts, "tf-device-memory") if shown else ()


def tensorflow_took(facts: Facts) -> int | None:
    """The bytes of the GPU that TensorFlow told to have taken for itself."""
    told = value(facts, "tf-device-memory")
    return int(told) * _MIB if told else None


def _on_demand(facts: Facts) -> bool:
    told = ((facts.known(names.ENV(name)) or "", values) for name, values in _ON_DEMAND)
    return any(value.lower() in values for value, values in told)


def _several_processes(facts: Facts) -> bool:
    listed = (facts.known(names.GPU_PROCESSES(gpu)) for gpu in facts.subjects(names.GPU_PROCESSES))
    return any(len(each or ()) > 1 for each in listed)
