"""Bring packages together that fit each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts.regex import regex
from ..model import Fix
from ..questions.packages.numpy_builds import last_of_one

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...facts.version import Version


def one_of(
    packages: Mapping[str, str | None], wanted: str | None, *, uv: bool = False, of: str = ""
) -> Fix:
    """Leave one of the packages: remove all first, because they overwrote each other's files.

    `packages` are their names, with the releases as far as they are known; `uv`: that manages
    them; `of`: a sentence on who brings them in.
    """
    from .framework import reinstall

    keep = wanted or "the one for the CUDA in use"
    pinned = {name: f"{name}=={release}" if release else name for name, release in packages.items()}
    commands = [f"pip uninstall --yes {' '.join(packages)}"]
    if wanted is not None:
        commands.append(reinstall(wanted, packages.get(wanted)))
    undo = f"pip install {' '.join(pinned.values())}"
    if len(packages) == 1:
        undo = reinstall(*next(iter(packages.items())))
    text = f"Remove all of them, then install {keep} alone: they lie in one folder, and what is "
    text += "left of one breaks the other."
    if uv:
        commands = [f"uv {command.replace(' --yes', '')}" for command in commands]
        undo = f"uv {undo}"
        text += " In a project of uv's: uv remove and uv add."
    elif len(packages) > 1:
        text += " If conda installed one, remove that with conda."
    return Fix.by_user(text + of, tuple(commands), undo=undo)


#: CUDA's major release in the name of a package of CuPy.
_MAJOR = regex(r"cupy-cuda(\d{2})x")


def one_of_cupy(packages: Mapping[str, str | None], driver_cuda: Version | None) -> Fix:
    """Of CuPy's packages the newest that the driver serves; nothing else has to be asked."""
    majors = {int(each[1]): each[0] for each in map(_MAJOR.fullmatch, packages) if each}
    if driver_cuda is not None:
        served = [major for major in majors if major <= driver_cuda.major]
        return one_of(packages, majors[max(served)] if served else None)
    if not majors:
        return one_of(packages, None)
    fix = one_of(packages, majors[min(majors)])
    if len(majors) == 1:
        return fix
    others = " or ".join(
        f"{majors[each]} where nvidia-smi shows CUDA {each}" for each in sorted(majors)[1:]
    )
    return replace(fix, text=f"{fix.text} Take {others} or later.")


def cupy_of_rapids(of_pip: tuple[str, ...]) -> Fix:
    """RAPIDS needs CuPy, and mostly both are conda's, which calls it cupy as pip's source does."""
    wheels = " ".join(of_pip)
    return Fix.by_user(
        f"See whether conda installed cupy, as it does for RAPIDS. If so, remove {wheels}, which "
        "is pip's, and let conda lay its own files anew: they lie in one folder. If conda lists no "
        f"cupy, remove both by pip and install {of_pip[0]} alone.",
        (
            "conda list cupy",
            f"pip uninstall --yes {wheels}",
            "conda install --force-reinstall cupy",
        ),
        undo=f"pip install {wheels}",
    )


def one_of_nuget(without: str) -> Fix:
    """Leave .NET's package for GPUs alone; `without`: the one that has no CUDA."""
    return Fix.by_user(
        f"Take {without} out of the project. Where another package asks for it, refer to it with "
        'ExcludeAssets="all" yourself. Then clean and build: the older library may still be there.',
        (f"dotnet remove package {without}", "dotnet list package --include-transitive"),
        undo=f"dotnet add package {without}",
    )


def one_of_nd4j(without: str) -> Fix:
    """Leave ND4J's backend for GPUs alone; `without`: the one for CPUs."""
    return Fix.by_user(
        f"Take {without} out of the project's dependencies, so that the backend for GPUs is the"
        " only one. Look in the whole tree of them: another package may bring it in again.",
        ("gradle dependencies", "mvn dependency:tree -Dincludes=org.nd4j"),
        undo=f"name {without} among the dependencies again",
    )


