"""Where the variable that hides the GPUs is set: the line that has to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...fixes.access import (
    ask_slurm_for_gpu,
    give_gpus_to_container,
    set_in_command,
    set_in_program,
    unset_variable,
)
from ...fixes.container_tools import ask_for_less_memory
from ..place import place_of
from ..statements import line_of, value
from .values import OF_CONTAINER, VISIBLE

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys
    from ...model import Fix


_OF_SLURM = "slurm-no-gpu-as-number", "slurm-step-without-gpu"


def uncover(facts: Facts, keys: Keys) -> Fix:
    """Have the program see its GPU again, by what set the variable."""
    if said.SIGN("container-cli-error") in keys:
        if "no-gpu-has-" in value(facts, "container-cli-error"):
            return ask_for_less_memory()
        return give_gpus_to_container(facts.known(names.CONTAINER_KIND))
    if OF_CONTAINER in keys:
        return give_gpus_to_container(facts.known(names.CONTAINER_KIND))
    by_slurm = any(said.SIGN(each) in keys for each in _OF_SLURM)
    if facts.known(VISIBLE) == "NoDevFiles" or by_slurm:
        return ask_slurm_for_gpu()
    if VISIBLE in keys:
        if _is_set_by(facts, said.VISIBLE_SET_IN_CODE):
            return set_in_program()
        if _is_set_by(facts, said.VISIBLE_SET_FOR):
            return set_in_command(facts.known(said.VISIBLE_SET_FOR) or "PROGRAM")
    return unset_variable(place_of(facts), "CUDA_VISIBLE_DEVICES")


def _is_set_by(facts: Facts, key: Key[object]) -> bool:
    """Whether that is the line by which the variable is known."""
    return line_of(facts, key) == line_of(facts, VISIBLE) > 0
