"""Bring a CUDA library where the program that asks for it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ...knowledge.cuda_libraries import Origin, pip_package
from ..model import Fix
from ..questions.libraries.installed import installed_cuda
from ..questions.place import Distribution
from .pip_libraries import asked_by_python, install_nccl, install_package
from .tensorflow import CONDA_FOLDER, PIP_FOLDERS, libraries_for_tensorflow, toolkit_of_conda

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version
    from ..questions.place import Place

#: Released apart from the toolkit, or not on the loader's path in it: pip's packages bring them to
#: frameworks, and the names of their files mostly do not tell the CUDA.
_BY_PACKAGE = ("cupti", "cufile", "nvtoolsext", "cusparselt", "nvshmem_host", "cutensor")
#: The first CUDA whose libraries NVIDIA's package source has in one package.
_FIRST_BUNDLE = 9
#: What CTranslate2 opens of CUDA.
_OF_CTRANSLATE2 = ("cublas", "cublaslt")
#: The CUDAs that a release of it was made for.
_OF_CTRANSLATE2_BY_PIP = (11, 12)
ARCHIVE = "https://developer.nvidia.com/cuda-toolkit-archive"


def pip_library(stem: str, origin: Origin | None) -> str | None:
    """The pip package that brings a library of one CUDA major; None where there is none."""
    if origin is None or stem in _BY_PACKAGE:
        return None
    last = origin.last.major if origin.last is not None else origin.first.major
    return pip_package(stem, max(origin.first.major, last))


def search_folder(folder: str, file: str) -> Fix:
    """Let the loader look into the folder in which a library lies."""
    return Fix.by_user(
        f"{file} lies in {folder}, where the loader does not look. Put that folder into "
        "LD_LIBRARY_PATH, here and where your shell sets it.",
        (f"export LD_LIBRARY_PATH={folder}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}",),
        undo="take the folder out of LD_LIBRARY_PATH",
    )


def take_other_release(wheel: str) -> Fix:
    """What a wheel was to bring no toolkit of another release stands for."""
    return Fix.by_user(
        f"Where the package's folder has no such file under another number either, {wheel} was "
        "packed without it: install the release before or after it, which brings its libraries.",
        undo="install this release again",
    )


def install_library(facts: Facts, place: Place, stem: str, file: str, origin: Origin | None) -> Fix:
    """Bring the CUDA release that a file belongs to, or let the loader find what is there."""
    if stem == "nccl":
        return install_nccl(facts, place, file)
    there = None if origin is None else _toolkit_there(facts, origin)
    with_all = libraries_for_tensorflow(facts, place, origin)
    if with_all and (there is None or "and-cuda" in with_all.commands[0]):
        return with_all
    if place.system == "Windows":
        return _on_windows(file, origin)
    if stem in _BY_PACKAGE:
        return install_package(facts, stem, file)
    if file == facts.known(said.SIGN("build-library-missing")):
        return _for_build(stem, file)
    if origin is None:
        return _without_release(file)
    if there is not None:
        return _let_it_be_found(facts, file, there)
    return _bring(facts, place, stem, file, origin)


def _toolkit_there(facts: Facts, origin: Origin) -> Version | None:
    """A CUDA for the whole system that has the file, as far as is known; pip's is none."""
    found = (each for each in installed_cuda(facts) if not each.key.name.startswith("package."))
    return next((each.cuda for each in found if origin.holds(each.cuda)), None)


def _bring(facts: Facts, place: Place, stem: str, file: str, origin: Origin) -> Fix:
    """Nothing is known to be there: for Python what pip or conda has, else the system's."""
    found: Fix | None = None
    if stem in _OF_CTRANSLATE2:
        found = _by_ctranslate2(facts, origin)
    if found is None and asked_by_python(facts):
        found = _by_pip(pip_library(stem, origin), origin) or _by_conda(origin)
    return found or _of_the_system(facts, place, file, origin)


