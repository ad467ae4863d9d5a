"""The causes of `unreached` in the order in which they are tried: what decides most comes first.

Imported only where a text is judged: a look at a machine needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    board,
    container,
    device_files,
    elsewhere,
    held,
    hidden,
    host,
    module,
    no_gpu,
    node,
    parts,
    sentence,
    wsl,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....facts.model import Facts
    from .cause import Unreached

    Cause = Callable[[Facts], Unreached | None]

CAUSES: tuple[Cause, ...] = (
    host.of_two_versions,
    # No NVIDIA GPU is there, or none is left to the program.
    no_gpu.in_virtualbox,
    no_gpu.no_gpu,
    no_gpu.in_desktop_guest,
    elsewhere.without_gpu_by_type,
    elsewhere.of_host_only,
    elsewhere.of_other_maker,
    elsewhere.asked_for_other_card,
    hidden.hidden,
    hidden.counted_by_another,
    hidden.step_without_gpu,
    # The driver is another system's: Windows', a board's, that of a node or a container's host.
    wsl.without_nvidia,
    wsl.wsl,
    wsl.linker_of_wsl,
    wsl.without_drawing,
    wsl.without_opencl,
    board.container_of_board,
    node.not_brought,
    container.container_cli,
    # The module, what has the GPU in its place, and the device files.
    module.not_loaded,
    device_files.nodes,
    device_files.root_only,
    container.host_of_singularity,
    host.built_for_others,
    held.held_by_nouveau,
    held.held_by_none,
    # Something is missing: inside a container before the same words are taken for a host's.
    parts.part_left_out,
    container.while_built,
    parts.computing_left_out,
    container.by_compose_alone,
    container.container,
    container.stub_in_container,
    container.beside_running_module,
    elsewhere.made_for_other_gpus,
    parts.not_searched,
    host.missing,
    host.no_device,
    # Words that are said of other faults as well.
    host.installer_stopped,
    held.nouveau_loaded,
    host.unseen_by_choice,
    host.not_found_by_tensorflow,
    host.neither_driver_nor_gpu,
    host.not_installed,
    sentence.told,
)

#: What one program may meet while another one uses the GPU.
BESIDE_WORK: tuple[Cause, ...] = (
    device_files.root_only,
    hidden.hidden_from_one,
    wsl.linker_of_wsl,
    wsl.loader_of_wsl,
    wsl.without_drawing,
    wsl.without_opencl,
    container.refused_by_engine,
    parts.part_left_out,
    hidden.step_without_gpu,
)
