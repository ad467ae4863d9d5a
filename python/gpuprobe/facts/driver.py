"""The driver's release, and the highest CUDA that it serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import names
from .answers import Answer
from .kernel import module
from .libraries import of_driver as libraries
from .model import Absent, Entry, Fact, Known, Unknown, entry
from .probe import Silent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine
    from .version import Version

WRITES = (names.DRIVER_VERSION, names.DRIVER_CUDA)


def collect(machine: Machine, cuda: Answer | Silent, nvml: Answer | Silent) -> Iterator[Entry]:
    """Both, from the best witness that there is."""
    yield entry(names.DRIVER_VERSION, _version(machine, cuda, nvml))
    yield entry(names.DRIVER_CUDA, _cuda(cuda, nvml))


def _version(machine: Machine, cuda: Answer | Silent, nvml: Answer | Silent) -> Fact[Version]:
    """What NVML says; else the kernel module; else libcuda's file, unless that is a stub.

    `Absent` where all three are. On Windows the registry stands for the latter two.
    """
    if isinstance(nvml, Answer) and nvml.driver_version is not None:
        return Known(nvml.driver_version, "nvmlSystemGetDriverVersion")
    if machine.system == "Windows":
        from .systems.windows_adapters import driver_version

        return driver_version(machine)
    loaded = module.version(machine)
    if isinstance(loaded, Known):
        return loaded
    found = libraries.find(machine, libraries.LIBCUDA, cuda)
    stub = libraries.is_stub(machine, found, cuda)
    if isinstance(stub, Known) and stub.value:
        return Absent(f"libcuda is a stub: {stub.source}")
    stated = libraries.file_version(machine, found)
    if isinstance(loaded, Unknown) and not isinstance(stated, Known):
        return loaded
    return stated


def _cuda(cuda: Answer | Silent, nvml: Answer | Silent) -> Fact[Version]:
    """CUDA's own word counts first: with a cuda-compat library it is above the driver's."""
    for answer, call in (
        (cuda, "cuDriverGetVersion"),
        (nvml, "nvmlSystemGetCudaDriverVersion_v2"),
    ):
        if isinstance(answer, Answer) and answer.cuda_version is not None:
            return Known(answer.cuda_version, call)
    if isinstance(cuda, Silent):
        return Unknown(cuda.reason)
    if cuda.library.path is None:
        return Absent("no libcuda was loaded")
    return Unknown(str(cuda.failed) if cuda.failed else "cuDriverGetVersion gave no version")
