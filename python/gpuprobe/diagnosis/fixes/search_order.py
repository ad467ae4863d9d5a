"""Let the loader find the right copy: the driver's own library, or the one of a program."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Fix
from ..questions.place import Distribution, Place

if TYPE_CHECKING:
    from ...facts.version import Version


_LOADER = "/etc/ld.so.conf.d"


def without_compat(place: Place, path: str | None = None, serves: Version | None = None) -> Fix:
    """Take a cuda-compat folder out of the search path; an image brings its own along.

    `serves`: the CUDA that the driver of the host serves, where it is known.
    """
    if place.container is not None:
        least = "the one that nvidia-smi names on the host" if serves is None else f"{serves}"
        return Fix.by_user(
            "In a container the image brings cuda-compat along, and NVIDIA's run time puts it "
            f"before the driver's library. Take an image whose CUDA is no newer than {least}, "
            "which the driver of the host serves; or update that driver to one for the image's "
            "CUDA; or build the image without the package (RUN apt-get purge -y 'cuda-compat-*').",
            ("nvidia-smi",) if serves is None else (),
        )
    folder = "the cuda-compat folder" if path is None else path.rpartition("/")[0]
    return Fix.by_admin(
        f"Take {folder} out of LD_LIBRARY_PATH or {_LOADER}, so that the driver's own "
        "libcuda is used. Software that needs a newer CUDA than that serves needs a newer driver.",
        (f"echo $LD_LIBRARY_PATH; grep -rn compat {_LOADER}", "sudo ldconfig"),
        undo="put the folder back, and run sudo ldconfig",
    )


def without_compat_or_restart(place: Place) -> Fix:
    """The code for a refused library comes as well after an update of the driver."""
    fix = without_compat(place)
    where = "the host" if place.container is not None else "the machine"
    return replace(
        fix,
        text=(
            "First run nvidia-smi. If it fails (Driver/library version mismatch), the driver was "
            f"updated while its old module kept running: restart {where}. If it works, a library "
            f"of cuda-compat is found before the driver's: {_lower(fix.text)}"
        ),
        commands=("nvidia-smi", *fix.commands),
    )


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


_LISTED = "ldconfig -p | grep -E 'libcuda.so|libnvidia-ml'; echo $LD_LIBRARY_PATH"


def without_other_libcuda(place: Place, module: Version | None) -> Fix:
    """The driver is whole, and a program gets a libcuda that is not of it."""
    own = "the driver's own" if module is None else f"that of driver {module}"
    undo = "install the package again, or put the folder back"
    if place.container is not None:
        return Fix.by_user(
            f"A restart does not help: another libcuda than {own} is found first. It comes with "
            "the image (cuda-compat), by LD_LIBRARY_PATH or the loader's list. Take its folder "
            "out, or use an image for the CUDA that nvidia-smi shows.",
            (_LISTED, "ls -d /usr/local/cuda*/compat", "unset LD_LIBRARY_PATH"),
        )
    return Fix.by_admin(
        f"A restart does not help: another libcuda than {own} is found first, of cuda-compat or of "
        "a driver of before. See where it lies, and remove its package or take its folder out of "
        "LD_LIBRARY_PATH.",
        (_LISTED, "ls -d /usr/local/cuda*/compat", *_owner_and_removal(place)),
        undo=undo,
    )


def without_older_library(place: Place, library: Version, module: Version) -> Fix:
    """An update leaves no older library where a package manager made it; another one is found."""
    return Fix.by_admin(
        f"A restart alone does not help: a libcuda of {library}, older than the module that runs, "
        "is left over, or comes with a container. See where it lies, and remove its package, or "
        f"bring that to {module}. If the driver was just set back on purpose, do restart.",
        (_LISTED, *_owner_and_removal(place)),
        undo=f"install the packages of driver {library} again",
    )


def without_older_tool(tool: Version, driver: Version) -> Fix:
    """An nvidia-smi, and mostly the libraries beside it, of another driver than the one at work."""
    return Fix.by_admin(
        f"The programs and libraries of {tool} that are found first are not of the driver at work. "
        f"See where they lie, and take them out of the search path, or bring them to {driver}; on "
        "a cluster its administrators have to.",
        ("which -a nvidia-smi", _LISTED),
        undo=f"install the packages of driver {tool} again",
    )


def bring_to_flatpak(release: str) -> Fix:
    """The copy of the driver's libraries that programs of Flatpak get, of the module's release."""
    package = f"org.freedesktop.Platform.GL.nvidia-{release.replace('.', '-')}"
    return Fix.by_user(
        f"Bring Flatpak the driver's libraries of {release}. Where its server does not have them "
        "yet, wait for them, or go back to a driver of which it has some.",
        ("flatpak update", f"flatpak install flathub {package}"),
        undo=f"flatpak uninstall {package}",
    )


def _owner_and_removal(place: Place) -> tuple[str, ...]:
    """What lists the packages that bring a libcuda, and what removes one."""
    if place.distribution in (Distribution.UBUNTU, Distribution.DEBIAN):
        packages = "dpkg -l | grep -E 'libcuda1|libnvidia-compute|cuda-compat|nvidia-[0-9]'"
        return packages, "sudo apt remove PACKAGE"
    if place.distribution in (Distribution.FEDORA, Distribution.RHEL):
        return "rpm -qa | grep -E 'nvidia|cuda-compat'", "sudo dnf remove PACKAGE"
    return ()


def without_stub(place: Place, path: str | None = None, search_path: str | None = None) -> Fix:
    """Take the stub's folder out of the variable that names it, or out of the loader's list.

    `search_path` is the value of LD_LIBRARY_PATH, where it is known.
    """
    folder = "the folder with the stub" if path is None else path.rpartition("/")[0]
    listed = _entries(search_path)
    if any("stubs" in entry for entry in listed):
        return Fix(
            f"Take {folder} out of LD_LIBRARY_PATH, here and where your shell sets it. The folder "
            "is for the linker only (-L).",
            (_search(*(entry for entry in listed if "stubs" not in entry)),),
        )
    if path is None:
        return _find_stub(place)
    return Fix.by_admin(
        f"Take {folder} out of the loader's list in /etc/ld.so.conf.d and rebuild its cache. "
        "The folder is for the linker only (-L).",
        ("grep -rn stubs /etc/ld.so.conf /etc/ld.so.conf.d", "sudo ldconfig"),
        undo="write the line back and run sudo ldconfig",
    )


def _entries(search_path: str | None) -> list[str]:
    return [entry for entry in (search_path or "").split(":") if entry]


def _search(*folders: str) -> str:
    """What leaves these folders in LD_LIBRARY_PATH."""
    return f"export LD_LIBRARY_PATH={':'.join(folders)}" if folders else "unset LD_LIBRARY_PATH"


def _find_stub(place: Place) -> Fix:
    """Nobody knows yet how the stub is found; with no other libcuda it is the only one."""
    sudo = "" if place.container is not None else "sudo "
    lacking = "install the driver's own libcuda (its package for computing)"
    if place.container is not None:
        lacking = "the container was started without the GPU (docker run --gpus all)"
    return Fix.by_admin(
        "See how the folder with the stub is found, and take it out there: of LD_LIBRARY_PATH (a "
        "folder stubs in it), or of the file in /etc/ld.so.conf.d that names it, and rebuild the "
        "loader's cache. It is for the linker only (-L). If ldconfig lists no libcuda.so.1 outside "
        f"stubs, {lacking}.",
        (
            "echo $LD_LIBRARY_PATH; ldconfig -p | grep libcuda.so",
            "grep -rn stubs /etc/ld.so.conf /etc/ld.so.conf.d",
            f"{sudo}ldconfig",
        ),
        undo=f"write the line back and run {sudo}ldconfig",
    )


def without_nvml_stub(_: Place) -> Fix:
    """NVML counts and watches GPUs; what computes does not need it."""
    return Fix(
        "See where the stub lies, a folder stubs of the toolkit, and take that out of "
        "LD_LIBRARY_PATH; a program that searches folders of its own needs a release, or a "
        "setting, that leaves it out. NVML only counts and watches GPUs: an error of CUDA has "
        "another reason.",
        ("echo $LD_LIBRARY_PATH; ldconfig -p | grep libnvidia-ml",),
    )


def without_nvrtc_stub(search_path: str | None) -> Fix:
    """The library itself lies in the folder above that of the stubs."""
    kept = (each for each in _entries(search_path) if "stubs" not in each)
    return Fix(
        "Take the folder stubs of the toolkit out of LD_LIBRARY_PATH, and out of the loader's list "
        "where it stands there: it is for the linker only (-L). The library itself lies in the "
        "folder above it.",
        (_search(*kept), "ldconfig -p | grep nvrtc"),
    )


def own_copy_first(place: Place, library: str) -> Fix:
    """Let a program get the copy of `library` that it was made for."""
    if place.system == "Windows":
        return Fix(
            f"Take the folder with the other {library} out of PATH, or move it behind the right "
            "one.",
            ("echo %PATH%",),
        )
    return Fix(
        f"Take the folder with the other {library} out of LD_LIBRARY_PATH, or put the right one "
        "before it; in a conda environment remove conda's copy where pip brings one.",
        ("echo $LD_LIBRARY_PATH", "unset LD_LIBRARY_PATH"),
    )


def without_folder(
    place: Place, library: str, folders: tuple[str, ...], search_path: str | None
) -> Fix:
    """Take those folders of `search_path` (LD_LIBRARY_PATH) out that hold the other copies."""
    listed = _entries(search_path)
    kept = [entry for entry in listed if not entry.rstrip("/").endswith(folders)]
    if not folders or len(kept) == len(listed):
        return own_copy_first(place, library)
    return Fix(
        f"Take {' and '.join(folders)} out of LD_LIBRARY_PATH, here and where your shell sets it, "
        f"so that the framework gets the {library} that was installed with it.",
        (_search(*kept),),
    )


def one_cudnn_in(place: Place, folder: str) -> Fix:
    """Parts of two releases lie in one folder, so that no search path tells them apart."""
    if place.system == "Windows" or not folder:
        return own_copy_first(place, "cuDNN")
    return Fix.by_admin(
        f"Remove cuDNN's files from {folder}, and install one release there anew. Where pip brings "
        "the framework its own (the second command lists it), take the folder out of "
        "LD_LIBRARY_PATH in place of that.",
        (f"ls -l {folder}/libcudnn*", "pip list | grep -i cudnn"),
        undo="keep the files that the first command lists, and put them back",
    )


def own_cudnn_first(folder: str) -> Fix:
    """Torch by pip has a cuDNN of its own, and got a part of another one."""
    return Fix(
        f"torch brings its own cuDNN, and a part of another one was taken from {folder}: take that "
        "folder out of LD_LIBRARY_PATH, here and where your shell sets it. If the first command "
        f"fails as well, it is named in {_LOADER}.",
        ("env -u LD_LIBRARY_PATH python PROGRAM", "echo $LD_LIBRARY_PATH", "unset LD_LIBRARY_PATH"),
    )


def newer_cpp_first() -> Fix:
    """Let the newer of two C++ libraries be found first: it serves what was built for the older."""
    return Fix.by_user(
        "Install a current libstdc++ in the environment that is used, and let the loader look "
        "there first; or take the older copy, which an environment brought, away.",
        (
            "conda install -c conda-forge libstdcxx-ng",
            "export LD_LIBRARY_PATH=$CONDA_PREFIX/lib:$LD_LIBRARY_PATH",
        ),
        undo="take the folder out of LD_LIBRARY_PATH again",
    )


def search_folder_aside(path: str, listed: str | None) -> Fix:
    """The driver's library is there, and nobody told the loader; `listed`: its search path."""
    folder = path.rpartition("/")[0]
    behind = ":$LD_LIBRARY_PATH" if listed else ""
    return Fix.by_user(
        f"Nothing has to be installed: name {folder} in LD_LIBRARY_PATH, for this shell as below, "
        "for good in the image, the pod's specification or the shell's start file. Where a script "
        "sets the variable anew, let it keep what was in it.",
        (f"export LD_LIBRARY_PATH={folder}{behind}",),
        undo="unset LD_LIBRARY_PATH" if not listed else "take the folder out again",
    )


def search_driver_folder(place: Place) -> Fix:
    """The driver is whole, and one program looks for its library where it does not lie."""
    if place.system == "Windows":
        return Fix.by_user(
            "Put the folder that holds nvml.dll on the program's PATH. Drivers since 2020 have it"
            " in System32.",
            ("where.exe nvml.dll",),
        )
    return Fix.by_user(
        "Let the program find the library under the name by which it asks: put the folder in"
        " which the driver's lies on its search path (on NixOS it is /run/opengl-driver/lib). The"
        " name without a number, libnvidia-ml.so, may come with a development package.",
        ("ldconfig -p | grep libnvidia-ml", "export LD_LIBRARY_PATH=FOLDER:$LD_LIBRARY_PATH"),
    )
