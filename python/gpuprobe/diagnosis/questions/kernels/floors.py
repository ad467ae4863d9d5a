"""Programs that serve GPUs from a capability on, or that name the one that they do not serve."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..cudnn.releases import pip_releases
from ..driver.ptx import all_old
from ..statements import errors, no_gpu_seen, seen_anyway, statements, value, value_words
from .no_code import NEW, NO_CODE, OLD, KernelFault, side_of
from .of_extension import named_by_its_file

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys
    from ..gpus.known import Gpu


def below_floor(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The first program that a GPU is below, by a type of numbers, its number or the tables."""
    steps = (
        *(_without_bfloat16, _without_float16, _without_half_products, _by_its_number),
        *(_below_feature, _below_code, _without_ptx, _below_mumax, _below_cudnn),
        *(_below_ollama, _below_vllm, _below_attention),
        *(_below_xla, _below_jax, _below_image, _below_told, _above_told, _not_served_told),
    )
    return next((found for step in steps if (found := step(facts, present)) is not None), None)


#: How cuBLAS' calls name bfloat16, and how programs name kernels of it: cast_f32_bf16.
_BFLOAT16 = regex(r"CUDA_R_16BF|bfloat16", re.IGNORECASE)
_BFLOAT16_KERNEL = regex(r"(?ai)(?<![a-z0-9])bf(?:loat)?16(?![a-z0-9])")


def bfloat16_refused(facts: Facts) -> tuple[Key[str], ...]:
    """The errors of cuBLAS about a product in bfloat16, else of CUDA about a kernel for it."""
    codes = errors(facts, "CUBLAS_STATUS_NOT_SUPPORTED", "CUBLAS_STATUS_ARCH_MISMATCH")
    missed = errors(facts, "CUDA_ERROR_NOT_FOUND")
    product = any(_BFLOAT16.search(facts.known(key) or "") for key in codes)
    kernel = any(_BFLOAT16_KERNEL.search(facts.known(key) or "") for key in missed)
    return codes if product else missed if kernel else ()


