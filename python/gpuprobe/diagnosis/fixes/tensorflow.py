"""The CUDA and cuDNN of a TensorFlow, or a TensorFlow for the CUDA that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.version import Version
from ..model import Fix

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...knowledge.cuda_libraries import Origin
    from ...knowledge.tensorflow import Release
    from ..questions.place import Place

#: Lets the loader look into the folders in which pip's packages of CUDA put their libraries.
PIP_FOLDERS = (
    "export LD_LIBRARY_PATH=$(python3 -c 'import glob, nvidia; "
    'print(":".join(glob.glob(list(nvidia.__path__)[0] + "/*/lib")))\'):$LD_LIBRARY_PATH'
)
CONDA_FOLDER = "export LD_LIBRARY_PATH=$CONDA_PREFIX/lib:$LD_LIBRARY_PATH"
#: What a TensorFlow for CUDA 11 opens; from 11.1 on one release of it serves for all.
_ELEVEN = (
    "pip install nvidia-{cuda-runtime,cublas,cufft,curand,cusolver,cusparse}-cu11 "
    '"nvidia-cudnn-cu11==8.*"'
)
_FIRST_ELEVEN, _LAST_ELEVEN = Version("11.1"), Version("11.8")
#: Of cuDNN 7 a later release serves what was built for an earlier one; conda has not all of them.
_ONE_FOR_ALL = 7
#: Before it the package tensorflow was a build for the CPU.
_FIRST_FOR_BOTH = Version("2.1")
#: The releases that conda has under the name cudatoolkit.
_OF_CONDA = ("8.0", "9.0", "9.2", "10.0", "10.1", "10.2", *(f"11.{minor}" for minor in range(9)))


def toolkit_of_conda(cuda: Version) -> str | None:
    """The release of conda's cudatoolkit; None: it never had that one. A bare 9 is 9.0."""
    text = f"{cuda.major}.{cuda.minor}"
    return text if text in _OF_CONDA else None


def libraries_for_tensorflow(facts: Facts, place: Place, origin: Origin | None) -> Fix | None:
    """All the libraries of the TensorFlow that asks: with one alone the next would be missing.

    None: it is not known to be TensorFlow's, or the file is of another CUDA than its build.
    """
    from ..questions.libraries.needs import tensorflow_release

    found = tensorflow_release(facts)
    if found is None:
        return _for_a_binding(facts, place, origin)
    name, version, cuda = found
    if origin is not None and not origin.holds(cuda):
        return _for_a_binding(facts, place, origin)
    return libraries_of_release(place, name, version)


def bring_libraries(facts: Facts, place: Place) -> Fix:
    """The libraries of the TensorFlow that is there; it named none of them itself."""
    from ..questions.libraries.needs import tensorflow_release

    found = tensorflow_release(facts)
    fix = libraries_of_release(place, *found[:2]) if found else None
    if fix is not None:
        return fix
    if place.system == "Windows":
        return Fix("Use TensorFlow inside WSL 2, where its GPU build installs.")
    return Fix.by_user(
        "Install TensorFlow together with the CUDA libraries of its build; releases before 2.14 "
        "need them in a folder that LD_LIBRARY_PATH names.",
        ('python3 -m pip install "tensorflow[and-cuda]"',),
    )


def _for_a_binding(facts: Facts, place: Place, origin: Origin | None) -> Fix | None:
    """TensorFlow's library of CUDA 11 in another language's binding, or of no told release."""
    linux = place.system in (None, "Linux")
    told = facts.known(said.ABOUT("tensorflow")) is not None
    if not (linux and told) or origin is None or origin.first.major != _FIRST_ELEVEN.major:
        return None
    return _eleven("TensorFlow")


