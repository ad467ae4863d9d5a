"""Bring the cuDNN that a program needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..model import Fix, Safety

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version
    from ..questions.place import Place


def install_cudnn(facts: Facts, place: Place, wanted: Version | None) -> Fix:
    """Install it, or let the loader find it."""
    which = "cuDNN" if wanted is None else f"cuDNN {wanted.major}"
    if place.system == "Windows":
        return Fix(
            f"Download {which} for the CUDA in use and put its bin folder on PATH; with cuDNN 8 "
            "put zlibwapi.dll there too.",
            ("where cudnn64_*.dll",),
            Safety.USER,
        )
    package = _pip_package(facts, wanted)
    commands = () if package is None else (f'pip install "{package}"',)
    return Fix(
        f"Install {which} for the CUDA in use, or put the folder that holds it into "
        "LD_LIBRARY_PATH.",
        (*commands, "ldconfig -p | grep libcudnn"),
        Safety.USER,
        None if package is None else f"pip uninstall {package.partition('>')[0]}",
    )


def fitting_cudnn(facts: Facts, place: Place, wanted: Version | None) -> Fix:
    """Replace it by the version that the program was built with."""
    which = "the version that the program was built with" if wanted is None else f"cuDNN {wanted}"
    package = None if place.system == "Windows" else _pip_package(facts, wanted)
    commands = () if package is None else (f'pip install "{package}"',)
    return Fix(
        f"Install {which} (or a later minor version of the same major) in place of the other, or "
        "a release of the framework that was built for the cuDNN that is there.",
        commands,
        Safety.USER,
        "install the former version again",
    )


def _pip_package(facts: Facts, wanted: Version | None) -> str | None:
    """The requirement for pip; None where the CUDA in use or the package is not known."""
    from ...knowledge.cudnn import pip_packages

    cuda = facts.known(names.TOOLKIT_VERSION)
    for package in facts.subjects(names.PACKAGE_CUDA):
        cuda = facts.known(names.PACKAGE_CUDA(package)) or cuda
    if cuda is None or wanted is None:
        return None
    found = pip_packages(wanted.major, cuda.major)
    below = f"<{wanted.major + 1}"
    return f"{found[0]}>={wanted},{below}" if found else None
