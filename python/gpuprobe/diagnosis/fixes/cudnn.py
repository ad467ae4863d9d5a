"""Bring the cuDNN that a program needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.version import Version
from ..model import Fix
from ..questions.place import Distribution, Place
from .tensorflow import PIP_FOLDERS, libraries_of_release

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...knowledge.tensorflow import Release

#: From cuDNN 9 on the releases have a page of their own.
_FIRST_NEW = 9
_ARCHIVE = "https://developer.nvidia.com/cudnn-archive"
_OLD_ARCHIVE = "https://developer.nvidia.com/rdp/cudnn-archive"
_LOOK = "ldconfig -p | grep libcudnn"
_WHICH_CUDA = "pip list | grep -i -E 'cuda|-cu1|torch'"
#: The only cuDNN whose Debian package carries no CUDA in its name.
_PLAIN_PACKAGE = 8
#: The only one that opens zlibwapi.dll on Windows, up to 8.9.2.
_WITH_ZLIB = 8
#: From then on a program takes later minor versions than its own.
_WITH_LATER = 8


def install_cudnn(facts: Facts, place: Place, wanted: Version | None) -> Fix:
    """Install it, or let the loader find it."""
    which, archive = _named(facts, wanted), _archive(wanted)
    if place.system == "Windows":
        return Fix.by_user(
            f"Download {which} ({archive}) and put its bin folder on PATH{_zlib_for(wanted)}.",
            ("where.exe cudnn64_*.dll",),
        )
    if "(R" in (facts.known(names.LIBRARY_MISSING("cudnn")) or ""):
        return _for_torch7(which, wanted)
    found = _image_with(facts, wanted) or _of_tensorflow(facts, place, wanted)
    found = found or _by_pip(facts, which, wanted)
    if found is not None:
        return found
    apt = place.distribution in (Distribution.UBUNTU, Distribution.DEBIAN)
    if apt and wanted is not None and wanted.major == _PLAIN_PACKAGE:
        return Fix.by_admin(
            f"Install {which} from NVIDIA's package source; another major may stay beside it. "
            "The newest is for CUDA 12; the one for CUDA 11 is libcudnn8=*+cuda11.*. By pip it is "
            "nvidia-cudnn-cu12 or nvidia-cudnn-cu11, as the program's CUDA is." + _whisper(facts),
            (f"sudo apt install libcudnn{wanted.major}", _LOOK),
            undo=f"sudo apt remove libcudnn{wanted.major}",
        )
    packages = _pip_names(wanted)
    by_pip = f"by pip {' or '.join(packages)}, or " if packages else ""
    return Fix.by_user(
        f"Install {which} ({by_pip}from {archive}), or put the folder that holds it into "
        f"LD_LIBRARY_PATH.{_whisper(facts)}",
        (*((_WHICH_CUDA,) if packages else ()), _LOOK),
    )


def _zlib_for(wanted: Version | None) -> str:
    """What Windows needs beside the cuDNN that is wanted; None: that may be any."""
    if wanted is None:
        return "; with cuDNN 8 put zlibwapi.dll there too"
    return ", and zlibwapi.dll beside it" if wanted.major == _WITH_ZLIB else ""


def for_build(fix: Fix) -> Fix:
    """The same repair where something is compiled, which does not ask the loader."""
    told = (
        f"{fix.text} A build needs its headers as well (of Debian's packages, the one that ends "
        "with -dev), and finds both by the folder that it is told of, mostly by CUDNN_HOME, "
        "CUDNN_ROOT or CUDNN_PATH: the one with include, and lib or lib64, in it. Configure anew, "
        "in an empty folder."
    )
    return replace(fix, text=told)


def release_that_takes_cudnn() -> Fix:
    """A build script knows the releases of cuDNN of its time."""
    return Fix.by_user(
        "Take a newer release of the program, which knows this cuDNN; or put the cuDNN of the major"
        " release before in its place, for the same CUDA. Then build anew, in an empty folder.",
        undo="put the former cuDNN back",
    )


def fitting_cudnn(facts: Facts, place: Place, wanted: Version | None) -> Fix:
    """Bring the version that the program was built with."""
    if wanted is not None and names.LIBRARY_MISSING("cudnn").name in facts:
        return install_cudnn(facts, place, wanted)
    which = "the version that the program was built with" if wanted is None else f"cuDNN {wanted}"
    package = None if place.system == "Windows" else _pip_package(facts, wanted)
    commands = (_LOOK, "echo $LD_LIBRARY_PATH") if place.system != "Windows" else ()
    if package is not None:
        commands = (f'pip install "{package}"', PIP_FOLDERS)
    return Fix.by_user(
        f"Install {which}{_or_later(facts, wanted)}, and take other copies out of the search path; "
        "or take a release of the framework that was built for the cuDNN that is there.",
        commands,
        undo="install the former version again",
    )


def cudnn_for_cuda_there(place: Place, package: str, cuda: Version) -> Fix:
    """The same cuDNN, in the build for the CUDA that is there."""
    release, _, rest = package.partition("-")
    name = f"libcudnn{release.partition('.')[0]}"
    text = (
        f"Install the cuDNN {release} that was built for CUDA {cuda.major}, in the place of this "
        "one: adding libraries of the other CUDA would leave two of them beside each other."
    )
    if place.distribution not in (Distribution.UBUNTU, Distribution.DEBIAN):
        return Fix.by_admin(f"{text} ({_OLD_ARCHIVE})", (), undo=f"install {package} again")
    pinned = f"{name}={release}-{rest.partition('+')[0]}+cuda{cuda.major}.*"
    return Fix.by_admin(
        f"{text} The first command lists the builds that there are; {name}-dev, where it is "
        "installed, goes with it.",
        (f"apt list -a {name}", f"sudo apt install --allow-downgrades '{pinned}'"),
        undo=f"sudo apt install {name}={package}",
    )


def _or_later(facts: Facts, wanted: Version | None) -> str:
    """Since cuDNN 8 a later minor version does as well, unless it is what was refused."""
    have = facts.known(said.CUDNN_VERSION)
    if wanted is None or wanted.major < _WITH_LATER or have is None:
        return ""
    refused = have.major == wanted.major and have > wanted
    return "" if refused else " or a later minor version of the same major"


def _named(facts: Facts, wanted: Version | None) -> str:
    """CuDNN with its major, and the CUDA that the TensorFlow that asks was built for."""
    release = _release(facts, wanted)
    if release is not None:
        return f"cuDNN {release[1]} for CUDA {release[0]}"
    if wanted is not None and facts.known(said.ABOUT("tensorflow")) is not None:
        found = {each.cuda for each in _releases() if each.cudnn.major == wanted.major}
        if len(found) == 1:
            return f"cuDNN {wanted} for CUDA {found.pop()}"
    return "cuDNN for the CUDA in use" if wanted is None else f"cuDNN {wanted} for the CUDA in use"


def _releases() -> tuple[Release, ...]:
    from ...knowledge.tensorflow import releases

    return releases()


def _release(facts: Facts, wanted: Version | None) -> tuple[Version, Version] | None:
    """CUDA and cuDNN of the TensorFlow that is installed, where it is the cuDNN asked for."""
    from ...knowledge import tensorflow
    from ..questions.libraries.needs import tensorflow_release

    installed = tensorflow_release(facts)
    found = None if installed is None else tensorflow.release(installed[1])
    if installed is None or found is None or wanted is None or found.cudnn.major != wanted.major:
        return None
    return installed[2], found.cudnn


def _of_tensorflow(facts: Facts, place: Place, wanted: Version | None) -> Fix | None:
    from ..questions.libraries.needs import tensorflow_release

    installed = tensorflow_release(facts)
    if installed is None or (wanted is not None and _release(facts, wanted) is None):
        return None
    fix = libraries_of_release(place, *installed[:2])
    if fix is None or wanted is not None:
        return fix
    first = "env -u LD_LIBRARY_PATH python PROGRAM"
    text = (
        "See whether they load without LD_LIBRARY_PATH (first command): then take the folder with "
        f"the other copy out of it. If not: {fix.text[:1].lower()}{fix.text[1:]}"
    )
    return replace(fix, text=text, commands=(first, *fix.commands))


def _by_pip(facts: Facts, which: str, wanted: Version | None) -> Fix | None:
    package = _pip_package(facts, wanted)
    if package is None:
        return None
    return Fix.by_user(
        f"Install {which} by pip, in the program's environment, and let LD_LIBRARY_PATH name the "
        f"folder: the loader does not look there by itself.{_whisper(facts)}{_newest(facts)}",
        (f'pip install "{package}"', PIP_FOLDERS),
        undo=f"pip uninstall {package.partition('>')[0]}",
    )


#: For which CUDA there are images with which major of cuDNN, and how their tags name it.
_IMAGES = {8: ((11, 0), (12, 2), "cudnn8"), 9: ((12, 4), (12, 9), "cudnn")}


def _image_with(facts: Facts, wanted: Version | None) -> Fix | None:
    """NVIDIA has the same image with cuDNN in it; the smallest variant has none with it."""
    cuda, _, rest = (facts.known(said.SIGN("cuda-image-without-cudnn")) or "").partition("-")
    first = Version.parse(cuda)
    if first is None or wanted is None or wanted.major not in _IMAGES:
        return None
    oldest, newest, word = _IMAGES[wanted.major]
    if not oldest <= (first.major, first.minor) <= newest:
        return None
    variant, _, system = rest.partition("-")
    variant = "devel" if variant == "devel" else "runtime"
    by_pip = "".join(f', or run `pip install "{each}"` in it' for each in _at(wanted, first.major))
    return Fix.by_user(
        f"The image nvidia/cuda:{cuda}-{rest} has no cuDNN. Take the one that brings it"
        f"{by_pip} and let LD_LIBRARY_PATH name the folder of its libraries.",
        (f"docker pull nvidia/cuda:{cuda}-{word}-{variant}-{system}",),
    )


def _at(wanted: Version, cuda: int) -> list[str]:
    """The requirement for pip, which without a release brings the newest major."""
    from ...knowledge.cudnn import pip_packages

    return [f"{each}=={wanted.major}.*" for each in pip_packages(wanted.major, cuda)]


def _newest(facts: Facts) -> str:
    """Where the release of ONNX Runtime is not told, its newest ones are of another CUDA."""
    untold = facts.known(names.PACKAGE_VERSION("onnxruntime-gpu")) is None
    if untold and "onnxruntime" in (facts.known(names.LIBRARY_WANTED_BY("cudnn")) or ""):
        return " ONNX Runtime from 1.27 on is of CUDA 13: for it take nvidia-cudnn-cu13."
    return ""


def _for_torch7(which: str, wanted: Version | None) -> Fix:
    """The binding of Torch7 is written for one release, and has a branch for each."""
    major = "" if wanted is None else str(wanted.major)
    return Fix.by_user(
        f"Install {which} ({_OLD_ARCHIVE}) and let CUDNN_PATH name its file; the earlier release "
        "that may be there does not serve. Or take the branch of the binding that is named after "
        "the cuDNN that is there, R4 for cuDNN 4: `git clone -b R4 "
        "https://github.com/soumith/cudnn.torch`, and there `luarocks make`.",
        (f"export CUDNN_PATH=/usr/local/cuda/lib64/libcudnn.so.{major}".rstrip("."),),
        undo="unset CUDNN_PATH",
    )


def _archive(wanted: Version | None) -> str:
    return _OLD_ARCHIVE if wanted is not None and wanted.major < _FIRST_NEW else _ARCHIVE


def _pip_names(wanted: Version | None) -> list[str]:
    """Pip's packages, of which the program's CUDA tells the right one."""
    return [each for cuda in (13, 12, 11) if wanted for each in _at(wanted, cuda)]


def _whisper(facts: Facts) -> str:
    """Whose releases ask for two majors, and mostly are what asks for a part of it."""
    part = (facts.known(names.LIBRARY_MISSING("cudnn")) or "").startswith("libcudnn_")
    if not part and facts.known(said.SIGN("ctranslate2-library-load")) is None:
        return ""
    return (
        " Of CTranslate2 (faster-whisper, WhisperX) the releases up to 4.4 ask for cuDNN 8, those "
        "from 4.5 on for cuDNN 9."
    )


def _pip_package(facts: Facts, wanted: Version | None) -> str | None:
    """The requirement for pip; None where the CUDA in use or the package is not known."""
    from ...knowledge.cudnn import pip_packages

    cuda = None if wanted is None else _cuda_major(facts, wanted)
    if cuda is None or wanted is None:
        return None
    found = pip_packages(wanted.major, cuda)
    below = f"<{wanted.major + 1}"
    return f"{found[0]}>={wanted},{below}" if found else None


def _cuda_major(facts: Facts, wanted: Version) -> int | None:
    """The major of CUDA in use: told, or the one that a framework's release was built for."""
    from ...knowledge import onnxruntime, pytorch

    cuda = facts.known(names.TOOLKIT_VERSION)
    for package in facts.subjects(names.PACKAGE_CUDA):
        cuda = facts.known(names.PACKAGE_CUDA(package)) or cuda
    if cuda is not None:
        return cuda.major
    version = facts.known(names.PACKAGE_VERSION("onnxruntime-gpu"))
    if version is not None:
        build = onnxruntime.build(version)
        return build.cuda.major if isinstance(build, onnxruntime.Build) else None
    torch = pytorch.build(facts.known(names.PACKAGE_VERSION("torch")) or "")
    if isinstance(torch, pytorch.Build) and torch.cudnn.major == wanted.major:
        return torch.cuda.major  # what plain pip brings has the cuDNN that is asked for
    asks = facts.known(names.LIBRARY_WANTED_BY("cudnn")) or ""
    return _OF_ONNXRUNTIME.get(wanted.major) if "onnxruntime" in asks else None


#: The CUDA of ONNX Runtime's usual builds for a major of cuDNN, where its release is not told.
_OF_ONNXRUNTIME = {9: 12}
