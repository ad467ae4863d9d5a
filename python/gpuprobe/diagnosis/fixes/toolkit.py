"""Bring the compiler and the headers of a CUDA, and what they need beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts import names, said
from ..model import Fix
from ..questions.gpus.known import gpus
from ..questions.place import Distribution, Place, place_of
from .cuda_libraries import ARCHIVE
from .tensorflow import toolkit_of_conda

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version

#: The first CUDA that NVIDIA's channel of conda has the compiler of.
_FIRST_OF_CONDA = (11, 3)
#: From it on conda has no package cudatoolkit, but the toolkit's parts.
_FIRST_WITH_PARTS = 12
_BUILD_TOOLS = (
    "winget install Microsoft.VisualStudio.2022.BuildTools --override "
    '"--wait --quiet --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"'
)
_ASK_TORCH = 'python -c "import torch; print(torch.version.cuda)"'


def install_toolkit(facts: Facts, place: Place, cuda: Version | None) -> Fix:
    """Install the compiler, of the release that the framework was built with."""
    variable = _variable(facts)
    if place.tegra:
        return _of_jetpack(variable)
    if cuda is None:
        return _of_any_release(facts, place, variable)
    release = f"{cuda.major}.{cuda.minor}"
    if _windows(facts, place):
        return _on_windows(f"CUDA {release}")
    if (cuda.major, cuda.minor) < _FIRST_OF_CONDA:
        return _by_installer(release, variable)
    return Fix.by_user(
        f"Install the CUDA {release} toolkit (conda needs no administrator) and let {variable} "
        f"name its folder. Installed for the whole system it lies in /usr/local/cuda-{release}: "
        "then give that folder.",
        (
            f"conda install -c nvidia/label/cuda-{release}.0 cuda-toolkit",
            f"export {variable}=$CONDA_PREFIX",
            f"${variable}/bin/nvcc --version",
        ),
        undo=f"conda remove cuda-toolkit; unset {variable}",
    )


def nvcc_on_path(facts: Facts, place: Place, last: Version | None) -> Fix:
    """A shell looks for nvcc on PATH alone; `last`: the release after which a target is gone."""
    if _windows(facts, place) or place.tegra:
        return install_toolkit(facts, place, None)
    which = "the toolkit" if last is None else f"CUDA {last.major}.{last.minor} or older"
    why = "" if last is None else " (later ones do not compile for the oldest GPU of this build)"
    return Fix.by_user(
        "The shell looks for nvcc on PATH. Where the first command lists one, put its folder there "
        "and build again; sudo has a PATH of its own, so build without it, or by the third "
        f"command. If it lists none, install {which}{why}: {ARCHIVE}.",
        (
            "ls /usr/local/cuda*/bin/nvcc",
            "export PATH=/usr/local/cuda/bin:$PATH",
            'sudo env "PATH=$PATH" make',
        ),
        undo="take the folder out of PATH again",
    )


def _name_one_folder(folders: str) -> Fix:
    """CUDA_HOME was set as PATH is, where a colon parts folders."""
    return Fix.by_user(
        f'Let CUDA_HOME name one folder, without a colon: "{folders}" is none. Take the line that '
        "sets it out of the shell's start-up file as well.",
        (f"export CUDA_HOME={folders.rpartition(':')[2]}", "$CUDA_HOME/bin/nvcc --version"),
    )


def _without_quotes(folder: str) -> Fix:
    """CUDA_HOME was set with quotes inside of it, which are part of no folder's name."""
    return Fix.by_user(
        "Let CUDA_HOME name the folder without quotes in it. Take the line that sets it out of the"
        " shell's start-up file as well.",
        (f"export CUDA_HOME={folder}", "$CUDA_HOME/bin/nvcc --version"),
    )


def name_a_folder(nvcc: str) -> Fix | None:
    """By the nvcc that a build called in vain: CUDA_HOME is a list, as only PATH may be, or quoted.

    None: it names a folder.
    """
    folder = nvcc.removesuffix("/bin/nvcc")
    if nvcc.startswith("'"):
        return _without_quotes(folder.strip("'"))
    is_list = folder != nvcc and nvcc.startswith(("/", ":/")) and ":" in folder
    return _name_one_folder(folder) if is_list else None


