"""Which installed build has no code for a GPU, by what it was compiled for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...model import Confidence
from ..gpus.known import Gpu, gpus, with_target
from ..packages.frameworks import spelt
from ..statements import errors, seen_anyway, statements
from .no_code import MAY_BE_NO_CODE, NO_CODE, NOT_COVERED, KernelFault, below, side_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key
    from ....facts.version import Version
    from ....knowledge.architecture import Kernels

#: Distributions without kernels of their own, or that follow the framework beside them.
_NO_KERNELS = ("nvidia-", "cuda-", "numpy", "triton", "torchvision", "torchaudio", "keras",
               "tensorrt", "numba", "jax", "torchtext", "torchdata")  # fmt: skip


def faults_by_build(facts: Facts, present: tuple[Gpu, ...]) -> tuple[KernelFault, ...]:
    """The installed builds that lack code for one of these GPUs."""
    return tuple(_by_build(facts, present)) if present and _packages(facts) else ()


def _packages(facts: Facts) -> tuple[str, ...]:
    families = (names.PACKAGE_VERSION, names.PACKAGE_CUDA, said.FRAMEWORK_ARCHITECTURES)
    subjects = (name for family in families for name in facts.subjects(family))
    found = (name for name in dict.fromkeys(subjects) if not _without_kernels(name))
    return tuple(found)


def _without_kernels(name: str) -> bool:
    has_own = name == "jaxlib" or (name.startswith("jax-cuda") and name.endswith("-plugin"))
    return name.startswith(_NO_KERNELS) and name != "cuda-jl" and not has_own


def _by_build(facts: Facts, present: tuple[Gpu, ...]) -> Iterator[KernelFault]:
    from ..builds.for_gpu import kernels_for

    failing = (
        *errors(facts, *NO_CODE, *MAY_BE_NO_CODE),
        *statements(facts, *NOT_COVERED),
        *below(facts),
    )
    for package in _packages(facts):
        if facts.known(said.FRAMEWORK_COMPUTED(package)):
            continue
        judged = [(gpu, kernels_for(facts, package, gpu.capability)) for gpu in present]
        lacking = [(gpu, found) for gpu, found in judged if _lacks(found)]
        if not lacking:
            continue
        gpu, found = lacking[0]
        if found is not None and _dropped(found, gpu) and _taken(facts, package):
            continue
        if found is None or not (found.verified or failing or _dropped(found, gpu)):
            continue  # PTX, which no list of toolkits shows, may serve a newer GPU
        others = [found for _, found in judged if not _lacks(found)]
        served = any(others) or bool(others and seen_anyway(facts))
        yield _fault(facts, package, gpu, found, failing, partly=served and not failing)


def _lacks(found: Kernels | None) -> bool:
    from ....knowledge.architecture import Coverage

    return found is not None and found.coverage is Coverage.NO


#: What TensorFlow says of cuDNN, which it asks for a GPU that it took.
_OF_CUDNN = ("cudnn-other-than-built", "tf-cudnn-handle", "tf-no-convolution-algorithm")


def _taken(facts: Facts, package: str) -> bool:
    """Whether it is TensorFlow on a GPU: those below its floor it leaves out before that.

    Of some names there are products of several capabilities, or the list is not the whole truth.
    """
    return package.startswith("tensorflow") and bool(statements(facts, *_OF_CUDNN))


def _dropped(found: Kernels, gpu: Gpu) -> bool:
    """Below everything that was compiled no PTX helps."""
    return all(target > gpu.capability for target in _capabilities(found))


def _capabilities(found: Kernels) -> tuple[Version, ...]:
    from ....knowledge.architecture import parse_target

    targets = (target for name in found.compiled for target in parse_target(name))
    return tuple(target.capability for target in targets)


def _fault(
    facts: Facts,
    package: str,
    gpu: Gpu,
    found: Kernels,
    failing: tuple[Key[str], ...],
    *,
    partly: bool,
) -> KernelFault:
    from ....knowledge.architecture import is_tegra

    cause = side_of(gpu.capability, facts.known(names.PACKAGE_CUDA(package)), _capabilities(found))
    keys = (
        gpu.key,
        names.PACKAGE_VERSION(package),
        names.PACKAGE_CUDA(package),
        said.FRAMEWORK_ARCHITECTURES(package),
        *failing,
    )
    version = facts.known(names.PACKAGE_VERSION(package)) or ""
    title = f"{f'{spelt(package)} {version}'.strip()} has no code for {with_target(gpu)}"
    title += f", only for {_span(found.compiled)}"
    if is_tegra(gpu.capability):
        title += ", which does not run on a Jetson"
    sure = found.verified or bool(failing)
    confidence = Confidence.CERTAIN if sure else Confidence.LIKELY
    return KernelFault(cause, title, keys, gpu, package, confidence, partly)


_FEW = 3


def _span(compiled: tuple[str, ...]) -> str:
    """What a build was compiled for, as short as a title has to be."""
    if len(compiled) > _FEW:
        return f"{compiled[0]} to {compiled[-1]}"
    return " ".join(compiled) or "newer GPUs"


def covered_by_torch(facts: Facts) -> bool:
    """Whether torch has native code for every GPU: then "no kernel image" is an extension's."""
    return torch_covers(facts, gpus(facts))


def torch_covers(facts: Facts, present: tuple[Gpu, ...]) -> bool:
    """Whether the installed torch has native code for each of these GPUs.

    Of a release before the table's nobody knows: its CUDA could make code for more than it has.
    """
    version = facts.known(names.PACKAGE_VERSION("torch"))
    if not present or version is None:
        return False
    from ....knowledge import pytorch
    from ....knowledge.architecture import Coverage
    from ..builds.for_gpu import dropped_on_linux, kernels_for

    release = pytorch.parse_version(version)
    if release is not None and release.release < pytorch.oldest_release():
        return False
    kinds = ((gpu.capability, *((gpu.least,) if gpu.least else ())) for gpu in present)
    asked = tuple(each for kind in kinds for each in kind)
    if any(dropped_on_linux(facts, each) for each in asked):
        return False
    found = (kernels_for(facts, "torch", each) for each in asked)
    return all(each is not None and each.coverage is Coverage.NATIVE for each in found)
