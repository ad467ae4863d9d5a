"""Take the CUDA libraries of one release: the one that a framework was built for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix

if TYPE_CHECKING:
    from ...facts.version import Version
    from ..questions.place import Place


def one_release(what: str) -> Fix:
    """Take the libraries of one CUDA release only."""
    return Fix.by_user(
        f"{what} See which folders LD_LIBRARY_PATH names and which nvidia packages pip has, and "
        "leave those of one CUDA release only; then reinstall the framework.",
        ("echo $LD_LIBRARY_PATH", "pip list | grep -i nvidia"),
    )


def tensorrt_of(cuda: Version) -> Fix:
    """TensorRT is made for one CUDA, and each release of it for several."""
    return Fix.by_user(
        f"Install the TensorRT that was made for CUDA {cuda.major}, which is there: each of its "
        "releases is offered for several of CUDA (https://developer.nvidia.com/tensorrt). A "
        "library that was given another release's name stays what it is: take such copies away.",
        undo="install the former TensorRT again",
    )


def as_asked(package: str, wanted: Version, have: str) -> Fix:
    """Install the release of a library that the framework asks for."""
    return Fix.by_user(
        f"Install the release of {package} that torch asks for; another package may have replaced "
        "it (`pip check` names both).",
        (f"pip install {package}=={wanted}",),
        undo=f"pip install {package}=={have}",
    )


def newer_cuda_jl(known: str) -> Fix:
    """A release of CUDA.jl that knows something of today: `known` says what."""
    return Fix.by_user(
        f"Take a newer release of CUDA.jl, one that knows {known}, and start Julia anew.",
        ("julia -e 'using Pkg; Pkg.update(\"CUDA\")'",),
        undo="julia -e 'using Pkg; Pkg.undo()'",
    )


def newer_warp() -> Fix:
    """Bring a Warp that knows the driver that is there."""
    return Fix.by_user(
        "Install a newer Warp: one that came after the driver calls nothing that the driver lacks.",
        ("pip install --upgrade warp-lang",),
        undo="install the former release of warp-lang again",
    )


def match_cuda(place: Place, wanted: str) -> Fix:
    """Bring the CUDA that the build needs, or a build for the CUDA that is there."""
    if place.system == "Windows":
        return Fix.by_admin(
            f"Install {wanted} beside the other and put its bin folder first on PATH, or install "
            "a release of the framework that was built for the CUDA that is there.",
            undo="uninstall it in Settings, Apps",
        )
    return Fix.by_admin(
        f"Install the libraries of {wanted} (several releases can stand side by side), or a "
        "release of the framework that was built for the CUDA that is there or brings its own.",
        undo="remove them again",
    )