def compile_anew() -> Fix:
    """Objects of two toolkits do not go together, and mostly one was there before the other."""
    return Fix.by_user(
        "Empty the build's folder and compile all of it with one toolkit, the libraries that the"
        " file is of as well; or take those libraries as they are made for this toolkit.",
        ("nvcc --version",),
    )


#: Packages that tell the CUDA of a build; torchvision is of torch's.
_BUILT_FOR = ("torch", "tensorflow", "cupy", "torchvision", "torchaudio")


def cuda_of_build(facts: Facts) -> Version | None:
    """The CUDA that the installed framework was built with: the toolkit has to be of it."""
    found = (facts.known(names.PACKAGE_CUDA(name)) for name in _BUILT_FOR)
    return next((cuda for cuda in found if cuda is not None), None)


def toolkit_of_build(facts: Facts) -> Fix:
    """The toolkit of the CUDA that the framework was built with."""
    return install_toolkit(facts, place_of(facts), cuda_of_build(facts))


def known_toolkit() -> Fix:
    """A build that knows toolkits by their release does not take those that came after it."""
    return Fix.by_user(
        "Update the package that refuses the toolkit to a release that knows it (of Rust's crates: "
        "cargo update), or let CUDA_HOME name an older toolkit, which that package knows.",
        ("$CUDA_HOME/bin/nvcc --version",),
    )


def newer_source(facts: Facts, last: Version) -> Fix:
    """One that knows the CUDA; else a toolkit of the source's time, which must know the GPU."""
    from ...knowledge.architecture import architecture

    text = "Take a newer release of the source, one that knows this CUDA."
    known = [architecture(gpu.capability) for gpu in gpus(facts)]
    if any(each and each.first_toolkit and each.first_toolkit > last for each in known):
        return Fix.by_user(f"{text} CUDA {last} does not compile for the GPU.")
    earlier = install_toolkit(facts, place_of(facts), last)
    return replace(earlier, text=f"{text} Or compile with CUDA {last}. {earlier.text}")


def toolkit_from(facts: Facts, first: Version) -> Fix:
    """One of a CUDA from `first` on: the framework's, where that is one; else an older source."""
    built = facts.known(names.PACKAGE_CUDA("torch"))
    wanted = first if built is None or built < first else built
    fix = install_toolkit(facts, place_of(facts), wanted)
    text = f"The compiler's CUDA is older than {first}: compile with {first} or later. {fix.text}"
    return replace(fix, text=f"{text} Or take a release of the source from before CUDA {first}.")


def toolkit_for_xla(folder: str) -> Fix:
    """XLA searches the folder that it was built with, and the one that its own option names."""
    release = folder.rpartition("-")[2]
    return Fix.by_user(
        f"XLA looks for the toolkit in {folder} and where XLA_FLAGS says. If the first command "
        f"lists a toolkit of CUDA {release.partition('.')[0]}, name its folder in the place of "
        f"{folder} below; if not, install CUDA {release} ({ARCHIVE}). Or install the jaxlib or "
        "TensorFlow that was built for the CUDA that is there.",
        (
            "ls -d /usr/local/cuda*",
            f"export XLA_FLAGS=--xla_gpu_cuda_data_dir={folder}",
            f"export PATH={folder}/bin:$PATH",
        ),
        undo="unset XLA_FLAGS; take the folder out of PATH again",
    )


def _variable(facts: Facts) -> str:
    """CuPy reads another variable than the rest."""
    packages = facts.subjects(names.PACKAGE_VERSION)
    cupy = any(each.startswith("cupy") for each in packages) and "torch" not in packages
    return "CUDA_PATH" if cupy else "CUDA_HOME"


#: What PyTorch's own tools for building extensions say.
_OF_TORCH = ("build-cuda-mismatch", "ops-left-out")


