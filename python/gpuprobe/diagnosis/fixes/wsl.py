"""Let programs inside WSL reach the driver of Windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..model import Fix, Safety

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ..questions.place import Place

_FOLDER, _LIBCUDA = "/usr/lib/wsl/lib", "libcuda.so.1"


def reach_windows_driver(facts: Facts, *, to_second: bool) -> Fix:
    """Find the library that Windows puts into WSL, or have Windows put it there."""
    if to_second:
        return Fix(
            "Convert the distribution to WSL 2, in PowerShell on Windows.",
            ("wsl.exe --list --verbose", "wsl.exe --set-version DISTRIBUTION 2"),
            Safety.ADMIN,
            "wsl.exe --set-version DISTRIBUTION 1",
        )
    own = facts.known(names.DRIVER_PACKAGE)
    if own is not None:
        return Fix(
            f"Remove the Linux driver ({own}) from inside WSL, by the names of its packages; then "
            "restart WSL. The driver that serves WSL is the one on Windows.",
            (
                "dpkg -l | grep -E 'nvidia-driver|nvidia-utils|libnvidia-compute'",
                "wsl.exe --shutdown",
            ),
            Safety.ADMIN,
            "install the packages again",
        )
    provided = facts.known(names.WSL_LIBRARIES)
    if provided is not None and _LIBCUDA not in provided:
        return Fix(
            f"Windows puts no {_LIBCUDA} into {_FOLDER}. Install the current NVIDIA driver on "
            "Windows, run `wsl.exe --update` and restart WSL. Install no Linux driver inside WSL.",
            ("wsl.exe --update", "wsl.exe --shutdown"),
            Safety.ADMIN,
            "Device Manager > Display adapters > Properties > Driver > Roll Back Driver",
        )
    return Fix(
        f"See whether {_FOLDER} holds libcuda.so.1. If it does, let the loader find it there; if "
        "not, install the current NVIDIA driver on Windows, run `wsl.exe --update` and restart "
        "WSL. Install no Linux driver inside WSL.",
        (f"ls {_FOLDER}", f"export LD_LIBRARY_PATH={_FOLDER}:$LD_LIBRARY_PATH"),
        Safety.USER,
    )


def leave_compute_mode(gpu: str) -> Fix:
    """TCC is for computing without a display, and takes the GPU from Windows' own model."""
    return Fix(
        "On Windows, as administrator, put the GPU into WDDM mode, and restart Windows. If that is "
        "refused, this GPU or its licence may allow TCC alone: then compute on Windows itself, or "
        "on Linux.",
        (f"nvidia-smi -i {gpu} -dm 0",),
        Safety.REBOOT,
        f"nvidia-smi -i {gpu} -dm 1",
    )


def without_sharing(_: Place) -> Fix:
    """Do without what CUDA has on Linux alone."""
    return Fix(
        "Switch off what needs it: memory that processes share (CUDA IPC) and large pinned memory "
        "are no part of CUDA inside WSL. Programs mostly have an option for it; on Linux itself "
        "they run as they are.",
    )
