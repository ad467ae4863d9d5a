"""What the codes of a start that failed usually mean, and what to do about each.

For the codes that no rule of their own explains. Names and meanings come from the table of error
codes; which cause a code points to is experience, so few of these readings are certain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ...fixes.access import allow_device_nodes, make_device_nodes
from ...fixes.device import (
    check_power,
    free_device,
    free_memory,
    open_compute_mode,
    read_kernel_log,
    reload_uvm,
    reload_uvm_without_hmm,
    start_fabric_manager,
    stop_mps,
)
from ...fixes.driver import load_module, reinstall_driver, update_driver
from ...fixes.mig import open_mig_capabilities
from ...fixes.search_order import without_compat, without_stub
from ...fixes.wear import leave_memory_out
from ...model import Confidence, Fix
from ..driver.state import NO_DEVICE, UNAVAILABLE
from ..gpus.mig import any_mig

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....facts.model import Facts
    from ....knowledge.errors import Api
    from ..place import Place

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE


class Reading(NamedTuple):
    """The usual cause behind a code. `alone` means: the code itself shows that there is a GPU."""

    cause: str
    confidence: Confidence
    fix: Callable[[Place], Fix]
    alone: bool = False


DEFAULT = Reading("device-lost", _POSSIBLE, read_kernel_log)
NOT_LOADABLE = Reading("driver-missing", _LIKELY, reinstall_driver, alone=True)
INCOMPLETE = Reading("driver-too-old", _POSSIBLE, update_driver, alone=True)
_INSTANCES_UNSEEN = Reading("mig", _POSSIBLE, open_mig_capabilities)
_NOT_FREED = Reading("device-busy", _POSSIBLE, free_device, alone=True)

#: Codes of cuInit and of the calls that make the first context.
CUDA: dict[int, Reading] = {
    1: Reading("driver-library-mismatch", _POSSIBLE, reinstall_driver),
    2: Reading("oom-other-process", _LIKELY, free_memory, alone=True),
    3: Reading("device-nodes", _POSSIBLE, reload_uvm_without_hmm),
    34: Reading("stub-library", _CERTAIN, without_stub),
    46: Reading("device-busy", _LIKELY, open_compute_mode, alone=True),
    100: Reading("device-lost", _POSSIBLE, read_kernel_log),
    101: Reading("device-lost", _POSSIBLE, read_kernel_log),
    214: Reading("device-lost", _CERTAIN, leave_memory_out, alone=True),
    221: Reading("driver-missing", _POSSIBLE, reinstall_driver),  # a part of the driver's is
    304: Reading("device-nodes", _LIKELY, make_device_nodes),
    800: Reading("device-nodes", _POSSIBLE, make_device_nodes),
    802: Reading("fabric-manager", _LIKELY, start_fabric_manager, alone=True),
    804: Reading("forward-compat", _CERTAIN, without_compat, alone=True),
    805: Reading("device-busy", _POSSIBLE, stop_mps, alone=True),
    806: Reading("device-busy", _POSSIBLE, stop_mps, alone=True),
    807: Reading("device-busy", _POSSIBLE, stop_mps, alone=True),
    808: Reading("device-busy", _LIKELY, stop_mps, alone=True),
    809: Reading("device-busy", _LIKELY, stop_mps, alone=True),
    999: Reading("device-nodes", _POSSIBLE, reload_uvm),
}


def of_cuda(facts: Facts, code: int) -> Reading:
    """The reading of a code where these facts are known as well."""
    if code == NO_DEVICE and any_mig(facts):
        return _INSTANCES_UNSEEN
    modes = {facts.known(names.GPU_COMPUTE_MODE(g)) for g in facts.subjects(names.GPU_COMPUTE_MODE)}
    if code == UNAVAILABLE and modes == {"default"}:
        return _NOT_FREED
    return CUDA.get(code, DEFAULT)


#: Codes of nvmlInit.
NVML: dict[int, Reading] = {
    4: Reading("device-nodes", _LIKELY, allow_device_nodes),
    8: Reading("device-lost", _CERTAIN, check_power, alone=True),
    9: Reading("driver-not-loaded", _LIKELY, load_module),
    12: Reading("driver-missing", _LIKELY, reinstall_driver),
    10: Reading("device-lost", _POSSIBLE, read_kernel_log, alone=True),
    14: Reading("device-lost", _LIKELY, read_kernel_log, alone=True),
    15: Reading("device-lost", _CERTAIN, read_kernel_log, alone=True),
    16: Reading("device-lost", _CERTAIN, read_kernel_log, alone=True),
    17: Reading("device-nodes", _LIKELY, allow_device_nodes),
    999: Reading("device-nodes", _POSSIBLE, reload_uvm),
}


def said(call: str, api: Api, code: int) -> str:
    """What a call answered, in one line: number, name and meaning."""
    from ....knowledge.errors import by_code

    known = by_code(api, code)
    if known is None:
        return f"{call} fails with code {code}, which the table of errors does not list"
    return f"{call} fails with {code} {known.name}" + (
        f": {known.meaning}" if known.meaning else ""
    )