def _of_jetpack(variable: str) -> Fix:
    """The toolkit of a Jetson is a part of JetPack: one for other machines does not serve it."""
    return Fix.by_admin(
        "JetPack brings the toolkit of its CUDA to /usr/local/cuda, and mostly it is only not on "
        f"PATH: put it there, and let {variable} name its folder. If the first command lists no "
        "nvcc, install nvidia-jetpack; in a container take an image with the toolkit, l4t-jetpack.",
        (
            "ls /usr/local/cuda*/bin/nvcc || sudo apt install nvidia-jetpack",
            "export PATH=/usr/local/cuda/bin:$PATH",
            f"export {variable}=/usr/local/cuda",
        ),
        undo=f"sudo apt remove nvidia-jetpack, where it was installed; unset {variable}",
    )


def _for_torch(facts: Facts) -> bool:
    told = any(facts.known(said.SIGN(each)) is not None for each in _OF_TORCH)
    # It is PyTorch's builder that asks for this variable; others say that they find no toolkit.
    told = told or "CUDA_HOME" in (facts.known(said.SIGN("cuda-home-unset")) or "")
    return told or facts.known(said.ABOUT("torch")) is not None


def _windows(facts: Facts, place: Place) -> bool:
    """Whether the text is of Windows, if only by its paths."""
    if place.system is None and facts.known(said.ABOUT("linux")) is None:
        return facts.known(said.ABOUT("windows")) is not None and not place.wsl
    return place.system == "Windows"


def _on_windows(release: str, ask: tuple[str, ...] = ()) -> Fix:
    return Fix.by_admin(
        f"Install {release} ({ARCHIVE}) and the C++ compiler of Visual Studio's Build Tools, then "
        "open a new console so that CUDA_PATH and PATH are set. Shorter, where the project offers "
        "one: a ready wheel for this Python and this framework.",
        (*ask, _BUILD_TOOLS, "nvcc --version"),
        undo="uninstall both in Settings, Apps",
    )


def _of_any_release(facts: Facts, place: Place, variable: str) -> Fix:
    """Where the text does not tell the release: torch tells it, or the driver's is the newest."""
    torch = _for_torch(facts)
    if _windows(facts, place):
        which = "the CUDA toolkit" + " of the release that torch was built with" * torch
        return _on_windows(which, (_ASK_TORCH,) if torch else ())
    driver = facts.known(names.DRIVER_CUDA)
    if not torch and driver is not None and (driver.major, driver.minor) >= _FIRST_OF_CONDA:
        return install_toolkit(facts, place, driver)
    if not torch and place.distribution in (Distribution.UBUNTU, Distribution.DEBIAN):
        return Fix.by_admin(
            "Install the CUDA toolkit. The distribution's package is the shortest way; for "
            f"another release than it has: {ARCHIVE}.",
            ("sudo apt install nvidia-cuda-toolkit", "nvcc --version"),
            undo="sudo apt remove nvidia-cuda-toolkit",
        )
    which = " of the release that torch was built with" if torch else ""
    channel = f"nvidia/label/cuda-$({_ASK_TORCH}).0" if torch else "nvidia"
    return Fix.by_user(
        f"Install the CUDA toolkit{which} and let {variable} name its folder; conda needs no "
        "administrator.",
        (
            f"conda install -c {channel} cuda-toolkit",
            f"export {variable}=$CONDA_PREFIX",
            f"${variable}/bin/nvcc --version",
        ),
        undo=f"conda remove cuda-toolkit; unset {variable}",
    )


def _by_installer(release: str, variable: str) -> Fix:
    """For a release that conda has no compiler of; the installer needs no administrator either."""
    folder = f"$HOME/cuda-{release}"
    return Fix.by_user(
        f"Install the CUDA {release} toolkit and let {variable} name its folder. Its runfile "
        f"({ARCHIVE}) puts it into a folder of your own; conda has no toolkit so old. If it is "
        f"there already, in /usr/local/cuda-{release} say, only set the variable.",
        (
            f"sh cuda_{release}*linux*run --silent --toolkit --toolkitpath={folder}",
            f"export {variable}={folder}",
            f"${variable}/bin/nvcc --version",
        ),
        undo=f"remove {folder}; unset {variable}",
    )


