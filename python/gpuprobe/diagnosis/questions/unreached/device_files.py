"""Device files of the driver that are not there, or that a text's program may not open.

Each public function is one cause of `unreached`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...model import Confidence
from ..gpus.mig import whole_gpu_refused
from ..statements import errors, statements, value
from ..symptoms import module_runs, smi_gone, unknown_of_gpu
from .cause import NODES, Unreached
from .container_words import in_linux
from .left_behind import lost_meanwhile

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

_LIKELY, _POSSIBLE = Confidence.LIKELY, Confidence.POSSIBLE


def root_only(facts: Facts) -> Unreached | None:
    """Root gets at the GPU, and the user does not; sudo may find another Python than the user."""
    shown = statements(facts, "root-only")
    if not shown:
        return None
    same_file = value(facts, "root-only").startswith(("/", "./"))
    title = "Root gets at the GPU and the user does not: the device files are closed to the user"
    return Unreached(NODES, title, shown, _LIKELY if same_file else _POSSIBLE)


_WANTED = "cdi-without-device-file", "uvm-not-loaded", "uvm-not-loaded-told", "reached-once-used"
_REFUSED = "device-file-refused", "smi-insufficient-permissions", "board-memory-refused"


def nodes(facts: Facts) -> Unreached | None:
    """Device files are missing, or may not be opened."""
    closed = [
        names.NODE(node)
        for node in facts.subjects(names.NODE)
        if facts.known(names.NODE(node)) == "not permitted"
    ]
    if whole_gpu_refused(facts):
        return None  # GP305
    refused: list[Key[object]] = [*statements(facts, *_REFUSED), *closed]
    refused += errors(facts, "NVML_ERROR_NO_PERMISSION")
    refused += errors(facts, "NVML_ERROR_OPERATING_SYSTEM") if in_linux(facts) else ()
    refused += lost_meanwhile(facts)
    if refused:
        keys = (
            *refused,
            *errors(facts, "NVML_ERROR_UNKNOWN"),
            *statements(facts, "container-cgroup"),
        )
        return Unreached(NODES, "The device files of the GPU may not be opened", keys)
    unknown = errors(facts, "NVML_ERROR_UNKNOWN")
    if unknown and not unknown_of_gpu(facts):
        title = "NVML is refused the device files of the GPU (Unknown Error at its start)"
        inside = facts.known(names.CONTAINER_KIND) is not None
        keys = (*unknown, *statements(facts, "container-cgroup"), names.CONTAINER_KIND)
        return Unreached(NODES, title, keys, _LIKELY if inside else _POSSIBLE)
    wanted = statements(facts, *(() if smi_gone(facts) else ("device-file-wanted",)), *_WANTED)
    if facts.known(names.CONTAINER_KIND) is None:
        wanted = (*wanted, *statements(facts, "board-memory-missing"))
    if wanted:
        title = "A device file that the GPU's driver makes is wanted, and not there"
        return Unreached(NODES, title, wanted)
    return files_gone(facts)


def files_gone(facts: Facts) -> Unreached | None:
    """The driver's kernel module runs, and its device files are not there."""
    missing = statements(facts, "device-file-missing", "tf-no-device-node")
    runs = module_runs(facts) or ("uvm" in value(facts, "device-file-missing") and _listed(facts))
    if missing and runs and facts.known(said.CONTAINER_GPUS) is not False:
        title = "Device files of the GPU are missing, though its kernel module runs"
        shown = (names.MODULE_VERSION, names.MODULE_LOADED, *_listed(facts))
        return Unreached(NODES, title, (*missing, *shown))
    return None


def _listed(facts: Facts) -> Keys:
    """The files of NVIDIA's GPUs that are there, so that the driver made them."""
    files = (names.NODE(each) for each in ("nvidiactl", "nvidia0"))
    return tuple(key for key in files if facts.known(key) == "usable")
