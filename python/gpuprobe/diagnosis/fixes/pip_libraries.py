"""Bring the libraries that are released apart from the CUDA toolkit: NCCL, cuSPARSELt and such."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ...knowledge.cuda_libraries import pip_package
from ..model import Fix
from ..questions.place import Distribution, Place
from .tensorflow import PIP_FOLDERS

if TYPE_CHECKING:
    from ...facts.model import Facts

#: For which there are packages of pip's; the last but one is what most frameworks are built for.
_MAJORS = (11, 12, 13)
_USUAL = 12
#: Of these the topic alone tells that it is a Python program that asks.
_OF_PYTHON = ("tensorflow", "torch", "jax", "onnxruntime", "cupy", "numba", "paddle")


def asked_by_python(facts: Facts) -> bool:
    """Whether it is a Python program that asks: others do not look where pip puts libraries."""
    told = facts.known(said.FAILURE) or ""
    modules = ("ImportError", "ModuleNotFoundError", "OSError:", "RuntimeError")
    if facts.known(names.PYTHON_VERSION) is not None or any(each in told for each in modules):
        return True
    return any(facts.known(said.ABOUT(topic)) for topic in _OF_PYTHON)


def major_of_framework(facts: Facts) -> int | None:
    """The CUDA that torch was built with, else the one that all other frameworks were."""
    torch = facts.known(names.PACKAGE_CUDA("torch"))
    if torch is not None:
        return torch.major
    majors = {cuda.major for cuda in facts.known_of(names.PACKAGE_CUDA)}
    return majors.pop() if len(majors) == 1 else None


#: NVIDIA's package source and Arch have it apart: what installs it, and what takes it away.
#: https://docs.nvidia.com/deeplearning/nccl/install-guide/
_NCCL = {
    Distribution.UBUNTU: ("sudo apt install libnccl2", "sudo apt remove libnccl2"),
    Distribution.DEBIAN: ("sudo apt install libnccl2", "sudo apt remove libnccl2"),
    Distribution.FEDORA: ("sudo dnf install libnccl", "sudo dnf remove libnccl"),
    Distribution.RHEL: ("sudo dnf install libnccl", "sudo dnf remove libnccl"),
    Distribution.ARCH: ("sudo pacman -S nccl", "sudo pacman -R nccl"),
}
_NCCL_PAGE = "https://developer.nvidia.com/nccl"


def install_nccl(facts: Facts, place: Place, file: str) -> Fix:
    """NCCL is no part of the toolkit: pip and NVIDIA's package source have it apart."""
    if place.system == "Windows":
        return Fix.by_user(
            "NCCL is made for Linux. On Windows let the program use another back end, gloo for "
            "PyTorch, or run it inside WSL 2.",
            (),
        )
    major = major_of_framework(facts) or _USUAL
    package = pip_package("nccl", major)
    if package is not None and asked_by_python(facts):
        return Fix.by_user(
            f"Install NCCL 2 for CUDA {major} by pip, which brings {file}, in the program's "
            "environment, and let LD_LIBRARY_PATH name its folder.",
            (f"pip install {package}", PIP_FOLDERS),
            undo=f"pip uninstall {package}",
        )
    by_system = _NCCL.get(place.distribution) if place.distribution else None
    install, undo = by_system or (None, "remove what was installed")
    return Fix.by_admin(
        f"Install NCCL 2 of the CUDA in use, which brings {file}: NVIDIA's package source has it, "
        f"and {_NCCL_PAGE} for other systems. Or put the folder that holds it into "
        "LD_LIBRARY_PATH.",
        ("ldconfig -p | grep libnccl", *(() if install is None else (install,))),
        undo=undo,
    )


_MAJOR = regex(r"(?i)\.so\.(\d{1,2})(?:\.\d+)*\Z")


def install_named(package: str) -> Fix:
    """The program is a package of pip's itself, and names the one that it misses."""
    return Fix.by_user(
        "Install the package that the message names, in the releases that it asks for.",
        (f"pip install {package}",),
        undo=f"pip uninstall {package}",
    )


def install_package(facts: Facts, stem: str, file: str) -> Fix:
    """As frameworks ask pip for it; of CUPTI the name of the file tells the CUDA."""
    told = _MAJOR.search(file) if stem == "cupti" else None
    major = int(told[1]) if told else major_of_framework(facts)
    if stem == "cupti" and major is not None and major < _MAJORS[0]:
        return _cupti_of_toolkit(file)
    package = pip_package(stem, major or _USUAL)
    if package is None:
        return _other_release(stem, file, major)
    others = {each: pip_package(stem, each) for each in _MAJORS if each != _USUAL}
    by_cuda = ", ".join(f"{name} for CUDA {each}" for each, name in others.items() if name)
    which = f"for CUDA {major}" if major is not None else f"where CUDA 12 is in use ({by_cuda})"
    return Fix.by_user(
        f"Install {package} {which}: it brings {file}. Where pip has it already, install the "
        "framework anew, so that it looks where pip puts it.",
        (f"pip list | grep -i {package.partition('-cu1')[0]}", f"pip install {package}"),
        undo=f"pip uninstall {package}",
    )


def _other_release(stem: str, file: str, major: int | None) -> Fix:
    """Pip has it for later CUDAs alone."""
    first = next(each for each in _MAJORS if pip_package(stem, each))
    return Fix.by_user(
        f"For CUDA {major} pip has no package with {file}; from CUDA {first} on it has one. "
        "Install the framework for such a CUDA, which brings it along, or put the folder that "
        "holds the file into LD_LIBRARY_PATH.",
        (f"ldconfig -p | grep {file.partition('.so')[0]}",),
    )


def _cupti_of_toolkit(file: str) -> Fix:
    """Older toolkits have it in a folder of its own, which nobody puts on the loader's path."""
    folder = "/usr/local/cuda/extras/CUPTI/lib64"
    return Fix.by_user(
        f"{file} comes with the toolkit of its CUDA, in a folder of its own: let the loader find "
        "it there. It only measures; a program that does not profile runs without it.",
        (
            "ls /usr/local/cuda*/extras/CUPTI/lib64",
            f"export LD_LIBRARY_PATH={folder}:$LD_LIBRARY_PATH",
        ),
        undo="take the folder out of LD_LIBRARY_PATH",
    )
