"""What tells that a container on a Jetson lacks the driver: of the board itself it is a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ..statements import statements, value
from ..symptoms import library_gone
from .cause import CONTAINER, Unreached

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys


def container_of_board(facts: Facts) -> Unreached | None:
    """NVIDIA's container tools, Singularity or a program in a container miss its libraries."""
    if facts.known(names.TEGRA_MODEL) is None:
        return None
    gone = (*_missed_by_tools(facts), *_missed_inside(facts))
    if not gone:
        return None
    title = "The container was not given the driver, which of a Jetson is a part of its system"
    return Unreached(CONTAINER, title, (*gone, names.TEGRA_MODEL, names.CONTAINER_KIND))


def _missed_by_tools(facts: Facts) -> Keys:
    """NVML and the other files of drivers for cards, which a Jetson does not have."""
    tools: Keys = statements(facts, "singularity-no-nv")
    gone = library_gone(facts)
    if gone and "driver error" in value(facts, "container-cli-error").lower():
        tools = (*tools, *statements(facts, "container-cli-error"), *gone)
    return tools


def _missed_inside(facts: Facts) -> Keys:
    """Its images hold empty files in the place of what the container tools bring."""
    inside = facts.known(names.CONTAINER_KIND) or facts.known(said.CONTAINER_GPUS) is not None
    hollow = facts.keys_of(said.LIBRARY_BROKEN)
    short = (key for key in hollow if "too short" in (facts.known(key) or ""))
    return tuple(short) if inside else ()
