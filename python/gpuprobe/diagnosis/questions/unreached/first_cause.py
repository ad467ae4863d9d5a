"""Why the program of a pasted text does not reach the driver: one question for seven rules.

On a machine each rule looks for itself. A text tells of the same faults in the words of whatever
program met them, and seldom says where it ran: without libcuda, without a device, without an
answer of nvidia-smi. So the causes are tried one after the other, what decides most first, and
exactly one of the rules names the one that is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..driver.state import looked_at
from ..once import asked_once

if TYPE_CHECKING:
    from ....facts.model import Facts
    from .cause import Unreached


@asked_once
def unreached(facts: Facts) -> Unreached | None:
    """The one reason; None where the text does not tell of such a failure, or not why."""
    if looked_at(facts):
        return None  # each rule looks for itself, and needs none of what is imported here
    from ..sentences import unreached_by_sentence
    from ..statements import seen_anyway
    from . import access, board, elsewhere, held, host, module, node, parts, wsl
    from . import hidden as hiding

    if seen_anyway(facts):
        beside = (
            *(access.root_only, hiding.hidden_from_one, wsl.linker_of_wsl, wsl.loader_of_wsl),
            wsl.without_drawing,
            *(access.refused_by_engine, parts.part_left_out, hiding.step_without_gpu),
        )
        return next((each for step in beside if (each := step(facts)) is not None), None)
    causes = (
        *(
            host.of_two_versions,
            host.in_virtualbox,
            host.no_gpu,
            host.in_desktop_guest,
            elsewhere.without_gpu_by_type,
            elsewhere.of_host_only,
            elsewhere.of_other_maker,
            hiding.hidden,
            hiding.step_without_gpu,
            wsl.without_nvidia,
            wsl.wsl,
            *(wsl.linker_of_wsl, wsl.without_drawing),
            board.container_of_board,
            node.not_brought,
            access.container_cli,
        ),
        *(module.not_loaded, access.nodes, access.root_only, access.host_of_singularity),
        *(host.built_for_others, held.held_by_nouveau, held.held_by_none),
        *(
            parts.part_left_out,
            access.while_built,
            access.container,
            elsewhere.stub_in_container,
            elsewhere.beside_running_module,
            elsewhere.made_for_other_gpus,
            parts.not_searched,
            host.missing,
            host.no_device,
        ),
        *(host.installer_stopped, held.nouveau_loaded, host.unseen_by_choice),
        *(host.not_found_by_tensorflow, host.neither_driver_nor_gpu, host.not_installed),
        unreached_by_sentence,
    )
    found = (cause(facts) for cause in causes)
    return next((each for each in found if each is not None), None)


def stands_for(facts: Facts, cause: str) -> Unreached | None:
    """The reason, where it is this one."""
    found = unreached(facts)
    return found if found is not None and found.cause == cause else None
