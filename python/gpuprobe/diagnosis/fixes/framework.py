"""The commands that bring a framework as a build for this GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.version import Version
from ..model import Fix, Safety

if TYPE_CHECKING:
    from ...knowledge.driver_cuda import LastBranch
    from ..packages import Package
    from ..place import Place

_PYTORCH_INDEX = "https://download.pytorch.org/whl"
#: CUDA versions for which PyTorch keeps an index of wheels, newest first; within a major any
#: driver of that major serves them (minor-version compatibility).
_PYTORCH_CUDA = (Version.of(13, 0), Version.of(12, 8), Version.of(12, 6), Version.of(11, 8))
_NEWEST_MAJOR, _OLDER_MAJOR = 13, 12


def install_gpu_build(package: Package, place: Place, driver_cuda: Version | None) -> Fix:
    """Replace a CPU build by the GPU build that the driver serves."""
    if package.framework == "PyTorch":
        text, commands = _pytorch(driver_cuda)
    elif package.framework == "JAX":
        major = _NEWEST_MAJOR
        if driver_cuda is not None and driver_cuda.major < _NEWEST_MAJOR:
            major = _OLDER_MAJOR
        text = "Install JAX with its CUDA plug-in."
        commands = (f'pip install --upgrade "jax[cuda{major}]"',)
    elif package.framework == "TensorFlow":
        text, commands = _tensorflow(package, place)
    else:
        text = "Replace the CPU package by the one for CUDA; both claim the same module."
        commands = (f"pip uninstall --yes {package.name}", "pip install onnxruntime-gpu")
    undo = f"pip install {package.name}=={package.version}" if package.version else None
    return Fix(text, commands, Safety.USER, undo)


def _pytorch(driver_cuda: Version | None) -> tuple[str, tuple[str, ...]]:
    if driver_cuda is None:
        text = (
            "Once the driver works, install the build for its CUDA; the command for each is at "
            "https://pytorch.org/get-started/locally/"
        )
        return text, ()
    fitting = (each for each in _PYTORCH_CUDA if each.major <= driver_cuda.major)
    cuda = next(fitting, _PYTORCH_CUDA[-1])
    index = f"{_PYTORCH_INDEX}/cu{cuda.major}{cuda.minor}"
    text = (
        "Install the build for CUDA from PyTorch's own index, torchvision and torchaudio with it."
    )
    return text, (f"pip install --force-reinstall torch --index-url {index}",)


def _tensorflow(package: Package, place: Place) -> tuple[str, tuple[str, ...]]:
    if place.system == "Windows":
        text = (
            "Use TensorFlow inside WSL 2, where the GPU build installs; or, with Python 3.10 or "
            "older, go back to the last version that had GPU support on Windows."
        )
        return text, ('pip install "tensorflow<2.11"',)
    text = "Install TensorFlow together with the CUDA libraries that it needs."
    remove = f"pip uninstall --yes {package.name}"
    install = 'pip install "tensorflow[and-cuda]"'
    return text, (install,) if package.name == "tensorflow" else (remove, install)


def older_build(package: Package, driver_cuda: Version | None, last: LastBranch) -> Fix:
    """For a card that no newer driver serves."""
    built = "an older CUDA" if driver_cuda is None else f"CUDA {driver_cuda} or older"
    return Fix(
        f"Install a build of {package.name} for {built}. A newer driver is no way out: "
        f"{last.branch} is the last branch that serves this GPU ({last.architecture}).",
        safety=Safety.USER,
    )
