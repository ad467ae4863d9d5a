"""What the facts say of the driver: which part is installed, and what it answered."""

from __future__ import annotations

from ....facts import names
from ....facts.model import Facts, Key, Missing, NotThere
from ..gpus.presence import has_nvidia_gpu


def looked_at(facts: Facts) -> bool:
    """Whether these facts come from a look at a machine; a text states no level of the look."""
    return names.PROBE_LEVEL.name in facts


def anything_said(facts: Facts) -> bool:
    """Whether programs said something: a look at a machine that works has no statements."""
    return any(name.startswith(_STATEMENTS) for name in facts)


def only_with_gpu(facts: Facts) -> None:
    """End a rule as "not applicable" where there is no NVIDIA GPU: there no driver is at fault.

    Raises:
        NotThere: There is none.
        Missing: Nobody could look.
    """
    if not has_nvidia_gpu(facts):
        raise NotThere(names.PCI_NVIDIA_COUNT.name)


def not_without_gpu(facts: Facts) -> None:
    """The same for faults that a program's words show by themselves: something drives a GPU.

    Of a text only a machine that is known to have none ends the rule.

    Raises:
        NotThere: There is none.
        Missing: A machine was looked at, and nobody could see whether it has one.
    """
    try:
        only_with_gpu(facts)
    except Missing:
        if looked_at(facts):
            raise


def in_container(facts: Facts) -> bool:
    """Whether this is the inside of a Linux container, where the driver is the host's."""
    return facts.need(names.OS_SYSTEM) == "Linux" and facts.look(names.CONTAINER_KIND) is not None


def on_board(facts: Facts) -> bool:
    """Whether this is one of NVIDIA's own boards (Jetson), whose module is a part of its system.

    Raises:
        Missing: A machine was looked at, and nobody could see.
    """
    board = names.TEGRA_MODEL
    return (facts.look(board) if looked_at(facts) else facts.known(board)) is not None


def has_real_libcuda(facts: Facts) -> bool:
    """Whether the libcuda that programs get is a driver's, not the toolkit's stub."""
    return facts.look(names.LIBCUDA_PATH) is not None and not facts.look(names.LIBCUDA_STUB)


def gets_stub(facts: Facts) -> bool:
    """Whether programs get the toolkit's stub in place of libcuda."""
    return facts.known(names.LIBCUDA_STUB) is True or facts.known(names.CUDA_CODE) == STUB_CODE


def works(facts: Facts) -> bool:
    """Whether CUDA started and has a device: then nothing before it can be broken."""
    return (facts.known(names.CUDA_COUNT) or 0) > 0


def answer(facts: Facts, key: Key[str]) -> str:
    """How a step of the probe ended; "not run" where the level leaves the step out.

    Raises:
        Missing: The step belonged to the level, and nobody knows how it ended.
    """
    if facts.known(names.PROBE_LEVEL) == "quick":
        return facts.known(key) or "not run"
    return facts.need(key)


def any_mig(facts: Facts) -> bool:
    """Whether a GPU is in MIG mode: then CUDA sees its instances, or nothing, in its place."""
    return any(facts.known_of(names.GPU_MIG))


def gpu_subject(facts: Facts, gpu: str) -> str:
    """What a finding about one GPU names: its UUID, else its number."""
    return f"gpu:{facts.known(names.GPU_UUID(gpu)) or gpu}"


STUB_CODE = 34
#: The families of what programs say, in `facts.said`.
_STATEMENTS = ("error.", "sign.", "memory.")
NO_DEVICE = 100
#: CUDA_ERROR_DEVICE_UNAVAILABLE: what a process gets that a GPU does not let in.
UNAVAILABLE = 46
