"""Bring the release of a CUDA library that has what another file asks it for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.regex import regex
from ...knowledge.cuda_libraries import pip_package
from ..model import Fix
from ..questions.place import place_of
from .framework import reinstall

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version
    from ..questions.libraries.search_path import LooseSymbol

_TORCHS = regex(r"(?i)torch|-packages/nvidia/|/\.\./nvidia/|\A(?:nccl|nvjitlink)\Z")
#: The CUDA that most builds of torch are made with, where no build is told.
_USUAL = 12


def release_with_symbol(
    facts: Facts, symbol: LooseSymbol, first: tuple[str, Version] | None
) -> Fix:
    """Leave the search path out first, as an older copy there is the usual reason."""
    if several := _packages_of(facts, symbol.stem):
        return _one_package(facts, symbol.stem, several)
    if symbol.linking:
        return _link_to_the_same(symbol.wanted_by)
    if place_of(facts).system == "Windows":
        return _first_on_path(symbol.asker or "the program")
    ours = _TORCHS.search(symbol.wanted_by) or _TORCHS.search(symbol.stem)
    program = 'python -c "import torch"' if ours else "PROGRAM"
    what = "torch loads" if ours else "it starts"
    text = (
        f"See whether {what} without LD_LIBRARY_PATH. If so, an older copy lies in one of its "
        "folders: take that folder out, here and where your shell sets it. If not, "
    )
    start = f"env -u LD_LIBRARY_PATH {program}"
    if first is None and (newer := _newer_by_pip(facts, symbol)) is not None:
        return newer
    if first is None:
        return _anew(facts, text, start, ours=bool(ours))
    package, release = _requirement(facts, *first)
    have = facts.known(names.PACKAGE_VERSION(package))
    return Fix.by_user(
        f"{text}let pip install the release that has it.",
        (start, f'pip install --force-reinstall "{package}{release}"'),
        undo=None if have is None else f"pip install {package}=={have}",
    )


def _first_on_path(who: str) -> Fix:
    """Windows looks into the program's own folder, then along PATH."""
    return Fix.by_user(
        "See which copies PATH finds, the first of them first: they are of several releases of "
        f"CUDA. Put the bin folder of the release that {who} is of before the others, or the "
        "whole set of that release beside the program; then start it in a new console.",
        ("where.exe cublas64_*.dll cublasLt64_*.dll cudart64_*.dll", "$env:PATH -split ';'"),
        undo="put PATH back as it was",
    )


def _newer_by_pip(facts: Facts, symbol: LooseSymbol) -> Fix | None:
    """A file of the system's CUDA that got an older library of pip's: the older is renewed.

    Not beside torch, which asks pip for that very release.
    """
    beside_torch = facts.known(names.PACKAGE_VERSION("torch")) is not None
    if beside_torch or not _OF_SYSTEM.match(symbol.wanted_by):
        return None
    for package in facts.subjects(names.PACKAGE_VERSION):
        if package.startswith(f"nvidia-{symbol.stem}"):
            have = facts.known(names.PACKAGE_VERSION(package))
            return Fix.by_user(
                f"pip's {package} {have} is older than the toolkit of the system, of which "
                f"{symbol.asker or 'the other file'} is: let pip bring a newer one. Or take both "
                "from one place: the toolkit's folder out of LD_LIBRARY_PATH, or one of that "
                "package's release.",
                (f"pip install --upgrade {package}", "echo $LD_LIBRARY_PATH"),
                undo=f"pip install {package}=={have}",
            )
    return None


_OF_SYSTEM = regex(r"/usr/(?:local/cuda|lib)")


def _packages_of(facts: Facts, stem: str) -> tuple[str, ...]:
    """The packages that lie in one folder, as those of NCCL for two CUDAs do."""
    start = f"nvidia-{stem}-cu"
    found = (each for each in facts.subjects(names.PACKAGE_VERSION) if each.startswith(start))
    packages = tuple(each for each in found if facts.known(names.PACKAGE_VERSION(each)))
    return packages if stem == "nccl" and len(packages) > 1 else ()


def _one_package(facts: Facts, stem: str, packages: tuple[str, ...]) -> Fix:
    """What was installed last lies on top; pip takes the other for installed, and leaves it."""
    pinned = [f"{each}=={facts.known(names.PACKAGE_VERSION(each))}" for each in packages]
    cuda = facts.known(names.PACKAGE_CUDA("torch"))
    wanted = [each for each in pinned if cuda is not None and f"-cu{cuda.major}==" in each]
    keep = wanted[0] if len(wanted) == 1 else "PACKAGE"
    listed = f"[each for each in requires('torch') if '{stem}' in each]"
    ask = f'python -c "from importlib.metadata import requires; print({listed})"'
    return Fix.by_user(
        f"{' and '.join(packages)} lie in one folder, and what was installed last lies on top. "
        "Remove all of them, then install the one that torch asks for, which the first command "
        "lists, in its release.",
        (ask, f"pip uninstall --yes {' '.join(packages)}", f"pip install --no-deps {keep}"),
        undo=f"pip install --no-deps {' '.join(pinned)}",
    )


def _link_to_the_same(asking: str) -> Fix:
    """The linker takes another copy of the library than lies beside the one that asks for it."""
    folder = asking.rpartition("/")[0] or "/usr/local/cuda/lib64"
    return Fix.by_user(
        f"See which copies the linker may find. Let it look in {folder} first, as below, or take "
        "the folder with the older copy out of LD_LIBRARY_PATH, of the file in /etc/ld.so.conf.d "
        "that names it, and of the options -L of the build; then build anew.",
        (
            "ldconfig -p | grep -E 'libcu(blas|sparse|solver|fft|rand)'; echo $LD_LIBRARY_PATH",
            f'make LDFLAGS="-L{folder} -Wl,-rpath-link,{folder}"',
        ),
    )


def _anew(facts: Facts, text: str, start: str, *, ours: bool) -> Fix:
    """Where no table tells the release: what asks for it brings the one that it needs."""
    version = facts.known(names.PACKAGE_VERSION("torch"))
    if not ours:
        return Fix.by_user(f"{text}reinstall the program.", (start, "echo $LD_LIBRARY_PATH"))
    if version is None:
        text += "reinstall torch in the release that pip shows: it brings the libraries it needs."
        return Fix.by_user(text, (start, "pip list | grep -i -E 'torch|nvidia'"))
    command = reinstall("torch", version).replace("install", "install --force-reinstall", 1)
    return Fix.by_user(f"{text}reinstall torch, which brings its libraries.", (start, command))


def _requirement(facts: Facts, stem: str, release: Version) -> tuple[str, str]:
    """The package, and which of its releases has the function."""
    if stem == "nccl":
        cuda = facts.known(names.PACKAGE_CUDA("torch"))
        return pip_package("nccl", _USUAL if cuda is None else cuda.major) or "", f">={release}"
    exact = stem == "nvjitlink"  # torch asks for one release of CUDA
    wanted = f"=={release}.*" if exact else f">={release},<{release.major + 1}"
    return pip_package(stem, release.major) or "", wanted