def of_several_cupys() -> Fix:
    """Where CuPy says that there are several, and which is not told."""
    return Fix.by_user(
        "Remove all that the first command lists, then install the one for the CUDA that "
        "nvidia-smi shows alone: they lie in one folder, and what is left of one breaks the other.",
        ("pip list | grep -i cupy", "pip uninstall PACKAGES", "pip install PACKAGE"),
        undo=None,
    )


#: What conda calls a package, where that is not the name of the distribution.
_OF_CONDA = {"torch": "pytorch", "tensorflow": "tensorflow-base", "cupy": "cupy-core"}


def pip_without_conda(package: str, release: str | None, of_conda: str) -> Fix:
    """Keep what pip installed, since that is what is imported now; conda's goes first."""
    from .framework import reinstall

    name = _OF_CONDA.get(package, package)
    return Fix.by_user(
        f"Leave one of the two. To keep pip's, take conda's {name} away and install pip's again; "
        f"to keep conda's, take pip's away and let conda install {name} again.",
        (
            f"conda remove --force {name}",
            f"{reinstall(package, release)} --force-reinstall --no-deps",
        ),
        undo=f"pip uninstall --yes {package}; conda install {name}={of_conda}",
    )


def rebuild_for_numpy(version: str | None, *, in_image: bool = False) -> Fix:
    """Older NumPy for older wheels, or newer wheels for the newer NumPy."""
    undo = "pip install --upgrade numpy" if version is None else f"pip install numpy=={version}"
    of_image = (
        " Write the command into the image's Dockerfile or definition file and build it anew: what "
        "is installed in a running container is lost with it, and a .sif file cannot be changed."
    )
    return Fix.by_user(
        "Install a release of the module that was compiled for NumPy 2, or stay with NumPy 1."
        + of_image * in_image,
        ('pip install "numpy<2"',),
        undo=undo,
    )


def newer_numpy(version: str | None, wanted: str | None) -> Fix:
    """For a module that was compiled for a newer NumPy than is installed; `wanted`: since when."""
    if wanted is not None:
        bounds = f">={wanted}" + ",<2" * wanted.startswith("1.")
    else:
        bounds = "" if version is not None and last_of_one(version) else "<2"
    command = f'pip install --upgrade "numpy{bounds}"' if bounds else "pip install --upgrade numpy"
    return Fix.by_user(
        "Upgrade NumPy to the one that the module was compiled for; or reinstall the module in a "
        "release of the time of this NumPy.",
        (command,),
        undo=None if version is None else f"pip install numpy=={version}",
    )


def without_warning(kind: str) -> Fix:
    """NumPy's types have grown at their end, so that a module built before works as it did."""
    return Fix(
        "Nothing has to be done: the warning does no harm, and it has nothing to do with the GPU. "
        "To be rid of it, install a later release of the module that the lines around it name, or "
        "hide it.",
        (f'python -W "ignore:{kind} size changed" PROGRAM',),
    )


def without_older_numpy() -> Fix:
    """Two copies of NumPy, of which Python finds the older one first."""
    return Fix.by_user(
        "See which copy is imported. Remove that one, in the Python and folder that the first "
        "command names; or start the program with the environment that has the newer one.",
        (
            'python -c "import numpy; print(numpy.__version__, numpy.__file__)"',
            "python -m pip uninstall numpy",
            "python -m pip install --upgrade numpy",
        ),
        undo=None,
    )


def plugin_of_jaxlib(plugin: str, version: str, jaxlib: str, cuda: str) -> Fix:
    """Bring jax, jaxlib and the plugin to one release."""
    release = jaxlib.partition("+")[0]
    return Fix.by_user(
        f"Install jax with its plugin in one release: pip brings all parts in {release}.",
        (f'pip install --upgrade "jax[{cuda}]=={release}"',),
        undo=f"pip install {plugin}=={version}",
    )
