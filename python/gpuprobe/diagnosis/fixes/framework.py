"""The commands that bring a framework as a build for this GPU, driver, Python and platform."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...knowledge.tables import Unstated
from ..model import Fix
from ..questions.packages.frameworks import NOT_OF_PIP, Package
from .ground import Choice, Ground, ground_of, in_place_of, where_built

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...facts.model import Facts
    from ...knowledge.driver_cuda import LastBranch

_PYTORCH_BEFORE = "https://pytorch.org/get-started/previous-versions/"
_PYTORCH_GUIDE = "https://pytorch.org/get-started/locally/"
_JETSON_GUIDE = "https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/"
#: For CPU builds under names of their own, which have to go first.
_GPU_PACKAGES = {"TensorFlow": "tensorflow", "ONNX Runtime": "onnxruntime-gpu"}


def install_gpu_build(package: Package, ground: Ground) -> Fix:
    """Replace a CPU build by the newest GPU build that fits."""
    undo = undo_of(package.name, package.version)
    if ground.jetson:
        return jetson_build(package.framework, undo)
    if package.name == "torch":
        return _torch(package, ground)
    found = fitting_build(package, ground)
    if package.framework == "TensorFlow" and ground.windows:
        return _on_windows(found, undo)
    if isinstance(found, Choice):
        name = _GPU_PACKAGES.get(package.framework, package.name)
        remove = () if name == package.name else (f"pip uninstall --yes {package.name}",)
        text = f"Install {package.framework} as a build for CUDA that fits this GPU and driver."
        commands = (*remove, f"pip install --upgrade {found.requirement}")
        return Fix.by_user(text + besides(found), commands, undo=undo)
    if isinstance(found, Unstated):
        return no_build(package.framework, found, ground, undo)
    if split := _split(package, undo):
        return split
    from .gpu_builds import build_of

    return build_of(package, ground, undo)


def _torch(package: Package, ground: Ground) -> Fix:
    """In the place of a CPU build, which pip takes for the release that is asked for."""
    from .pytorch import cuda_build, undo_of_cpu

    undo = undo_of_cpu(package.version, ground)
    found = fitting_build(package, ground)
    if isinstance(found, Unstated):
        return no_build(package.framework, found, ground, undo)
    if isinstance(found, Choice):
        text = "Install PyTorch as a build for CUDA that fits this GPU and driver."
        packages = ground.torch_packages
        commands = in_place_of(packages, with_beside(found, packages))
        return Fix.by_user(text, commands, undo=undo)
    if fix := cuda_build(package.version, ground):
        return fix
    text = f"Install a build of PyTorch for the CUDA of the driver ({_PYTORCH_GUIDE})."
    return Fix.by_user(text, (), undo=undo)


def with_beside(found: Choice, packages: Sequence[str]) -> str:
    """What pip is asked for where further packages, after the first, are to fit the build."""
    first, _, index = found.requirement.partition(" ")
    return " ".join((first, *packages[1:], *filter(None, (index,))))


def _split(package: Package, undo: str | None) -> Fix | None:
    """The same release for GPUs, of the time when that was a package of another name."""
    from ...knowledge import tensorflow

    found = tensorflow.release(package.version) if package.name == "tensorflow" else None
    if found is None or found.package == package.name:
        return None
    text = (
        f"Install {found.package}, which this release is named for GPUs; it wants CUDA {found.cuda}"
        f" and cuDNN {found.cudnn}, which pip does not bring along."
    )
    commands = (
        f"pip uninstall --yes {package.name}",
        f"pip install {found.package}=={package.version}",
    )
    return Fix.by_user(text, commands, undo=undo)


def undo_of(name: str, version: str | None) -> str | None:
    """The command that brings a package back; None without its version, or where pip has none."""
    return reinstall(name, version) if version and name not in NOT_OF_PIP else None


def reinstall(name: str, version: str | None) -> str:
    """The command for a release of a package; with a tag PyTorch's own pages have it."""
    if not version:
        return f"pip install {name}"
    return f"pip install {name}=={version}{where_built(name, version)}"


