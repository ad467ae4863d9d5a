"""Where a Python has no build of a package: another Python, or the index that has the build."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Fix
from .ground import PYTORCH_INDEX, where_built

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...facts.version import Version

#: What decides which file pip takes: the Python, its bits, and the platform.
ASK_PYTHON = (
    'python -c "import sys, struct, platform; '
    "print(sys.version, struct.calcsize('P') * 8, platform.platform())\""
)


def requirement(name: str, version: str | None) -> str:
    """What to give to pip: the release, and where its builds for one CUDA are."""
    if version is None:
        return name
    return f"{name}=={version}{where_built(name, version)}"


def other_environment(
    python: Version | None, name: str = "", version: str | None = None, file: str = ""
) -> Fix:
    """An environment with a Python that has the build; None: which that is, pip has to tell.

    `file`: what is to be installed, where that is a file of the package.
    """
    package = name or "the package"
    if python is None:
        offered = f"pip index versions {name or 'PACKAGE'}{where_built(name, version or '')}"
        return Fix.by_user(
            f"Make an environment with a Python that {package} has builds for (its page on PyPI "
            "lists them under Download files), and install there; or take a release that the "
            "second command lists: those have builds for this Python.",
            (ASK_PYTHON, offered),
            undo="remove the environment",
        )
    install = f"pip install {file or requirement(name or 'PACKAGE', version)}"
    return Fix.by_user(
        f"Make an environment with Python {python}, and install there (without conda: "
        f"python{python} -m venv FOLDER); or choose a release of {package} that has builds for "
        "this Python.",
        (f"conda create --name gpu python={python}", "conda activate gpu", install),
        undo="remove the environment",
    )


def index_or_environment(last: Version, name: str, version: str) -> Fix:
    """Where neither the Python nor the index that pip asked is told: one of them has no build."""
    fix = other_environment(last, name, version)
    text = fix.text
    if index := where_built(name, version):
        text = (
            f"A release with this tag is on PyTorch's own pages alone: where{index} was not given, "
        )
        text += (
            f"give it, as the last command does. Where it was: {fix.text[0].lower()}{fix.text[1:]}"
        )
    return replace(fix, text=text, commands=(ASK_PYTHON, *fix.commands))


def python_of_64_bits(python: Version) -> Fix:
    """The same Python, for which there are builds."""
    return Fix.by_user(
        f"Install Python {python} as the 64-bit version. Remove the environment that the 32-bit "
        "one made (a program's own folder venv), and let it be made anew. The second command "
        "tells 64 then.",
        (
            f"winget install --architecture x64 Python.Python.{python}",
            "python -c \"import struct; print(struct.calcsize('P') * 8)\"",
        ),
        undo="uninstall it in Settings, Apps",
    )


def newer_pip(name: str, python: Version) -> Fix:
    """A Python that has builds today: of its first months, or an old pip that knows no newer."""
    return Fix.by_user(
        f"Update pip and try again: today there are builds of {name} for Python {python.major}."
        f"{python.minor}. Where pip still finds none, the first command tells why: a Python of 32 "
        "bits, or another platform.",
        (ASK_PYTHON, "python -m pip install --upgrade pip", f"python -m pip install {name}"),
        undo=f"python -m pip uninstall {name}",
    )


def index_of_pytorch(name: str, version: str | None, variants: Sequence[str]) -> Fix:
    """An index that PyTorch has, in place of one that it has not; `variants`: the nearest first."""
    wanted = name if version is None else f"{name}=={version}"
    listed = ", ".join(variants)
    return Fix.by_user(
        f"Take an index that has it: {listed}. The driver has to serve that CUDA."
        if variants
        else f"Take the index that PyTorch's page names ({_PAGE}).",
        tuple(
            f"pip install {wanted} torchvision torchaudio --index-url {PYTORCH_INDEX}/whl/{each}"
            for each in variants[:1]
        ),
        undo=f"pip uninstall {name}",
    )


_PAGE = "https://pytorch.org/get-started/locally/"


def pytorch_for_arm(first: Version, variants: Sequence[str]) -> Fix:
    """A newer release, on one of the indexes with builds for ARM; `variants`: lowest CUDA first."""
    index = f"{PYTORCH_INDEX}/whl/{variants[0]}"
    return Fix.by_user(
        f"Take PyTorch {first} or later from an index with builds for ARM ({', '.join(variants)}); "
        "the driver has to serve that CUDA. What asks for the older release has to be told so.",
        (f"pip install torch torchvision torchaudio --index-url {index}",),
        undo="pip uninstall torch torchvision torchaudio",
    )
