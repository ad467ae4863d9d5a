"""Where a library of NVIDIA's lies by which a back end computes.

The loader finds it by name where it is installed for everybody, or where a framework has loaded it
before. Wheels put it beside the packages, where the loader does not look.
"""

from __future__ import annotations

from functools import cache

#: By the back end: the files on Linux, and on Windows, the newest first.
FILES = {
    "cublas": (
        ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"),
        ("cublasLt64_13.dll", "cublasLt64_12.dll", "cublasLt64_11.dll"),
    ),
    "cudnn": (("libcudnn.so.9",), ("cudnn64_9.dll",)),
}


@cache
def found(backend: str) -> str | None:
    """The first copy in the order of the search; None: there is none, or it needs no library."""
    if backend not in FILES:
        return None
    from ..facts.distributions import search
    from ..facts.library_copies import take_stock
    from ..facts.machine import Machine

    machine = Machine.here()
    if machine.root != "/":
        return None  # a path in a tree that stands for a machine is none of this machine's
    names = FILES[backend][machine.system == "Windows"]
    _, installed = search(machine)
    copies = take_stock(machine, installed).copies
    return next((copy.path for name in names for copy in copies if copy.file == name), None)
