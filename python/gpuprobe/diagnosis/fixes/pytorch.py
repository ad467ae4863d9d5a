"""The command that brings a PyTorch for the GPU where not all is known that a build has to fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...knowledge import pytorch, pytorch_advice
from ..model import Fix
from .ground import OLD_PAGE, PYTORCH_INDEX, Ground, has_index, in_place_of

if TYPE_CHECKING:
    from ...facts.version import Version
    from ...knowledge.pytorch import Build

_WITHOUT_GPU = (
    " Without an NVIDIA GPU there is nothing to install: then use the program's option for the CPU."
)


def cuda_build(version: str, ground: Ground) -> Fix | None:
    """The same release with CUDA, else the newest that may fit; None: the tables name none."""
    same = _of_same_release(version, ground)
    wanted = same and _pinned(version, same.variant, ground, plain=_is_plain(same, ground))
    if same is not None and wanted:
        cuda = f"CUDA {_minor(same.cuda)}{_fits(same, ground)}"
        text = f"Install the same release as a build for {cuda}."
    else:
        found = newest_build(ground)
        if found is None:
            return None
        wanted = _newest(found, ground)
        text = f"Install PyTorch as a build for CUDA {_minor(found.cuda)}{_fits(found, ground)}."
        text += pair_too(ground)
    if not (ground.capabilities or _knows_driver(ground)):
        text += _WITHOUT_GPU
    commands = in_place_of(ground.torch_packages, wanted)
    if ground.cpuonly:
        commands = ("conda remove --yes pytorch cpuonly", commands[1])
    return Fix.by_user(text, commands, undo=undo_of_cpu(version, ground))


def newest_build(ground: Ground) -> Build | None:
    """The newest build with code for these GPUs, as far as the ground is known."""
    if ground.platform == "linux_aarch64":
        return None
    return pytorch_advice.of_any_release(
        ground.capabilities,
        python=ground.python,
        driver=ground.driver,
        driver_cuda_version=ground.driver_cuda,
        platform=ground.platform or "linux_x86_64",
    )


def index_commands(found: Build, ground: Ground) -> tuple[str, str]:
    """Let pip take the newest on the index of this CUDA that this Python can have."""
    return in_place_of(ground.torch_packages, _newest(found, ground))


def _newest(found: Build, ground: Ground) -> str:
    packages = " ".join(ground.torch_packages)
    return f"{packages} --index-url {PYTORCH_INDEX}/whl/{found.variant}"


def other_index(ground: Ground) -> str:
    """A sentence that offers a build for the driver as it is; empty where that is not known."""
    found = newest_build(ground) if _knows_driver(ground) else None
    if found is None:
        return ""
    command = " && ".join(index_commands(found, ground))
    return f" Or keep the driver: `{command}` installs a build that it serves."


def pair_too(ground: Ground) -> str:
    """What pip has to be told where nobody knows whether it is installed."""
    if ground.beside:
        return ""
    return " Where torchvision or torchaudio are installed, name them in the same command."


def undo_of_cpu(version: str, ground: Ground) -> str | None:
    """The command that brings the CPU build back; PyPI's release of that number may have CUDA."""
    if not version:
        return None
    if ground.cpuonly:
        return f"conda install --channel pytorch pytorch=={version.partition('+')[0]} cpuonly"
    wanted = _pinned(version, "cpu", ground)
    return " && ".join(in_place_of(ground.torch_packages, wanted)) if wanted else None


def _of_same_release(version: str, ground: Ground) -> Build | None:
    asked = pytorch.parse_version(version)
    if asked is None or not asked.official or ground.platform == "linux_aarch64":
        return None
    return pytorch_advice.of_release(
        asked.release,
        ground.capabilities,
        driver=ground.driver,
        driver_cuda_version=ground.driver_cuda,
        platform=ground.platform or "linux_x86_64",
    )


def _is_plain(found: Build, ground: Ground) -> bool:
    release = pytorch.release(str(found.torch))
    linux = ground.platform == "linux_x86_64"
    return linux and release is not None and release.pypi_linux == found.variant


def _pinned(version: str, variant: str, ground: Ground, *, plain: bool = False) -> str:
    """Of a whole version, 2.3.1, with what goes with it; empty where it is not whole."""
    number = version.partition("+")[0]
    if len(number.split(".")) < 3:  # noqa: PLR2004  1.8 names several releases
        return ""
    packages = (("torch", number), *ground.beside)
    if has_index(number):
        pinned = " ".join(f"{name}=={each}" for name, each in packages)
        return f"{pinned} --index-url {PYTORCH_INDEX}/whl/{variant}"
    if plain:
        return " ".join(f"{name}=={each}" for name, each in packages)
    tags = {"torch": f"+{variant}", "torchvision": f"+{variant}"}
    pinned = " ".join(f"{name}=={each}{tags.get(name, '')}" for name, each in packages)
    return f"{pinned} --find-links {OLD_PAGE}"


def _knows_driver(ground: Ground) -> bool:
    return ground.driver is not None or ground.driver_cuda is not None


def _fits(found: Build, ground: Ground) -> str:
    fits = ["this driver serves"] if _knows_driver(ground) else []
    platform = ground.platform or "linux_x86_64"
    if pytorch_advice.by_compatibility(found, ground.driver, ground.driver_cuda, platform):
        fits = ["this driver serves by minor-version compatibility"]
    fits += ["has code for this GPU"] if ground.capabilities else []
    return f", which {' and '.join(fits)}" if fits else ", which most GPUs and drivers can use"


def _minor(cuda: Version) -> str:
    return f"{cuda.major}.{cuda.minor}"


def never_for(capability: Version) -> str:
    """A sentence where no build has code for a GPU, by the tables; else empty."""
    if not pytorch_advice.never_for(capability):
        return ""
    # Before Fermi a name tells no more than the series, which has several capabilities.
    target = "sm_1x" if capability.major == 1 else f"sm_{capability.major}{capability.minor}"
    oldest = pytorch.oldest_release()
    return (
        f"No build of PyTorch since {oldest} has code for {target}: use a newer GPU, or let the "
        "program compute on the CPU."
    )
