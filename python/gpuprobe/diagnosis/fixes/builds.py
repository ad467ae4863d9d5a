"""Which build of a framework the tables name for GPUs, a driver, a Python and a platform."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...facts.version import Version
from ...knowledge import architecture, cupy, driver_cuda, jax, onnxruntime, tensorflow
from ...knowledge import pytorch_advice as pytorch
from ...knowledge.architecture import Coverage
from ...knowledge.driver_cuda import Service
from ...knowledge.gpu_and_driver import unknown_to_driver
from ...knowledge.tables import Unstated
from .ground import PYTORCH_INDEX, Choice, Ground

if TYPE_CHECKING:
    Install = (
        pytorch.Install | tensorflow.Install | jax.Install | cupy.Install | onnxruntime.Install
    )

#: What an environment may be made with where this Python has no build, the best known first.
_PYTHONS = ("3.12", "3.11", "3.10", "3.13", "3.9", "3.8")


def choose(framework: str, ground: Ground) -> Choice | Unstated | None:
    """The newest build that fits, or why there is none; None: too little is known to tell.

    Of several GPUs every one has to be served: the newest build for the oldest of them is taken
    where it has code for the others, else that for the newest.
    """
    known = ground.capabilities and ground.python and ground.platform
    if ground.jetson or not known or (ground.driver is None and ground.driver_cuda is None):
        return None
    return _chosen(framework, ground)


def _chosen(framework: str, ground: Ground) -> Choice | Unstated:
    refused = Unstated("no GPU is known")
    for capability in ground.capabilities:
        strange = unknown_to_driver(capability, ground.driver)
        if strange is not None:
            return strange
    for capability in dict.fromkeys((min(ground.capabilities), max(ground.capabilities))):
        found = _advised(framework, capability, ground)
        if isinstance(found, Unstated):
            return found
        if all(_has_code(found, each) for each in ground.capabilities):
            return Choice(_requirement(found), _needs(found))
        refused = Unstated(f"no one build of {framework} in the tables has code for all the GPUs")
    return refused


def _advised(framework: str, capability: Version, ground: Ground) -> Install | Unstated:
    python, platform = ground.python or Version.of(3), ground.platform or "linux_x86_64"
    driver, ceiling = ground.driver, ground.driver_cuda
    if framework == "PyTorch":
        return pytorch.advise(
            capability,
            python=python, driver=driver, driver_cuda_version=ceiling, platform=platform,
        )  # fmt: skip
    if framework == "TensorFlow":
        return tensorflow.advise(
            capability,
            python=python, driver=driver, driver_cuda_version=ceiling, platform=platform,
        )  # fmt: skip
    if framework == "ONNX Runtime":
        return onnxruntime.advise(
            capability,
            python=python, driver=driver, driver_cuda_version=ceiling, platform=platform,
        )  # fmt: skip
    if framework == "JAX" and jax.gpu_platform(platform):
        return jax.advise(capability, python=python, driver=driver, driver_cuda_version=ceiling)
    if framework == "CuPy":
        system: driver_cuda.System = "windows" if ground.windows else "linux"
        return cupy.advise(
            capability,
            python=python, driver=driver, driver_cuda_version=ceiling, system=system,
        )  # fmt: skip
    return Unstated(f"{framework} has no packages with CUDA for {platform.replace('_', ' ')}")


def _has_code(found: Install, capability: Version) -> bool:
    """Whether a build serves another GPU than the one that it was chosen for."""
    if isinstance(found, cupy.Install):  # compiles on the machine
        minimum = found.package.minimum_capability
        return minimum is None or capability >= minimum
    if isinstance(found, onnxruntime.Install):
        return onnxruntime.serves_gpu(found.build, capability)
    targets = [each for name in found.kernels.compiled for each in architecture.parse_target(name)]
    covered = architecture.coverage(targets, capability)
    if covered is not Coverage.PTX:
        return covered is Coverage.NATIVE
    # PTX takes a driver as new as the toolkit. Where the first GPU needs PTX, that was seen to.
    by_release = isinstance(found, pytorch.Install) and found.service is Service.YES
    return by_release or found.kernels.coverage is Coverage.PTX


def _requirement(found: Install) -> str:
    quoted = f'"{found.requirement}"'
    if isinstance(found, pytorch.Install) and found.index_path:
        return f"{quoted} --index-url {PYTORCH_INDEX}/{found.index_path}"
    return quoted


def _needs(found: Install) -> str:
    if isinstance(found, tensorflow.Install | onnxruntime.Install) and found.cuda is not None:
        return f"CUDA {found.cuda} and cuDNN {found.cudnn}"
    return ""


def way_out(framework: str, ground: Ground) -> tuple[str, tuple[str, ...]]:
    """What would have to change so that a build fits: another Python, else a newer driver.

    A sentence and its commands; the tables may know of no way.
    """
    for text in _PYTHONS:
        found = _chosen(framework, replace(ground, python=Version(text)))
        if isinstance(found, Choice):
            commands = (
                f"conda create --name gpu python={text}",
                f"conda run --name gpu pip install {found.requirement}",
            )
            return f"An environment with Python {text} can have one.", commands
    newest = replace(ground, driver=_last_driver(ground), driver_cuda=None)
    if any(
        isinstance(_chosen(framework, replace(newest, python=python)), Choice)
        for python in (ground.python, *map(Version, _PYTHONS))
    ):
        return "A newer driver would be served by one.", ()
    if ground.windows and isinstance(
        _chosen(framework, replace(ground, platform="linux_x86_64")), Choice
    ):
        return "Inside WSL 2 there is one.", ()
    return "The tables know of none for another Python or driver either.", ()


def _last_driver(ground: Ground) -> Version | None:
    """The last branch that serves all the GPUs; None: the newest does."""
    rows = (driver_cuda.last_branch(each) for each in ground.capabilities)
    last = [row.branch for row in rows if isinstance(row, driver_cuda.LastBranch) and row.branch]
    return Version.of(min(last)) if last else None
