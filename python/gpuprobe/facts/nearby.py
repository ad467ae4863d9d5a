"""What is looked for only near an NVIDIA GPU: the driver's surroundings.

Most machines have no such GPU, and there nothing of this matters; so there neither a file is read
for it nor a module imported. `subjects` gives the collectors that are worth their time here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import names
from .model import Entry, Key, Known, Unknown, entry
from .pci import find_gpus
from .systems import tegra

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from .machine import Machine

#: What the subjects write, told without importing them.
WRITES = (
    *(names.CONTAINER_MOUNTS, names.CONTAINER_DEVICES, names.CONTAINER_SHM),
    *(names.WSL_LIBRARIES, names.WSL_LINUX_DRIVER),
    *(names.TEGRA_RELEASE, names.TEGRA_JETPACK),
    *(names.MODULE_FILE, names.MODULE_BLOCKED, names.NOUVEAU_BLOCKED),
    *(names.KERNELS, names.KERNEL_HEADERS),
    *(names.MODULE_DKMS, names.SECURE_BOOT),
    *(names.KERNEL_LOG, names.XID, names.MODULE_LOAD_ERROR, names.MODULE_START_ERROR),
    *(names.DRIVER_PACKAGE, names.DRIVER_INSTALLER),
    *(names.FABRIC_VERSION, names.FABRIC_STATE, names.PERSISTENCED_STATE, names.MPS_STATE),
    *(names.TOOLKIT_PATH, names.TOOLKIT_VERSION, names.HOST_COMPILER),
    names.PACKAGE_CONDA,
)

#: Files that only a driver makes, or Windows shows to its Linux.
_TRACES = ("/proc/driver/nvidia/version", "/sys/module/nvidia", "/dev/nvidiactl", "/dev/dxg")
_VARIABLE = "NVIDIA_VISIBLE_DEVICES"


def collect(machine: Machine) -> Iterator[Entry]:
    """Why nothing of all this is known where no NVIDIA GPU is near."""
    where = "NVIDIA GPU" if machine.system == "Linux" else f"NVIDIA GPU of Linux: {machine.system}"
    unknown = Unknown(f"looked for only near an {where}")
    for key in WRITES:
        if isinstance(key, Key):
            yield entry(key, unknown)


def is_near(machine: Machine) -> bool:
    """Whether an NVIDIA GPU, or something of its driver, shows itself on this Linux."""
    if machine.system != "Linux":
        return False
    gpus = find_gpus(machine)
    if isinstance(gpus, Known) and any(gpu.vendor == "nvidia" for gpu in gpus.value):
        return True
    if _VARIABLE in machine.environ or any(machine.is_there(path) for path in _TRACES):
        return True
    return isinstance(tegra.model(machine), Known)


def subjects() -> tuple[ModuleType, ...]:
    """The modules of these collectors, in the order of the chain."""
    from . import services
    from .installed import conda, system_packages, toolkit
    from .kernel import dkms, kernel_log, module_files, secure_boot
    from .systems import container_mounts, tegra_release, wsl_libraries

    return (
        *(tegra_release, secure_boot, module_files, dkms, kernel_log),
        *(system_packages, services, container_mounts, wsl_libraries, toolkit, conda),
    )