def _without_bfloat16(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """GPUs before Ampere do not compute in it."""
    from ....knowledge.architecture import first_with

    codes = bfloat16_refused(facts)
    old = [gpu for gpu in present if gpu.capability < first_with("bfloat16")]
    if not codes or (present and not old):
        return None
    which = f"{old[0].title} ({old[0].capability})" if old else "The GPU"
    title = f"{which} has no bfloat16, in which the program wants to compute"
    keys = (*codes, *(gpu.key for gpu in old[:1]))
    sure = Confidence.LIKELY if old else Confidence.POSSIBLE
    return KernelFault(OLD, title, keys, old[0] if old else None, None, sure)


def _without_float16(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """CTranslate2 computes in half precision where that is fast, and on no CPU."""
    asked = statements(facts, "ctranslate2-no-float16")
    least = served_from("ctranslate2", "float16") if asked else None
    old = [gpu for gpu in present if least is not None and gpu.capability < least]
    if not old:
        return None
    title = f"{old[0].title} ({old[0].capability}) is not fast in {facts.known(asked[0])}"
    keys = (*asked, old[0].key)
    return KernelFault(OLD, title, keys, old[0], None, Confidence.LIKELY)


#: llama.cpp's file, or the type itself, where cuBLAS refuses a product.
_HALF = regex(r"(?i)\bggml-cuda(?:\.cu|[\\/])|CUDA_R_16F\b|COMPUTE_16F\b|cublasHgemm")


def _without_half_products(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """CuBLAS multiplies in half precision from capability 5.3 on, and llama.cpp asks for that."""
    from ....knowledge.architecture import first_with

    codes = errors(facts, "CUBLAS_STATUS_NOT_SUPPORTED", "CUBLAS_STATUS_ARCH_MISMATCH")
    old = [gpu for gpu in present if gpu.capability < first_with("float16")]
    if not old or not any(_HALF.search(facts.known(key) or "") for key in codes):
        return None
    title = f"{old[0].title} ({old[0].capability}) does not multiply in half precision in cuBLAS"
    keys = (*codes, old[0].key)
    return KernelFault(OLD, title, keys, old[0], None, Confidence.LIKELY)


def _below_feature(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Triton compiles for the GPU that is there, and what it made needs a later one."""
    made = statements(facts, "triton-feature-newer-gpu")
    target = value(facts, "triton-feature-newer-gpu")
    if not made or any(not is_below(gpu.capability, dotted(target)) for gpu in present):
        return None
    title = f"The program computes in what GPUs have from capability {dotted(target)} on"
    keys = (*made, *(gpu.key for gpu in present[:1]))
    return KernelFault(OLD, title, keys, next(iter(present), None), None, Confidence.LIKELY)


def _below_code(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """What is compiled for the GPU that is there holds what only later ones have.

    Of a later GPU it tells nothing: then it is compiled for others as well.
    """
    target = value(facts, "ptxas-feature-newer-gpu")
    old = [gpu for gpu in present if target and is_below(gpu.capability, dotted(target))]
    if not old or len(old) < len(present):
        return None
    title = f"{old[0].title} has capability {old[0].capability}; what is compiled takes "
    title += f"{dotted(target)} or later"
    keys = (*statements(facts, "ptxas-feature-newer-gpu"), old[0].key)
    return KernelFault(OLD, title, keys, old[0], None, Confidence.LIKELY)


def _below_cudnn(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """A cuDNN that was put in the place of torch's own, and that dropped the GPU."""
    from ....knowledge.cudnn import Package, capability_floor

    failing, pip = statements(facts, "torch-cudnn-not-found-engine"), pip_releases(facts)
    if not failing or not present or len(pip) != 1:
        return None
    ((key, release),) = pip.items()
    floor = capability_floor(release)
    if not isinstance(floor, Package):
        return None
    old = [gpu for gpu in present if gpu.capability < floor.minimum_capability]
    if not old:
        return None
    title = f"cuDNN {release} serves capability {floor.minimum_capability} and newer"
    title += f"; {old[0].title} has {old[0].capability}"
    keys = (*failing, key, old[0].key)
    return KernelFault(OLD, title, keys, old[0], None, Confidence.LIKELY)


def _without_ptx(facts: Facts, _: tuple[Gpu, ...]) -> KernelFault | None:
    """CuDF has no PTX for the GPU, whose capability it names: below what any release serves.

    For a later one its files are gone, whatever the GPU is.
    """
    from ....knowledge.companions import lowest_rapids_floor

    told = value(facts, "cudf-without-ptx")
    least = lowest_rapids_floor() if told else None
    if least is None or not is_below(Version(dotted(told)), str(least)):
        return None
    title = f"cuDF has no code for GPUs of compute capability {dotted(told)}; {least} is the least"
    keys = statements(facts, "cudf-without-ptx")
    return KernelFault(OLD, title, keys, None, None, Confidence.LIKELY)


def _below_mumax(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """It has PTX, which serves every later GPU; of old ones each of its builds drops some."""
    made = statements(facts, "mumax-no-code")
    if not made or not all_old(facts):
        return None
    gpu = present[0]
    title = f"mumax3 has no code for {gpu.title}, whose capability is {gpu.capability}"
    return KernelFault(OLD, title, (*made, gpu.key), gpu, None, Confidence.LIKELY)


def _below_told(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Somebody names the least that a program asks for, and has a GPU below it."""
    least = value(facts, "told-minimum-capability")
    old = [gpu for gpu in present if least and is_below(gpu.capability, least)]
    if not old or len(old) < len(present) or seen_anyway(facts):
        return None
    title = f"{old[0].title} has compute capability {old[0].capability}, and {least} is the least"
    keys = (*statements(facts, "told-minimum-capability"), old[0].key)
    return KernelFault(OLD, title, keys, old[0], None, Confidence.LIKELY)


def _above_told(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Somebody names the highest that a build serves, and has a GPU of a later major."""
    highest = value(facts, "told-highest-capability")
    last = Version.parse(dotted(highest.removeprefix("sm_")))
    later = [gpu for gpu in present if last and gpu.capability.major > last.major]
    if not later or len(later) < len(present) or seen_anyway(facts):
        return None
    title = f"{later[0].title} has compute capability {later[0].capability}; {highest} is the last "
    title += "that the build serves, as the text says"
    keys = (*statements(facts, "told-highest-capability"), later[0].key)
    return KernelFault(NEW, title, keys, later[0], None, Confidence.LIKELY)


def _not_served_told(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Somebody says that a program does not serve the capability of the GPU that is there."""
    capability = Version.parse(value(facts, "told-capability-not-served"))
    unserved = [gpu for gpu in present if gpu.capability == capability]
    if not unserved or seen_anyway(facts) or errors(facts, *NO_CODE):
        return None
    title = f"A program does not serve {unserved[0].title}, whose capability is {capability}"
    keys = (*statements(facts, "told-capability-not-served"), unserved[0].key)
    side = side_of(unserved[0].capability, None)
    return KernelFault(side, title, keys, unserved[0], None, Confidence.LIKELY)


def _below_ollama(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """It takes the CPU without a word for a GPU that is older than what it serves."""
    if not facts.known(said.ABOUT("ollama")) or facts.known(said.FRAMEWORK_COMPUTED("ollama")):
        return None
    return _below("ollama", "Ollama", present, ()) or _beside_older(facts, present)


def _beside_older(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Releases of Ollama used none of several GPUs where one of them was too old for it."""
    computed = said.FRAMEWORK_COMPUTED("ollama")
    idle = (computed,) if facts.known(computed) is False else statements(facts, "told-idle")
    least = served_from("ollama")
    old = [gpu for gpu in present if least is not None and gpu.capability < least]
    if not idle or not old:
        return None
    title = f"{old[0].title} has capability {old[0].capability}, Ollama serves {least} and newer: "
    title += "beside it some releases leave every GPU alone"
    keys = (old[0].key, *idle)
    return KernelFault(OLD, title, keys, old[0], None, Confidence.POSSIBLE)


def _below_vllm(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Its own kernels begin with later GPUs than those of the torch beside it."""
    codes, key = errors(facts, *NO_CODE), names.PACKAGE_VERSION("vllm")
    if not codes or facts.known(key) is None:
        return None
    return _below("vllm", "vLLM", present, (*codes, key))


#: Packages as their files name them, and what the table and people call them.
_ATTENTION = (
    ("flash-attention", "flash-attention", "FlashAttention"),
    ("flash-attn", "flash-attention", "FlashAttention"),
    ("flashinfer", "flashinfer", "FlashInfer"),
)


def _below_attention(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """A message without code names a file of a package that does not serve the GPU at all."""
    file = named_by_its_file(facts).lower().replace("_", "-")
    for begin, program, name in _ATTENTION:
        if file.startswith(begin):
            fault = _below(program, name, present, errors(facts, *NO_CODE))
            return fault and fault._replace(package=program)
    return None


def _below_xla(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """It takes no device that is older; of one that it could not open it tells why besides."""
    unserved = statements(facts, "xla-serves-no-device")
    if not unserved or errors(facts, "CUDA_ERROR_OUT_OF_MEMORY"):
        return None
    return _below("xla", "XLA", present, unserved)


def _below_jax(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The CPU, which it takes where XLA leaves every device out."""
    told = statements(facts, "jax-fell-back-to-cpu", "jax-without-gpu-told")
    took = (*told, *no_gpu_seen(facts, "jax"))
    return _below("xla", "XLA", present, took) if took else None


#: One of NVIDIA's own images, and its release; not the clients', nor those for boards or the CPU.
_OF_NVIDIA = regex(
    r"(?a)\bnvcr\.io/nvidia/(\w{1,40}):(\d\d\.\d\d)(?!\d|\S{0,20}-(?:sdk|igpu|cpu-only))"
)


def _below_image(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """NVIDIA's image of a release was made for later GPUs than any that is there."""
    from ....knowledge.companions import Floor, image_floor

    image = _OF_NVIDIA.search(facts.known(said.CONTAINER_IMAGE) or "")
    floor = image_floor(image[1], image[2]) if image else None
    if image is None or not isinstance(floor, Floor) or not present or seen_anyway(facts):
        return None
    if facts.known(said.CONTAINER_GPUS) is False or facts.known(names.TEGRA_MODEL) is not None:
        return None
    if any(gpu.capability >= floor.capability for gpu in present):
        return None
    gpu = present[0]
    title = f"{gpu.title} has capability {gpu.capability}; the image {image[1]} {image[2]} serves"
    title += f" {floor.capability} and newer"
    keys = (said.CONTAINER_IMAGE, gpu.key)
    return KernelFault(OLD, title, keys, gpu, None, Confidence.LIKELY)


def _below(program: str, name: str, present: tuple[Gpu, ...], keys: Keys) -> KernelFault | None:
    """The program called `name` serves none of the GPUs."""
    least = served_from(program)
    if least is None or not present or any(gpu.capability >= least for gpu in present):
        return None
    gpu = present[0]
    title = f"{gpu.title} has capability {gpu.capability}; {name} serves {least} and newer"
    return KernelFault(OLD, title, (*keys, gpu.key), gpu, None, Confidence.LIKELY)


def served_from(program: str, compute_type: str | None = None) -> Version | None:
    """The smallest capability that the table gives a program, or a type that it computes in."""
    from ....knowledge.companions import Floor, program_floor

    floor = program_floor(program, compute_type)
    return floor.capability if isinstance(floor, Floor) else None


def dotted(target: str) -> str:
    """``8.9`` of ``89``, ``12.0`` of ``120``; what has no two digits stays."""
    return f"{target[:-1]}.{target[-1:]}" if len(target) > 1 else target


def is_below(capability: Version, minimum: str) -> bool:
    """Whether a capability is smaller than what a program told."""
    least = Version.parse(minimum)
    return least is not None and capability < least


#: Programs without code for a GPU that name its capability: statement, program.
_NUMBERED = (
    ("blender-no-kernel", "Blender"),
    ("gromacs-gpu-incompatible", "GROMACS"),
    ("tensorrt-sm-unsupported", "This release of TensorRT"),
)
#: A byte each for both numbers of a capability, in base 16: "809", "c00".
_OF_BYTES = regex(r"(?i)([0-9a-f]{1,2})(0[0-9a-f])")


def _numbered(facts: Facts, sign: str) -> Version | None:
    """``8.9``, or as TensorRT writes it, ``809``."""
    told = value(facts, sign)
    if sign != "tensorrt-sm-unsupported":
        return Version.parse(told)
    number = _OF_BYTES.fullmatch(told)
    return None if number is None else Version.of(int(number[1], 16), int(number[2], 16))


def _newer_than_built(facts: Facts, capability: Version | None) -> bool:
    """A program takes one GPU, and was told to use this one, for which it came too early."""
    if capability is None or not statements(facts, "gromacs-gpu-refused"):
        return False
    return side_of(capability, None) == NEW


def _by_its_number(facts: Facts, _: tuple[Gpu, ...]) -> KernelFault | None:
    """They name the GPU's capability; the tables tell whether toolkits still know that.

    Some name that which they were compiled for before it.
    """
    for sign, program in _NUMBERED:
        capability = _numbered(facts, sign)
        refused = _newer_than_built(facts, capability)
        if capability is not None and (refused or not facts.known(names.CUDA_COUNT)):
            title = f"{program} has no code for GPUs of compute capability {capability}"
            side = side_of(capability, None)
            return KernelFault(side, title, statements(facts, sign), None, None, Confidence.LIKELY)
    for sign, program in _COMPARED:
        match [_capability(word) for word in value_words(facts, sign)]:
            case [Version() as compiled, Version() as present] if compiled != present:
                title = f"{program} was compiled for capability {compiled}, the GPU has {present}"
                side = NEW if compiled < present else OLD
                keys = statements(facts, sign)
                return KernelFault(side, title, keys, None, None, Confidence.LIKELY)
    return _of_kokkos(facts)


#: Programs that name what they were compiled for before the GPU's capability.
_COMPARED = (
    ("kokkos-gpu-other-architecture", "Kokkos"),
    ("program-gpu-other-architecture", "The program"),
)


def _capability(word: str) -> Version | None:
    """``8.6``, or ``86`` without the point."""
    return Version.parse(word if "." in word else dotted(word))


def _of_kokkos(facts: Facts) -> KernelFault | None:
    """Its first kernel does not run, and Kokkos tells no capability.

    The driver takes code for an older GPU of the same kind, or compiles it; for a later one none.
    """
    made = statements(facts, "kokkos-gpu-other-architecture")
    if not made:
        return _without_code(facts)
    title = "Kokkos was compiled for a later GPU than this, as it supposes itself"
    return KernelFault(OLD, title, made, None, None, Confidence.POSSIBLE)


def _without_code(facts: Facts) -> KernelFault | None:
    """Kokkos found no code for the GPU, and so CUDA fails; it warns as well where it is slow."""
    told, failed = statements(facts, "kokkos-compiled-for-none"), errors(facts, *NO_CODE)
    present = Version.parse(value(facts, "kokkos-compiled-for-none"))
    if present is None or not failed:
        return None
    title = f"Kokkos was compiled without code for the GPU, which has capability {present}"
    side = side_of(present, None)
    return KernelFault(side, title, (*told, *failed), None, None, Confidence.LIKELY)
