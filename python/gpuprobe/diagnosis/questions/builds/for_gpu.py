"""Has an installed package code for a GPU? By the list it prints, or by the tables.

The table of a framework is imported for who has its packages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.version import Version
from ....knowledge import architecture as arch
from ....knowledge.architecture import Coverage, Kernels
from ....knowledge.tables import Unstated, release_number
from ..place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ....facts.model import Facts
    from ....knowledge.pytorch import Platform

_MOST_MINORS = 10
#: Whose list is of machine code alone, as cuobjdump shows it: there may be PTX for newer GPUs.
_LISTS_NO_PTX = ("detectron2",)
#: Of CUDA.jl (its NEWS.md, #892 and #1931): before, the driver compiled for the GPU that is there;
#: since, ptxas is told to, whatever the Julia's LLVM knows.
_CUDA_JL_BY_LIST, _CUDA_JL_BY_GPU = Version("3.3"), Version("4.3.1")


def kernels_for(facts: Facts, package: str, capability: Version) -> Kernels | None:
    """Whether `package`, as installed, has code for GPUs of `capability`; None: not known.

    Where no table lists the package, its CUDA decides: no toolkit makes code for architectures
    that it does not know. That says nothing of PTX, so a "no" of that kind is not verified.
    """
    if facts.known(names.PACKAGE_BUILD(package)) in ("cpu", "rocm", "xpu", "directml"):
        return None
    version = facts.known(names.PACKAGE_VERSION(package)) or ""
    cuda = facts.known(names.PACKAGE_CUDA(package))
    printed = facts.known(said.FRAMEWORK_ARCHITECTURES(package))
    if printed:
        return _printed(package, version, printed, cuda, capability)
    listed = _listed(facts, package, version, cuda, capability)
    if listed is not None:
        return listed
    return None if cuda is None else _by_toolkit(package, version, cuda, capability)


def _printed(
    package: str, version: str, printed: tuple[str, ...], cuda: Version | None, capability: Version
) -> Kernels | None:
    targets = [target for text in printed for target in arch.parse_target(text)]
    if not targets:
        return None
    title = f"{package} {version}".strip()
    whole = package not in _LISTS_NO_PTX and (package != "cuda-jl" or _follows_list(version))
    source, cuda = "the list that it prints", cuda or Version.of(0)
    return arch.kernels(title, printed, cuda, capability, verified=whole, source=source)


def _follows_list(version: str) -> bool:
    """Whether a CUDA.jl makes code for what it lists, and for no GPU of a later major."""
    release = release_number(version)
    return release is not None and _CUDA_JL_BY_LIST <= release < _CUDA_JL_BY_GPU


def may_lack_code(facts: Facts) -> bool:
    """Whether CUDA.jl, of a release that may need it, lists no code for a GPU that it sees."""
    from ..gpus.known import gpus

    release = release_number(facts.known(names.PACKAGE_VERSION("cuda-jl")) or "")
    if release is not None and release >= _CUDA_JL_BY_GPU:
        return False
    if not facts.known(said.FRAMEWORK_ARCHITECTURES("cuda-jl")):
        return False
    found = (kernels_for(facts, "cuda-jl", gpu.capability) for gpu in gpus(facts))
    return any(each is not None and each.coverage is Coverage.NO for each in found)


def _listed(
    facts: Facts, package: str, version: str, cuda: Version | None, capability: Version
) -> Kernels | None:
    if package == "torch":
        return _torch(facts, version, cuda, capability)
    if package in ("tensorflow", "tensorflow-gpu"):
        return _tensorflow(version, capability)
    if package.startswith("jax"):
        return _jax(version, cuda, capability)
    floor = _floor(package, version, cuda, wsl=facts.known(names.WSL_VERSION) is not None)
    if floor is not None and capability < floor:
        reason = f"{package} {version} serves capability {floor} and newer"
        return Kernels(
            Coverage.NO, (f"sm_{floor.major}{floor.minor}",), None, reason, True, "table"
        )
    return None


def _torch(facts: Facts, version: str, cuda: Version | None, capability: Version) -> Kernels | None:
    from ....knowledge import pytorch

    platform = _platform(facts)
    build = pytorch.build(version, platform, cuda) if _is_of_pytorch(facts, version) else None
    if not isinstance(build, pytorch.Build):
        return None
    found = pytorch.kernels(build, capability, platform)
    # Without tag and CUDA it is what plain pip installs, which need not be what is there.
    guessed = cuda is None and "+" not in version
    return _unless_unstated(found, guessed=guessed)


def _tensorflow(version: str, capability: Version) -> Kernels | None:
    """Of the builds of TensorFlow; those for NVIDIA's boards are NVIDIA's, of the same release."""
    from ....knowledge import tensorflow

    found = None if arch.is_tegra(capability) else tensorflow.kernels(version, capability)
    return found if isinstance(found, Kernels) else None


#: Until then PyTorch's wheels on PyPI did not name their CUDA.
_FIRST_WITH_TAG = Version("1.8")


def _is_of_pytorch(facts: Facts, version: str) -> bool:
    """Whether a torch is a wheel, or a package of the conda channel, of PyTorch itself.

    conda-forge, distributions, NVIDIA and whoever compiles it choose other architectures.
    """
    own = facts.known(names.PACKAGE_OWN_VERSION("torch"))
    if own is None or "+cu" in own:
        return True
    recorded = facts.known(names.PACKAGE_CONDA("torch"))
    if recorded is not None:  # 2.1.0 py3.11_cuda12.1_cudnn8.9.2_0
        return recorded.partition(" ")[2].startswith("py")
    release = release_number(version)
    return release is not None and release < _FIRST_WITH_TAG


def dropped_on_linux(facts: Facts, capability: Version) -> bool:
    """Whether the table lists torch's build for Linux alone, and that without code for a GPU.

    The build for Windows may have some all the same; that its toolkit could make it tells nothing.
    """
    from ....knowledge import pytorch

    platform, cuda = _platform(facts), facts.known(names.PACKAGE_CUDA("torch"))
    version = facts.known(names.PACKAGE_VERSION("torch")) or ""
    build = pytorch.build(version, platform, cuda)
    if not isinstance(build, pytorch.Build):
        return False
    here = pytorch.kernels(build, capability, platform)
    linux = pytorch.kernels(build, capability)
    return isinstance(here, Unstated) and _lacks(linux)


def _lacks(found: Kernels | Unstated) -> bool:
    return isinstance(found, Kernels) and found.coverage is Coverage.NO


def _unless_unstated(found: Kernels | Unstated, *, guessed: bool) -> Kernels | None:
    if isinstance(found, Unstated):
        return None
    return replace(found, verified=found.verified and not guessed)


def _platform(facts: Facts) -> Platform:
    place = place_of(facts)
    if place.system == "Windows":
        return "windows"
    arm = place.tegra or facts.known(names.OS_MACHINE) == "aarch64"
    return "linux_aarch64" if arm else "linux_x86_64"


def _jax(version: str, cuda: Version | None, capability: Version) -> Kernels | None:
    """Of several builds of a release, that for the CUDA in use, else only what all agree on."""
    from ....knowledge import jax

    wheels = jax.wheels(version)
    if cuda is not None:
        wheels = tuple(wheel for wheel in wheels if wheel.cuda_major == cuda.major)
    found = [jax.kernels(wheel, capability) for wheel in wheels]
    judged = [each for each in found if isinstance(each, Kernels)]
    if len(judged) != len(found) or len({each.coverage for each in judged}) != 1:
        return None
    return judged[0]


def _floor(package: str, version: str, cuda: Version | None, *, wsl: bool) -> Version | None:
    from ....knowledge import companions, cupy, onnxruntime

    if companions.is_rapids(package):
        major = None if cuda is None else cuda.major
        floor = companions.rapids_floor(version, major, wsl=wsl)
        return floor.capability if isinstance(floor, companions.Floor) else None
    if package.startswith("cupy-cuda"):
        found = cupy.package(package)
        return None if found is None else found.minimum_capability
    if package == "onnxruntime-gpu":
        build = onnxruntime.build(version)
        return build.minimum_capability if isinstance(build, onnxruntime.Build) else None
    return None


def _by_toolkit(package: str, version: str, cuda: Version, capability: Version) -> Kernels | None:
    capabilities = targets_of(cuda)
    if not capabilities:
        return None
    compiled = tuple(f"sm_{each.major}{each.minor}" for each in capabilities)
    title = f"{package} {version}".strip() + f", built with CUDA {cuda},"
    return arch.kernels(
        title, compiled, cuda, capability, verified=False, source="table architectures/toolkits"
    )


def targets_of(cuda: Version) -> tuple[Version, ...]:
    """What a toolkit compiles for; of a bare major what any of its minors does."""
    minors: Iterable[int] = range(_MOST_MINORS) if len(cuda.parts) == 1 else (cuda.minor,)
    found = (arch.toolkit_targets(Version.of(cuda.major, minor)) for minor in minors)
    return tuple(sorted({each for row in found if row is not None for each in row.capabilities}))
