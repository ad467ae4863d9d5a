"""What the facts say of the driver: which part is installed, and what it answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ..source import looked_at

if TYPE_CHECKING:
    from ....facts.model import Facts, Key


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


def gpu_subject(facts: Facts, gpu: str) -> str:
    """What a finding about one GPU names: its UUID, else its number."""
    return f"gpu:{facts.known(names.GPU_UUID(gpu)) or gpu}"


STUB_CODE = 34
NO_DEVICE = 100
#: CUDA_ERROR_DEVICE_UNAVAILABLE: what a process gets that a GPU does not let in.
UNAVAILABLE = 46