def numba_toolkit(facts: Facts, cuda: Version | None) -> Fix:
    """What Numba compiles with, which conda has apart from the toolkit."""
    release = cuda or facts.known(names.DRIVER_CUDA)
    of_old = None if release is None else toolkit_of_conda(release)
    packages = 'cuda-nvcc cuda-nvrtc "cuda-version>=12.0"'
    if of_old is not None:
        packages = f"cudatoolkit={of_old}"
    elif release is not None and release.major >= _FIRST_WITH_PARTS:
        packages = f'cuda-nvcc cuda-nvrtc "cuda-version={release.major}"'
    return Fix.by_user(
        "Install what Numba compiles with in its conda environment, of a CUDA that the driver and "
        "this Numba serve, or a later Numba. The second command shows what Numba finds.",
        (f"conda install -c conda-forge {packages}", "numba -s"),
        undo=f"conda remove {'cudatoolkit' if of_old else 'cuda-nvcc cuda-nvrtc'}",
    )


def use_toolkit_there(place: Place, cuda: Version) -> Fix:
    """The right toolkit is there, and the build takes another one."""
    release = f"{cuda.major}.{cuda.minor}"
    if place.system == "Windows":
        folder = rf"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v{release}"
        return Fix.by_user(
            f"Let CUDA_HOME name the CUDA {release} that is there, and build anew from a clean "
            "folder.",
            (f'$env:CUDA_HOME = "{folder}"',),
        )
    return Fix.by_user(
        f"Let CUDA_HOME name the CUDA {release} that is there, not /usr/local/cuda, which may be a "
        "link to the other one. Then remove the folder build and build anew.",
        (
            "export CUDA_HOME=$(dirname $(dirname $(readlink -f $(which nvcc))))",
            "$CUDA_HOME/bin/nvcc --version",
        ),
        undo="unset CUDA_HOME",
    )


def take_nvcc_of(place: Place, cuda: Version) -> Fix:
    """The nvcc that runs is of another CUDA than the one that is meant."""
    release = f"{cuda.major}.{cuda.minor}"
    if place.system == "Windows":
        folder = rf"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v{release}"
        ask, steps = (
            "where.exe nvcc",
            (f'$env:CUDA_HOME = "{folder}"', r'$env:PATH = "$env:CUDA_HOME\bin;$env:PATH"'),
        )
    else:
        ask = "which -a nvcc"
        steps = (f"export CUDA_HOME=/usr/local/cuda-{release}", "export PATH=$CUDA_HOME/bin:$PATH")
    return Fix.by_user(
        f"Let the nvcc of CUDA {release} come first, in CUDA_HOME and in PATH: the first command"
        " lists those that are there. Then remove the folder build and build anew.",
        (ask, *steps, "nvcc --version"),
    )


def leave_out_architecture(dropped: Version, present: tuple[Version, ...]) -> Fix:
    """Compile for the GPU that is there, and not for one that the toolkit no longer serves."""
    gpus = present or ()
    numbers = ";".join(f"{each.major}{each.minor}" for each in gpus) or "86"
    points = ";".join(map(str, gpus)) or "8.6"
    where = "" if gpus else ", in place of 8.6 the capability that the first command prints"
    ask = () if gpus else ("nvidia-smi --query-gpu=compute_cap --format=csv",)
    return Fix.by_user(
        f"Let the build leave {dropped} out and compile for your GPU{where}. By CMake it is the "
        "one option, by PyTorch's extensions the variable; else look for sm_"
        f"{dropped.major}{dropped.minor} in the build's files.",
        (
            *ask,
            f'cmake -B build "-DCMAKE_CUDA_ARCHITECTURES={numbers}"',
            f'export TORCH_CUDA_ARCH_LIST="{points}"',
        ),
        undo="unset TORCH_CUDA_ARCH_LIST",
    )


def name_architecture() -> Fix:
    """Tell the build the GPU's capability in numbers, or take a CMake that finds it out."""
    return Fix.by_user(
        "Give the build the GPU's compute capability in numbers, without the point, or take CMake "
        "3.24 or later, which knows the word native.",
        (
            "nvidia-smi --query-gpu=compute_cap --format=csv",
            "cmake -B build -DCMAKE_CUDA_ARCHITECTURES=89",
        ),
    )