def libraries_of_release(place: Place, name: str, version: str) -> Fix | None:
    """Bring the CUDA and cuDNN of a release, as the tables have them."""
    from ...knowledge import tensorflow

    release = tensorflow.release(version)
    if release is None:
        return None
    title = f"{name} {version}"
    if place.system == "Windows":
        if release.windows_cuda is None or release.windows_cudnn is None:
            return None
        return _by_conda(title, release.windows_cuda, release.windows_cudnn, windows=True)
    if release.and_cuda:
        return Fix.by_user(
            f"Install {name} together with the CUDA libraries of its build; pip brings all of "
            "them.",
            (f'python3 -m pip install "tensorflow[and-cuda]=={version}"',),
            undo="pip uninstall the packages that it installed",
        )
    if _FIRST_ELEVEN <= release.cuda <= _LAST_ELEVEN:
        return _eleven(title)
    return _by_conda(title, release.cuda, release.cudnn)


def _eleven(title: str) -> Fix:
    return Fix.by_user(
        f"Install the libraries of CUDA 11 and cuDNN 8 that {title} opens, by pip, and let "
        "LD_LIBRARY_PATH name their folders: it does not look there by itself. Set it before the "
        "program starts.",
        (_ELEVEN, PIP_FOLDERS),
        undo="pip uninstall the packages that it installed, and unset LD_LIBRARY_PATH",
    )


def _by_conda(title: str, cuda: Version, cudnn: Version, *, windows: bool = False) -> Fix | None:
    release = toolkit_of_conda(cuda)
    if release is None:
        return None
    part = str(cudnn.major) if cudnn.major == _ONE_FOR_ALL else str(cudnn)
    where = "their bin folders on PATH" if windows else "LD_LIBRARY_PATH"
    return Fix.by_user(
        f"{title} is built for CUDA {release} and cuDNN {cudnn}, and needs both. Install them in "
        f"its conda environment; without conda, from NVIDIA's archives, with {where}.",
        (
            f"conda install -c conda-forge cudatoolkit={release} cudnn={part}",
            *(() if windows else (CONDA_FOLDER,)),
        ),
        undo="conda remove cudatoolkit cudnn",
    )


def for_cuda_there(facts: Facts, place: Place, version: str, there: Version) -> Fix | None:
    """A release of TensorFlow that brings its CUDA along, or was built for the one that is there.

    None: no release of the tables is one, for this Python.
    """
    from ...knowledge import tensorflow
    from ...knowledge.tables import release_number

    if place.system == "Windows":
        return None
    python = facts.known(names.PYTHON_VERSION)
    fitting = [each for each in tensorflow.releases() if _takes(each, python)]
    driver = facts.known(names.DRIVER_CUDA)
    with_cuda = next((each for each in fitting if each.and_cuda), None)
    served = with_cuda and (driver is None or driver.major >= with_cuda.cuda.major)
    if python is not None and served:
        return Fix.by_user(
            "Install a TensorFlow that brings the CUDA of its build along; the CUDA that is "
            "installed is then of no matter.",
            ('python3 -m pip install --upgrade "tensorflow[and-cuda]"',),
            undo=f"pip install tensorflow=={version}",
        )
    nearest = [each for each in reversed(fitting) if _built_for(each, there)]
    installed = release_number(version)
    later = [each for each in nearest if installed and each.tensorflow > installed]
    if not nearest:
        return None
    chosen = (later or nearest[::-1])[0]
    package = "tensorflow-gpu" if chosen.tensorflow < _FIRST_FOR_BOTH else chosen.package
    former = "tensorflow"
    if facts.known(names.PACKAGE_VERSION("tensorflow-gpu")) is not None:
        former = "tensorflow-gpu"
    away = (f"python3 -m pip uninstall --yes {former}",) if former != package else ()
    back = f"pip uninstall --yes {package}; " if away else ""
    return Fix.by_user(
        f"{package} {chosen.tensorflow} is built for CUDA {chosen.cuda}, which is there; it "
        f"takes cuDNN {chosen.cudnn}.",
        (*away, f"python3 -m pip install {package}=={chosen.tensorflow}"),
        undo=f"{back}pip install {former}=={version}",
    )


def _takes(release: Release, python: Version | None) -> bool:
    if python is None:
        return True
    return release.python_min <= Version.of(python.major, python.minor) <= release.python_max


def _built_for(release: Release, there: Version) -> bool:
    return (release.cuda.major, release.cuda.minor) == (there.major, there.minor)
