"""Where a library of NVIDIA's lies by which a back end computes.

The loader finds it by name where it is installed for everybody, or where a framework has loaded it
before. Wheels put it beside the packages, where the loader does not look.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class File(NamedTuple):
    """One release of a library: what it is called, and the CUDA that the driver has to have."""

    cuda: int
    linux: str
    windows: str


#: By the back end, the newest first.
FILES = {
    "cublas": (
        File(13, "libcublasLt.so.13", "cublasLt64_13.dll"),
        File(12, "libcublasLt.so.12", "cublasLt64_12.dll"),
        File(11, "libcublasLt.so.11", "cublasLt64_11.dll"),
    ),
    "cudnn": (File(11, "libcudnn.so.9", "cudnn64_9.dll"),),
}


@cache
def found(backend: str) -> str | None:
    """The newest release that the driver can serve, of its copies the first that the search gives.

    To be asked once CUDA has started, as the driver of this process is meant. None: there is no
    such copy, or the back end needs no library.
    """
    if backend not in FILES:
        return None
    from ..facts.installed.distributions import search
    from ..facts.libraries.copies import take_stock
    from ..facts.machine import Machine

    machine = Machine.here()
    if machine.root != "/":
        return None  # a path in a tree that stands for a machine is none of this machine's
    _, installed = search(machine)
    copies = take_stock(machine, installed).copies
    names = _names(FILES[backend], is_windows=machine.system == "Windows")
    return next((copy.path for name in names for copy in copies if copy.file == name), None)


def _names(files: tuple[File, ...], *, is_windows: bool) -> tuple[str, ...]:
    """Of the releases that the driver can serve; all where it does not tell its CUDA."""
    from .. import _core

    driver_cuda = _core.cuda_state().driver_cuda
    served = (each for each in files if driver_cuda is None or each.cuda <= driver_cuda // 1000)
    return tuple(each.windows if is_windows else each.linux for each in served)
