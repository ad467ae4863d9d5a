"""Which installed build has no code for a GPU, and whether the GPU is too old or too new for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...facts import names, said
from ..model import Confidence
from .gpus import Gpu, gpus
from .statements import errors, seen_anyway, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key
    from ...facts.version import Version
    from ...knowledge.architecture import Kernels

OLD, NEW = "gpu-too-old", "gpu-too-new"

#: Codes by which CUDA and its libraries say that a program has no code for this GPU.
NO_CODE = (
    "CUDA_ERROR_NO_BINARY_FOR_GPU",
    "cudaErrorNoKernelImageForDevice",
    "cudaErrorInvalidDeviceFunction",
    "cudaErrorInvalidSymbol",  # of a constant that is compiled in, and in no code that was loaded
    "CUDA_ERROR_INVALID_PTX",
    "CUDA_ERROR_INVALID_SOURCE",
    "CUDNN_STATUS_ARCH_MISMATCH",
    "CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH",
    "CUBLAS_STATUS_ARCH_MISMATCH",
    "CUSOLVER_STATUS_ARCH_MISMATCH",
    "CUSPARSE_STATUS_ARCH_MISMATCH",
    "CURAND_STATUS_ARCH_MISMATCH",
    "NVJPEG_STATUS_ARCH_MISMATCH",
)
#: Codes by which cuBLAS and cuDNN fail on a GPU that they do not know, and for other reasons too.
MAY_BE_NO_CODE = (
    "CUDNN_STATUS_MAPPING_ERROR",
    "CUDNN_STATUS_EXECUTION_FAILED",
    "CUDNN_STATUS_INTERNAL_ERROR",
    "CUDNN_STATUS_NOT_INITIALIZED",
    "CUBLAS_STATUS_EXECUTION_FAILED",
    "CUBLAS_STATUS_NOT_SUPPORTED",
    "CUBLAS_STATUS_INTERNAL_ERROR",
    "CUBLAS_STATUS_NOT_INITIALIZED",
)
#: Statements that a GPU has no code, without a word of which side is too old.
NOT_COVERED = (
    "torch-capability-not-covered",
    "torch-build-too-new-for-gpu",
    "xla-no-ptx-targets",
    "paddle-arch-mismatch",
    "tensorrt-gpu-not-served",
    "ggml-no-device-code",
    "opencv-not-for-gpu",
    "torch-no-kernels-for-gpu",
    "attention-unknown-gpu",
    "lammps-gpu-other-architecture",
    "amber-not-for-gpu",
    "kokkos-gpu-other-architecture",
)
#: Statements that a GPU is below what a program or a part of it serves.
_BELOW = (
    "torch-capability-too-old",
    "rapids-gpu-too-old",
    "ollama-gpu-too-old",
    "torch-compile-gpu-too-old",
    "flash-attn-gpu-too-old",
    "vllm-gpu-too-old",
    "bfloat16-gpu-too-old",
    "xformers-gpu-too-old",
    "container-banner-gpu-too-old",
    "container-arch-refused",
    "blender-gpu-too-old",
    "numba-gpu-too-old",
    "torch-cudnn-gpu-too-old",
    "jax-gpu-too-old",
    "science-gpu-too-old",
    "triton-type-newer-gpu",
)
#: TensorFlow leaves a GPU out, and may take another one.
_LEFT_OUT = ("tf-gpu-ignored-capability",)
#: Distributions without kernels of their own, or that follow the framework beside them.
_NO_KERNELS = ("nvidia-", "cuda-", "numpy", "triton", "torchvision", "torchaudio", "keras",
               "tensorrt", "numba", "jax", "torchtext", "torchdata")  # fmt: skip


class KernelFault(NamedTuple):
    """A build without code for a GPU; `package` None: the text does not name it."""

    cause: str
    title: str
    keys: tuple[Key[object], ...]
    gpu: Gpu | None
    package: str | None
    confidence: Confidence = Confidence.CERTAIN
    partly: bool = False


def below(facts: Facts) -> tuple[Key[str], ...]:
    """What programs say of a GPU that is below what they serve."""
    return statements(facts, *(() if seen_anyway(facts) else _LEFT_OUT), *_BELOW)


def kernel_faults(facts: Facts) -> tuple[KernelFault, ...]:
    """The builds without code for a GPU; where none can be named, what programs said of it."""
    from .kernel_words import told

    present = gpus(facts)
    found = tuple(_by_build(facts, present)) if present and _packages(facts) else ()
    if found:
        return found
    said_so = told(facts, present)
    return () if said_so is None else (said_so,)


def _packages(facts: Facts) -> tuple[str, ...]:
    families = (names.PACKAGE_VERSION, names.PACKAGE_CUDA, said.FRAMEWORK_ARCHITECTURES)
    subjects = (name for family in families for name in facts.subjects(family))
    found = (name for name in dict.fromkeys(subjects) if not _without_kernels(name))
    return tuple(found)


def _without_kernels(name: str) -> bool:
    has_own = name == "jaxlib" or (name.startswith("jax-cuda") and name.endswith("-plugin"))
    return name.startswith(_NO_KERNELS) and name != "cuda-jl" and not has_own


# -- by the build ------------------------------------------------------------------------------


def _by_build(facts: Facts, present: tuple[Gpu, ...]) -> Iterator[KernelFault]:
    from .builds_for_gpu import kernels_for

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
        if found is None or not (found.verified or failing or _dropped(found, gpu)):
            continue  # PTX, which no list of toolkits shows, may serve a newer GPU
        others = [found for _, found in judged if not _lacks(found)]
        served = any(others) or bool(others and seen_anyway(facts))
        yield _fault(facts, package, gpu, found, failing, partly=served and not failing)


def _lacks(found: Kernels | None) -> bool:
    from ...knowledge.architecture import Coverage

    return found is not None and found.coverage is Coverage.NO


def _dropped(found: Kernels, gpu: Gpu) -> bool:
    """Below everything that was compiled no PTX helps."""
    return all(target > gpu.capability for target in _capabilities(found))


def _capabilities(found: Kernels) -> tuple[Version, ...]:
    from ...knowledge.architecture import parse_target

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
    from ...knowledge.architecture import is_tegra

    cause = side_of(gpu.capability, facts.known(names.PACKAGE_CUDA(package)), _capabilities(found))
    keys = (
        gpu.key,
        names.PACKAGE_VERSION(package),
        names.PACKAGE_CUDA(package),
        said.FRAMEWORK_ARCHITECTURES(package),
        *failing,
    )
    version = facts.known(names.PACKAGE_VERSION(package)) or ""
    have = " ".join(found.compiled) or "newer GPUs"
    title = (
        f"{gpu.title} has compute capability {gpu.capability}; "
        f"{f'{package} {version}'.strip()} has code for {have}"
    )
    if is_tegra(gpu.capability):
        title += ", which does not run on a Jetson"
    sure = found.verified or bool(failing)
    confidence = Confidence.CERTAIN if sure else Confidence.LIKELY
    return KernelFault(cause, title, keys, gpu, package, confidence, partly)


def side_of(capability: Version, cuda: Version | None, compiled: tuple[Version, ...] = ()) -> str:
    """Too new where the toolkit, or all that was compiled, is older than the architecture."""
    from ...knowledge.architecture import architecture

    known = architecture(capability)
    first = None if known is None else known.first_toolkit
    if cuda is not None and len(cuda.parts) > 1 and first is not None and first > cuda:
        return NEW
    if compiled:
        return NEW if all(target < capability for target in compiled) else OLD
    return OLD if known is not None and known.last_toolkit is not None else NEW


def covered_by_torch(facts: Facts) -> bool:
    """Whether torch has native code for every GPU: then "no kernel image" is an extension's."""
    return torch_covers(facts, gpus(facts))


def torch_covers(facts: Facts, present: tuple[Gpu, ...]) -> bool:
    """Whether the installed torch has native code for each of these GPUs."""
    if not present or facts.known(names.PACKAGE_VERSION("torch")) is None:
        return False
    from ...knowledge.architecture import Coverage
    from .builds_for_gpu import dropped_on_linux, kernels_for

    kinds = ((gpu.capability, *((gpu.least,) if gpu.least else ())) for gpu in present)
    asked = tuple(each for kind in kinds for each in kind)
    if any(dropped_on_linux(facts, each) for each in asked):
        return False
    found = (kernels_for(facts, "torch", each) for each in asked)
    return all(each is not None and each.coverage is Coverage.NATIVE for each in found)
