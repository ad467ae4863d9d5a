"""A build without code for a GPU: the codes and words that say so, and which side is too old."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import said
from ...model import Confidence
from ..statements import seen_anyway, statements

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys
    from ....facts.version import Version
    from ..gpus.known import Gpu

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
    "CUSOLVER_STATUS_INTERNAL_ERROR",
    "CUSOLVER_STATUS_NOT_INITIALIZED",
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
    "program-gpu-other-architecture",
)
#: Statements that a GPU is below what a program or a part of it serves.
_BELOW = (
    "torch-capability-too-old",
    "rapids-gpu-too-old",
    "ollama-gpu-too-old",
    "torch-compile-gpu-too-old",
    "flash-attn-gpu-too-old",
    "part-gpu-too-old",
    "gpu-below-floor",
    "bfloat16-gpu-too-old",
    "xformers-gpu-too-old",
    "container-banner-gpu-too-old",
    "container-arch-refused",
    "blender-gpu-too-old",
    "numba-gpu-too-old",
    "torch-cudnn-gpu-too-old",
    "jax-gpu-too-old",
    "science-gpu-too-old",
    "deepspeed-gpu-too-old",
    "ggml-gpu-too-old",
    "triton-type-newer-gpu",
)
#: TensorFlow leaves a GPU out, and may take another one.
_LEFT_OUT = ("tf-gpu-ignored-capability",)


#: Whose statements these are, by how their names begin.
_SPEAKERS = {
    "torch": "PyTorch",
    "tf": "TensorFlow",
    "jax": "JAX",
    "xla": "XLA",
    "paddle": "Paddle",
    "rapids": "RAPIDS",
    "ollama": "Ollama",
    "xformers": "xFormers",
    "blender": "Blender",
    "deepspeed": "DeepSpeed",
    "numba": "Numba",
    "tensorrt": "TensorRT",
    "ggml": "ggml",
    "opencv": "OpenCV",
    "lammps": "LAMMPS",
    "amber": "Amber",
    "kokkos": "Kokkos",
    "flash": "FlashAttention",
}


def speaker(keys: Keys) -> str | None:
    """The program that says so, by the first of its statements."""
    signs = (key.name.removeprefix("sign.") for key in keys if key.name.startswith("sign."))
    return _SPEAKERS.get(next(signs, "").partition("-")[0])


class KernelFault(NamedTuple):
    """A build without code for a GPU; `package` None: the text does not name it."""

    cause: str
    title: str
    keys: Keys
    gpu: Gpu | None
    package: str | None
    confidence: Confidence = Confidence.CERTAIN
    partly: bool = False


def below(facts: Facts) -> tuple[Key[str], ...]:
    """What programs say of a GPU that is below what they serve."""
    return statements(facts, *(() if seen_anyway(facts) else _LEFT_OUT), *_BELOW)


def side_of(capability: Version, cuda: Version | None, compiled: tuple[Version, ...] = ()) -> str:
    """Too new where the toolkit, or all that was compiled, is older than the architecture."""
    from ....knowledge.architecture import architecture

    known = architecture(capability)
    first = None if known is None else known.first_toolkit
    if cuda is not None and len(cuda.parts) > 1 and first is not None and first > cuda:
        return NEW
    if compiled:
        return NEW if all(target < capability for target in compiled) else OLD
    return OLD if known is not None and known.last_toolkit is not None else NEW


def works_elsewhere(facts: Facts) -> tuple[Version, ...]:
    """The capabilities of other GPUs on which somebody says that the same program works."""
    from ....knowledge.products import by_name

    found = (by_name(name) for name in facts.known(said.GPUS_WORK_TOLD) or ())
    return tuple(each for match in found if match is not None for each in match.capabilities)


def side_of_others(facts: Facts, gpu: Gpu) -> str | None:
    """What works on older GPUs alone is too old for this one, and the other way round."""
    works = works_elsewhere(facts)
    if works and max(works) < gpu.capability:
        return NEW
    return OLD if works and min(works) > gpu.capability else None


#: A program that lacks code even for the first GPUs of a major is hardly so many majors behind.
_LONG = 3


def is_of_long_before(gpu: Gpu, cuda: Version | None) -> bool:
    """Whether the CUDA that is there came long after the first that compiled for such a GPU.

    What was compiled for an earlier capability of the same major runs on it as well.
    """
    from ....knowledge.architecture import architecture, capabilities

    own = gpu.capability
    served = (each for each in capabilities() if each.major == own.major and each <= own)
    firsts = [row.first_toolkit for row in map(architecture, served) if row and not row.tegra]
    known = [first for first in firsts if first is not None]
    return bool(known) and cuda is not None and cuda.major >= min(known).major + _LONG


def has_none_of_its_major(cuda: Version, gpu: Gpu) -> bool:
    """Whether the libraries of a CUDA have no code that the GPU runs, but for PTX.

    Its first CUDA is of a later major; or of the same one, as for Hopper and Blackwell, and this
    one compiled for no GPU of its kind: what is made for an earlier GPU of one major runs on it.
    """
    from ....knowledge.architecture import architecture, toolkit_targets

    known, own = architecture(gpu.capability), gpu.capability
    first = None if known is None else known.first_toolkit
    if first is None or cuda >= first:
        return False
    if cuda.major < first.major:
        return True
    targets = toolkit_targets(cuda)
    return targets is not None and all(
        each.major != own.major or each > own for each in targets.capabilities
    )


def is_newest_of(toolkit: Version | None, gpu: Gpu) -> bool:
    """Whether this toolkit compiles for no later GPU, so that its programs are for older ones."""
    from ....knowledge.architecture import architecture, capabilities

    if toolkit is None or toolkit.parts == (toolkit.major,):  # which of its minors, nobody says
        return False
    later = (architecture(each) for each in capabilities() if each > gpu.capability)
    firsts = [each.first_toolkit for each in later if each is not None and not each.tegra]
    return all(first is None or first > toolkit for first in firsts)
