"""Programs that serve GPUs from a capability on, by the tables or by their own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..cudnn.releases import pip_releases
from ..driver.ptx import all_old
from ..statements import errors, no_gpu_seen, seen_anyway, statements, value
from .no_code import NEW, NO_CODE, OLD, KernelFault, side_of
from .numbered import by_its_number, dotted
from .of_extension import named_by_its_file

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys
    from ..gpus.known import Gpu


def below_floor(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The first program that a GPU is below, by a type of numbers, its number or the tables."""
    steps = (
        *(_without_bfloat16, _without_float16, _without_half_products, by_its_number),
        *(_below_feature, _below_code, _without_ptx, _below_mumax, _below_cudnn),
        *(_below_ollama, _below_vllm, _below_attention),
        *(_fails_below, _below_jax, _below_image, _below_told, _above_told, _not_served_told),
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
    told = value(facts, "cudf-without-ptx")
    if not told:
        return None
    from ....knowledge.companions import lowest_rapids_floor

    least = lowest_rapids_floor()
    if not is_below(Version(dotted(told)), str(least)):
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
    least = least if "." in least else dotted(least)
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


#: Programs that fail on a GPU below their floor without a word of it: statement, program, name.
_FAILING = (("xla-serves-no-device", "xla", "XLA"), ("cuquantum-failed", "cuquantum", "cuQuantum"))


def _fails_below(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Of a GPU that could not be opened for want of memory it is told besides."""
    if errors(facts, "CUDA_ERROR_OUT_OF_MEMORY"):
        return None
    for sign, program, name in _FAILING:
        if keys := statements(facts, sign):
            return _below(program, name, present, keys)
    return None


def _below_jax(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The CPU, which it takes where XLA leaves every device out."""
    told = statements(facts, "jax-fell-back-to-cpu", "jax-without-gpu-told", "jax-backend-failed")
    took = (*told, *no_gpu_seen(facts, "jax"))
    return _below("xla", "XLA", present, took) if took else None


#: One of NVIDIA's own images, and its release; not the clients', nor those for boards or the CPU.
_OF_NVIDIA = regex(
    r"(?a)\bnvcr\.io/nvidia/(\w{1,40}):(\d\d\.\d\d)(?!\d|\S{0,20}-(?:sdk|igpu|cpu-only))"
)


def _below_image(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """NVIDIA's image of a release was made for later GPUs than any that is there."""
    image = _OF_NVIDIA.search(facts.known(said.CONTAINER_IMAGE) or "")
    if image is None or not present or seen_anyway(facts):
        return None
    from ....knowledge.companions import Floor, image_floor

    floor = image_floor(image[1], image[2])
    if not isinstance(floor, Floor):
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


def is_below(capability: Version, minimum: str) -> bool:
    """Whether a capability is smaller than what a program told."""
    least = Version.parse(minimum)
    return least is not None and capability < least
