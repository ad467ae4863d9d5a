"""Bring CUDA libraries and toolkits where programs look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix, Safety

if TYPE_CHECKING:
    from ...facts.version import Version
    from ...knowledge.cuda_libraries import Origin
    from ..questions.place import Place

_PIP_NAMES = {
    "cudart": "nvidia-cuda-runtime",
    "cublas": "nvidia-cublas",
    "cublaslt": "nvidia-cublas",
    "cufft": "nvidia-cufft",
    "curand": "nvidia-curand",
    "cusolver": "nvidia-cusolver",
    "cusparse": "nvidia-cusparse",
    "nvrtc": "nvidia-cuda-nvrtc",
    "nvjitlink": "nvidia-nvjitlink",
}
#: Libraries whose files' names do not tell the CUDA that they are for.
_BY_PACKAGE = {
    "cupti": "nvidia-cuda-cupti",
    "cufile": "nvidia-cufile",
    "nvtoolsext": "nvidia-nvtx",
    "cusparselt": "nvidia-cusparselt",
    "nvshmem_host": "nvidia-nvshmem",
    "cutensor": "cutensor",
}
#: The first major that pip has libraries for, and the last whose package names carry "-cuNN".
_FIRST_PIP, _LAST_WITH_SUFFIX = 11, 12


def pip_library(stem: str, origin: Origin | None) -> str | None:
    """The pip package that brings a library of one CUDA major; None where there is none."""
    if origin is None or stem not in _PIP_NAMES:
        return None
    last = origin.last.major if origin.last is not None else origin.first.major
    major = max(origin.first.major, last)
    if major < _FIRST_PIP:
        return None
    return f"{_PIP_NAMES[stem]}-cu{major}" if major <= _LAST_WITH_SUFFIX else _PIP_NAMES[stem]


def search_folder(folder: str, file: str) -> Fix:
    """Let the loader look into the folder in which a library lies."""
    return Fix(
        f"{file} lies in {folder}, where the loader does not look. Put that folder into "
        "LD_LIBRARY_PATH, here and where your shell sets it.",
        (f"export LD_LIBRARY_PATH={folder}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}",),
        Safety.USER,
        "take the folder out of LD_LIBRARY_PATH",
    )


def install_library(place: Place, stem: str, file: str, origin: Origin | None) -> Fix:
    """Install the CUDA release that a file belongs to, or let the loader find its folder."""
    which = "the CUDA release" if origin is None else origin.span
    if stem == "nccl":
        return _install_nccl(file)
    if place.system == "Windows":
        return Fix(
            f"Install {which} and put its bin folder, which holds {file}, on PATH; a Python from "
            "the Microsoft Store ignores PATH, there use one from python.org.",
            (f"where {file}",),
            Safety.ADMIN,
            "take the folder out of PATH and uninstall the toolkit in Settings, Apps",
        )
    if stem in _BY_PACKAGE:
        return _install_package(_BY_PACKAGE[stem], file)
    package = pip_library(stem, origin)
    look = f"ldconfig -p | grep {file.partition('.so')[0]}"
    if package is not None:
        return Fix(
            f"Install the library of {which} beside the framework. If it is installed already, "
            "put its folder into LD_LIBRARY_PATH.",
            (f"pip install {package}", look),
            Safety.USER,
            f"pip uninstall {package}",
        )
    return Fix(
        f"Install the run-time libraries of {which}, or put the folder that holds {file} into "
        "LD_LIBRARY_PATH (or /etc/ld.so.conf.d, then sudo ldconfig).",
        (look,),
        Safety.ADMIN,
        "remove the packages again; unset LD_LIBRARY_PATH",
    )


def _install_nccl(file: str) -> Fix:
    """NCCL is no part of the toolkit: NVIDIA's package source and pip have it apart."""
    return Fix(
        f"Install NCCL 2 of the CUDA in use, which brings {file}; or put the folder that holds it "
        "into LD_LIBRARY_PATH.",
        ("sudo apt install libnccl2", "ldconfig -p | grep libnccl"),
        Safety.ADMIN,
        "sudo apt remove libnccl2",
    )


def _install_package(package: str, file: str) -> Fix:
    """Of these libraries pip has a package for each major of CUDA, as frameworks ask for it."""
    return Fix(
        f"Install {package} for the major of CUDA that the framework was built with (its name ends "
        f"in -cu12, -cu13 …): it brings {file}. Where pip has it already, install the framework "
        "anew, so that it looks where pip puts it.",
        (f"pip list | grep -i {package}", f"pip install {package}-cu12"),
        Safety.USER,
        f"pip uninstall {package}-cu12",
    )


