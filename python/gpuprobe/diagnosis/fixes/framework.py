"""The commands that bring a framework as a build for this GPU, driver, Python and platform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...facts import names
from ..model import Fix, Safety
from ..questions.place import place_of

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ...facts.version import Version
    from ...knowledge.driver_cuda import LastBranch
    from ...knowledge.pytorch import Platform
    from ..questions.packages import Package

#: The tables name paths on PyTorch's own index of wheels; this is its host.
PYTORCH_INDEX = "https://download.pytorch.org"
_PYTORCH_GUIDE = "https://pytorch.org/get-started/locally/"
_JETSON_GUIDE = "https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/"
#: For CPU builds under names of their own, which have to go first.
_GPU_PACKAGES = {"TensorFlow": "tensorflow", "ONNX Runtime": "onnxruntime-gpu"}


@dataclass(frozen=True, slots=True)
class Ground:
    """What a build has to fit; None: not known, so nothing can be chosen by it."""

    capability: Version | None
    python: Version | None
    driver: Version | None
    driver_cuda: Version | None
    platform: Platform | None
    jetson: bool = False  # a Tegra board before JetPack 7, which the usual wheels do not serve

    @property
    def windows(self) -> bool:
        """Whether it is native Windows."""
        return self.platform == "windows"


def ground_of(facts: Facts) -> Ground:
    """The ground that these facts tell of; of several GPUs the oldest counts."""
    gpus = facts.subjects(names.GPU_CAPABILITY)
    found = (facts.known(names.GPU_CAPABILITY(gpu)) for gpu in gpus)
    capabilities = [capability for capability in found if capability is not None]
    return Ground(
        min(capabilities, default=None),
        facts.known(names.PYTHON_VERSION),
        facts.known(names.DRIVER_VERSION),
        facts.known(names.DRIVER_CUDA),
        _platform(facts),
        _is_jetson(facts),
    )


#: L4T 38 is JetPack 7: from then on the builds for servers of ARM serve these boards, too.
_FIRST_LIKE_SERVERS = 38


def _is_jetson(facts: Facts) -> bool:
    if facts.known(names.TEGRA_MODEL) is None:
        return False
    release = facts.known(names.TEGRA_RELEASE)
    return release is None or release.major < _FIRST_LIKE_SERVERS


def _platform(facts: Facts) -> Platform | None:
    machine = facts.known(names.OS_MACHINE)
    if place_of(facts).system == "Windows":
        return "windows"
    if place_of(facts).system != "Linux":
        return None
    return "linux_aarch64" if machine == "aarch64" else "linux_x86_64"


def install_gpu_build(package: Package, ground: Ground) -> Fix:
    """Replace a CPU build by the newest GPU build that fits."""
    undo = f"pip install {package.name}=={package.version}" if package.version else None
    if ground.jetson:
        text = (
            f"Install NVIDIA's build of {package.framework} for this JetPack ({_JETSON_GUIDE}): "
            "the builds on PyPI for ARM are made for servers."
        )
        return Fix(text, ("cat /etc/nv_tegra_release",), Safety.USER, undo)
    requirement = fitting_build(package, ground)
    if requirement is not None:
        name = _GPU_PACKAGES.get(package.framework, package.name)
        remove = () if name == package.name else (f"pip uninstall --yes {package.name}",)
        text = f"Install {package.framework} as a build for CUDA that fits this GPU and driver."
        return Fix(text, (*remove, f"pip install --upgrade {requirement}"), Safety.USER, undo)
    if package.framework == "TensorFlow" and ground.windows:
        text = (
            "Use TensorFlow inside WSL 2, where its GPU build installs; or, with Python 3.10 or "
            "older, go back to the last version that had GPU support on Windows."
        )
        return Fix(text, ('pip install "tensorflow<2.11"',), Safety.USER, undo)
    guide = f" ({_PYTORCH_GUIDE})" if package.framework == "PyTorch" else ""
    text = f"Install the build of {package.framework} for the CUDA of the driver{guide}."
    return Fix(text, (), Safety.USER, undo)


def fitting_build(package: Package, ground: Ground) -> str | None:
    """What to give to ``pip install``; None where the tables, or the facts, name no build."""
    capability, python = ground.capability, ground.python
    if ground.jetson:
        return None
    if capability is None or python is None or ground.platform is None:
        return None
    if ground.driver is None and ground.driver_cuda is None:
        return None
    if package.framework == "PyTorch":
        return _pytorch(capability, python, ground)
    if package.framework == "ONNX Runtime":
        return "onnxruntime-gpu"
    return _by_requirement(package.framework, capability, python, ground)


def _pytorch(capability: Version, python: Version, ground: Ground) -> str | None:
    from ...knowledge.pytorch_advice import Install, advise

    found = advise(
        capability,
        python=python,
        driver=ground.driver,
        driver_cuda_version=ground.driver_cuda,
        platform=ground.platform or "linux_x86_64",
    )
    if not isinstance(found, Install):
        return None
    index = f" --index-url {PYTORCH_INDEX}/{found.index_path}" if found.index_path else ""
    return f'"{found.requirement}"{index}'


def _by_requirement(
    framework: str, capability: Version, python: Version, ground: Ground
) -> str | None:
    """The advice of the tables that end in one requirement."""
    from ...knowledge import cupy, jax, tensorflow

    driver, driver_cuda = ground.driver, ground.driver_cuda
    found: object = None
    if framework == "TensorFlow":
        found = tensorflow.advise(
            capability,
            python=python,
            driver=driver,
            driver_cuda_version=driver_cuda,
            platform=ground.platform or "linux_x86_64",
        )
    elif framework == "JAX" and not ground.windows:
        found = jax.advise(
            capability, python=python, driver=driver, driver_cuda_version=driver_cuda
        )
    elif framework == "CuPy":
        found = cupy.advise(
            capability,
            python=python,
            driver=driver,
            driver_cuda_version=driver_cuda,
            system="windows" if ground.windows else "linux",
        )
    if isinstance(found, tensorflow.Install | jax.Install | cupy.Install):
        return f'"{found.requirement}"'
    return None


def other_build(package: Package, ground: Ground) -> str:
    """A sentence that offers the newest build for the driver as it is; empty without one."""
    requirement = fitting_build(package, ground)
    if requirement is None:
        return ""
    return f" Or keep the driver: `pip install {requirement}` installs a build that it serves."


def older_build(package: Package, ground: Ground, last: LastBranch) -> Fix:
    """For a card that no newer driver serves."""
    requirement = fitting_build(package, ground)
    built = "an older CUDA" if ground.driver_cuda is None else f"CUDA {ground.driver_cuda}"
    return Fix(
        f"Install a build of {package.name} for {built} or older. A newer driver is no way out: "
        f"{last.branch} is the last branch that serves this GPU ({last.architecture}).",
        () if requirement is None else (f"pip install {requirement}",),
        Safety.USER,
    )