def _on_windows(found: Choice | Unstated | None, undo: str | None) -> Fix:
    text = "Use TensorFlow inside WSL 2, where its GPU build installs"
    if not isinstance(found, Choice):
        return Fix.by_admin(
            f'{text}: there `python3 -m pip install "tensorflow[and-cuda]"` brings all that it '
            "needs but the driver, which is that of Windows.",
            ("wsl.exe --install",),
            undo="wsl.exe --unregister NAME, which deletes that distribution and the files in it",
        )
    text += "; or go back to the last release that had GPU support on Windows."
    return Fix.by_user(text + besides(found), (f"pip install {found.requirement}",), undo=undo)


def tensorflow_by_its_name(facts: Facts) -> Fix:
    """In the place of tensorflow-gpu, whose name is gone; Windows itself has no build with CUDA."""
    ground = ground_of(facts)
    if ground.windows:
        found = fitting_build(Package("tensorflow", "TensorFlow", "", "cpu"), ground)
        return _on_windows(found, None)
    return Fix.by_user(
        "Install tensorflow instead: on Linux its extra and-cuda brings CUDA's libraries.",
        ('pip install "tensorflow[and-cuda]"',),
        undo="pip uninstall tensorflow",
    )


def besides(found: Choice) -> str:
    """What has to be installed beside a build, as a sentence; empty where pip brings it all."""
    needs = found.needs
    return f" pip does not bring {needs} along: install those as well." if needs else ""


def no_build(framework: str, why: Unstated, ground: Ground, undo: str | None) -> Fix:
    """Say that the tables name none, and what would have to change."""
    from .builds import way_out

    what_else, commands = way_out(framework, ground)
    text = f"There is no build of {framework} to name for this machine: {why.reason}. {what_else}"
    if framework == "PyTorch" and not commands:
        text += f" Releases before those of the table, each for several CUDAs: {_PYTORCH_BEFORE}"
    return Fix.by_user(text, commands, undo=undo if commands else None)


def jetson_build(framework: str, undo: str | None) -> Fix:
    """The build that NVIDIA makes for its boards."""
    text = (
        f"Install NVIDIA's build of {framework} for this JetPack ({_JETSON_GUIDE}): the public "
        "builds for ARM are made for servers."
    )
    return Fix.by_user(text, ("cat /etc/nv_tegra_release",), undo=undo)


def fitting_build(package: Package, ground: Ground) -> Choice | Unstated | None:
    """The newest build that fits, or why there is none; None: too little is known to tell."""
    from .builds import choose

    return choose(package.framework, ground)


def other_build(package: Package, ground: Ground) -> str:
    """A sentence that offers the newest build for the driver as it is; empty without one."""
    found = fitting_build(package, ground)
    if not isinstance(found, Choice):
        return ""
    command = f"pip install {found.requirement}"
    return f" Or keep the driver: `{command}` installs a build that it serves.{besides(found)}"


def _up_to(ground: Ground, last: LastBranch) -> str:
    """What the last branch for a card serves, as the end of a sentence; empty: not in the table."""
    from ...facts.version import Version
    from ...knowledge.driver_cuda import highest_cuda

    branch = Version.of(last.branch or 0)
    found = highest_cuda(branch, "windows" if ground.windows else "linux")
    return "" if isinstance(found, Unstated) else f", and serves builds for CUDA up to {found.cuda}"


def older_build(package: Package, ground: Ground, last: LastBranch) -> Fix:
    """For a card that no newer driver serves."""
    undo = undo_of(package.name, package.version)
    found = fitting_build(package, ground)
    branch = f"{last.branch} is the last branch that serves this GPU ({last.architecture})"
    no_way_out = f"A newer driver is no way out: {branch}."
    if ground.driver is not None and ground.driver.major < (last.branch or 0):
        no_way_out = f"A newer driver helps in part: {branch}{_up_to(ground, last)}."
    if isinstance(found, Unstated):
        fix = no_build(package.framework, found, ground, undo)
        return replace(fix, text=f"{fix.text} {no_way_out}")
    text = f"Install a build of {package.name} for an older CUDA, which it serves. {no_way_out}"
    if found is None:
        return Fix.by_user(text, (), undo=undo)
    return Fix.by_user(text + besides(found), (f"pip install {found.requirement}",), undo=undo)