def _on_windows(file: str, origin: Origin | None) -> Fix:
    which = "the CUDA release" if origin is None else origin.span
    return Fix.by_admin(
        f"Install {which} ({ARCHIVE}) and put its bin folder, which holds {file}, on PATH; a "
        "Python from the Microsoft Store ignores PATH, there use one from python.org.",
        (f"where.exe {file}",),
        undo="take the folder out of PATH and uninstall the toolkit in Settings, Apps",
    )


def _without_release(file: str) -> Fix:
    """The plain name of a library is a link that packages for running programs do not have."""
    if _OF_WHEEL.search(file):
        return _of_wheel(file)
    start = file.partition(".so")[0]
    return Fix.by_user(
        f"See whether a toolkit has {file}. If so, put its folder into LD_LIBRARY_PATH; if there "
        f"is only a file with a number behind .so, make {file} a link to it, of the CUDA that the "
        "program was built for. If there is none, install that CUDA.",
        (
            f"ls /usr/local/cuda*/lib64/{start}.so*; ldconfig -p | grep {start}",
            "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH",
        ),
        undo="take the folder out of LD_LIBRARY_PATH",
    )


def _for_build(stem: str, path: str) -> Fix:
    """A build names the file by its path, which CMake keeps from the first time that it ran."""
    folder, _, file = path.rpartition("/")
    elsewhere = ""
    if stem.startswith("cublas"):
        elsewhere = ", as cuBLAS of CUDA 10.1 and 10.2 does in the system's own folder,"
    return Fix.by_user(
        f"The build takes {file} from {folder} alone. Remove the build's folder and configure it "
        f"anew, so that CMake looks for what is there. If the library lies elsewhere{elsewhere} "
        "and CMake does not see it, make a link to it in that place; if the command shows none, "
        "install the package of the toolkit that has it, whose name ends in -dev.",
        (f"ls -l /usr/local/cuda*/lib64/{file}* /usr/lib/*/{file}*",),
    )


#: What auditwheel calls the copy of a library that it puts into a wheel.
_OF_WHEEL = regex(r"-[0-9a-f]{8}\.so")


def _of_wheel(file: str) -> Fix:
    """No toolkit has such a file: it lay in a folder of the package itself."""
    return Fix.by_user(
        f"The number in {file} says that a wheel brings this copy itself, in a folder whose name "
        "ends in .libs: install the package that the lines around the message name anew, and move "
        "no files of it.",
        ("pip install --force-reinstall --no-cache-dir --no-deps PACKAGE",),
    )


def _let_it_be_found(facts: Facts, file: str, cuda: Version) -> Fix:
    """That CUDA is there, by the text: what is missing is the way to its folder."""
    folder = f"/usr/local/cuda-{cuda.major}.{cuda.minor}"
    release = f"{cuda.major}.{cuda.minor}" if len(cuda.parts) > 1 else str(cuda.major)
    if len(cuda.parts) == 1:
        folder = "/usr/local/cuda"
    cupy = any(each.startswith("cupy") for each in facts.subjects(names.PACKAGE_VERSION))
    path = (f"export CUDA_PATH={folder}",) if cupy else ()
    return Fix.by_user(
        f"CUDA {release} is there, as it seems: let the loader find the folder that holds {file}. "
        f"On a cluster `module load cuda/{release}` does that; where it lies in another "
        f"folder, put that in place of {folder}.",
        (
            f"ls {folder}/lib64/{file.partition('.so')[0]}*",
            *path,
            f"export LD_LIBRARY_PATH={folder}/lib64:$LD_LIBRARY_PATH",
        ),
        undo="take the folder out of LD_LIBRARY_PATH",
    )


def _by_ctranslate2(facts: Facts, origin: Origin) -> Fix | None:
    """CTranslate2, of Whisper programs: from 4.0 on of CUDA 12, from 4.5 on of cuDNN 9."""
    loading = facts.known(said.SIGN("ctranslate2-library-load"))
    if loading is None and facts.known(said.ABOUT("ctranslate2")) is None:
        return None
    if origin.first.major not in _OF_CTRANSLATE2_BY_PIP:
        return None
    twelve = origin.first.major == max(_OF_CTRANSLATE2_BY_PIP)
    packages = ("ctranslate2>=4.5", "nvidia-cublas-cu12", "nvidia-cudnn-cu12==9.*")
    if not twelve:
        packages = ("ctranslate2<4", "nvidia-cublas-cu11", "nvidia-cudnn-cu11==8.*")
    quoted = " ".join(f'"{each}"' if set(each) & set("<>=*") else each for each in packages)
    return Fix.by_user(
        f"Install the libraries of {origin.span} by pip, beside what is there, and let "
        "LD_LIBRARY_PATH name their folders; with a CTranslate2 that takes their cuDNN.",
        (f"pip install --upgrade {quoted}", PIP_FOLDERS),
        undo=f"pip uninstall {packages[1]} {packages[2].partition('=')[0]}",
    )