def one_release(what: str) -> Fix:
    """Take the libraries of one CUDA release only."""
    return Fix(
        f"{what} Look which folders LD_LIBRARY_PATH names and which nvidia packages pip has, and "
        "leave those of one CUDA release only; then reinstall the framework.",
        ("echo $LD_LIBRARY_PATH", "pip list | grep -i nvidia"),
        Safety.USER,
    )


def as_asked(package: str, wanted: Version, have: str) -> Fix:
    """Install the release of a library that the framework asks for."""
    return Fix(
        f"Install the release of {package} that torch asks for; another package may have replaced "
        "it (`pip check` names both).",
        (f"pip install {package}=={wanted}",),
        Safety.USER,
        f"pip install {package}=={have}",
    )


def name_architecture() -> Fix:
    """Tell the build the GPU's capability in numbers, or take a CMake that finds it out."""
    return Fix(
        "Give the build the GPU's compute capability in numbers, without the point, or take CMake "
        "3.24 or later, which knows the word native.",
        (
            "nvidia-smi --query-gpu=compute_cap --format=csv",
            "cmake -B build -DCMAKE_CUDA_ARCHITECTURES=89",
        ),
        Safety.USER,
    )


def install_toolkit(place: Place, cuda: str | None) -> Fix:
    """Install the compiler, of the release that the framework was built with."""
    release = "the CUDA toolkit" if cuda is None else f"the CUDA {cuda} toolkit"
    version = "" if cuda is None else f"={cuda}"
    if place.system == "Windows":
        return Fix(
            f"Install {release} with its Visual Studio integration, and open a new console so "
            "that CUDA_PATH and PATH are set.",
            ("nvcc --version", "echo %CUDA_PATH%"),
            Safety.ADMIN,
            "uninstall the toolkit in Settings, Apps",
        )
    return Fix(
        f"Install {release} (conda needs no administrator: the package cuda-toolkit"
        f"{version}) and let CUDA_HOME name its folder.",
        ("export CUDA_HOME=/usr/local/cuda", "$CUDA_HOME/bin/nvcc --version"),
        Safety.USER,
        "remove the toolkit and unset CUDA_HOME",
    )


def other_compiler(place: Place, newest_gcc: int | None) -> Fix:
    """Give nvcc a host compiler that it takes."""
    if place.system == "Windows":
        return Fix(
            "Install a Visual Studio that this toolkit takes, beside the newer one, or a newer "
            "toolkit.",
            safety=Safety.ADMIN,
            undo="uninstall it in the Visual Studio Installer",
        )
    gcc = "an older gcc" if newest_gcc is None else f"gcc {newest_gcc}"
    number = "" if newest_gcc is None else f"-{newest_gcc}"
    return Fix(
        f"Install {gcc} beside the newer one and let nvcc use it, or install a newer toolkit.",
        (f"export NVCC_PREPEND_FLAGS='-ccbin g++{number}'", f"export CUDAHOSTCXX=g++{number}"),
        Safety.ADMIN,
        "remove the compiler's packages and unset the variables",
    )


def match_cuda(place: Place, wanted: str) -> Fix:
    """Bring the CUDA that the build needs, or a build for the CUDA that is there."""
    if place.system == "Windows":
        return Fix(
            f"Install {wanted} beside the other and put its bin folder first on PATH, or install "
            "a release of the framework that was built for the CUDA that is there.",
            safety=Safety.ADMIN,
            undo="uninstall it in Settings, Apps",
        )
    return Fix(
        f"Install the libraries of {wanted} (several releases can stand side by side), or a "
        "release of the framework that was built for the CUDA that is there or brings its own.",
        safety=Safety.USER,
        undo="remove them again",
    )


def libraries_with_tensorflow(place: Place) -> Fix:
    """Let pip bring the CUDA libraries that TensorFlow was built for."""
    if place.system == "Windows":
        return Fix("Use TensorFlow inside WSL 2, where its GPU build installs.")
    return Fix(
        "Install TensorFlow together with the CUDA libraries of its build; for releases before "
        "2.14 put the folder of libcudart into LD_LIBRARY_PATH.",
        ('pip install "tensorflow[and-cuda]"',),
        Safety.USER,
    )