def _by_pip(package: str | None, origin: Origin) -> Fix | None:
    if package is None:
        return None
    return Fix.by_user(
        f"Install the library of {origin.span} by pip, in the program's environment, and let "
        "LD_LIBRARY_PATH name the folder: the loader does not look there by itself.",
        (f"pip install {package}", PIP_FOLDERS),
        undo=f"pip uninstall {package}",
    )


def _by_conda(origin: Origin) -> Fix | None:
    release = toolkit_of_conda(origin.last or origin.first)
    if release is None:
        return None
    return Fix.by_user(
        f"Install the libraries of {origin.span} in the program's conda environment and let "
        "LD_LIBRARY_PATH name their folder; without conda, that release for the whole system "
        f"({ARCHIVE}; several can stand side by side).",
        (f"conda install -c conda-forge cudatoolkit={release}", CONDA_FOLDER),
        undo="conda remove cudatoolkit",
    )


def _of_the_system(facts: Facts, place: Place, file: str, origin: Origin) -> Fix:
    """For a program that is no Python's: the release for the whole system, or a module."""
    cuda = _newest_served(facts, origin)
    bundle = f"cuda-libraries-{cuda.major}-{cuda.minor}"
    bundled = cuda.major >= _FIRST_BUNDLE
    apt = bundled and place.distribution in (Distribution.UBUNTU, Distribution.DEBIAN)
    install = (f"sudo apt install {bundle}",) if apt else ()
    source = f"{bundle} of NVIDIA's package source, or {ARCHIVE}" if bundled else ARCHIVE
    folder = f"/usr/local/cuda-{cuda.major}.{cuda.minor}/lib64"
    if facts.known(said.SIGN("python-under-sudo")) is not None:
        return _for_sudo(folder, file, source)
    return Fix.by_admin(
        f"Install the run-time libraries of CUDA {cuda.major}.{cuda.minor} ({source}; several "
        "releases can stand side by side; on a cluster load its module) and put the folder that "
        f"holds {file} into LD_LIBRARY_PATH. Or install or "
        "build the program for the CUDA that is there.",
        (
            f"ldconfig -p | grep {file.partition('.so')[0]}",
            *install,
            f"export LD_LIBRARY_PATH={folder}:$LD_LIBRARY_PATH",
        ),
        undo="remove the packages again; take the folder out of LD_LIBRARY_PATH",
    )


def _for_sudo(folder: str, file: str, source: str) -> Fix:
    """Sudo drops LD_LIBRARY_PATH, so that only the loader's own list reaches the program."""
    release = folder.split("/")[3]
    listed = f"/etc/ld.so.conf.d/{release.replace('.', '-')}.conf"
    return Fix.by_admin(
        "The program is started by sudo, which passes no LD_LIBRARY_PATH on. If the first command "
        f"shows {file}, start the program without sudo, or put the folder into the loader's list. "
        f"Install the release only if the folder is not there ({source}).",
        (
            f"ls {folder}/{file.partition('.so')[0]}*",
            f"echo {folder} | sudo tee {listed}; sudo ldconfig",
        ),
        undo=f"sudo rm {listed}; sudo ldconfig",
    )


def _newest_served(facts: Facts, origin: Origin) -> Version:
    """The newest of the releases that bring a file, as far as the driver is known to serve."""
    driver, last = facts.known(names.DRIVER_CUDA), origin.last
    if driver is not None and origin.holds(driver) and len(driver.parts) > 1:
        return driver
    return origin.first if last is None else last
