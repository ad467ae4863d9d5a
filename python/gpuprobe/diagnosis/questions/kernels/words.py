"""What programs say of a GPU that they have no code for, where no build can be named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..driver.ptx import compiled_there
from ..gpus.known import Gpu, with_target
from ..statements import errors, seen_anyway, short, statements, value
from .builds import torch_covers
from .floors import below_floor, is_below
from .generations import (
    before_its_gpu,
    of_another_age,
    of_earlier_major,
    of_old_series,
    outdated,
    ptxas_before_gpu,
    slow_copy,
)
from .made_for import TARGET, made_for_others
from .no_code import (
    MAY_BE_NO_CODE,
    NEW,
    NO_CODE,
    NOT_COVERED,
    OLD,
    KernelFault,
    below,
    is_newest_of,
    is_of_long_before,
    side_of,
    side_of_others,
    speaker,
    works_elsewhere,
)
from .numbered import dotted
from .of_extension import names_itself
from .tensorflow_age import (
    by_cublas,
    by_image,
    by_run_time,
    by_told_release,
    linked_run_time,
    made_from_ptx,
)

if TYPE_CHECKING:
    from ....facts.model import Facts, Key


#: The GPU's capability, and the least that is served.
_TWO_NUMBERS = regex(r"\d+\.\d+ \d+\.\d+")
#: A capability without its point: that of the newest GPU is 121, that of ggml's oldest 500.
_TARGET, _OF_GGML = regex(r"[2-9]\d|\d{3,4}"), 500
#: What follows where the driver could not make code for the GPU out of PTX.
_PTX_FAILED = (
    "CUDA_ERROR_INVALID_HANDLE",
    "CUDA_ERROR_INVALID_PTX",
    "CUDA_ERROR_INVALID_IMAGE",
    "CUDA_ERROR_NO_BINARY_FOR_GPU",
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
    "CUDA_ERROR_NOT_FOUND",  # a kernel of a module that came out empty
)


def told(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The first that decides: a compiler, a program's own words, a code, a toolkit's age."""
    steps = (
        *(_refused_by_compiler, _made_for_older, _stated, _by_code, by_image, _by_toolkit),
        *(_by_age, of_old_series),
        *(
            outdated,
            ptxas_before_gpu,
            _by_nvrtc,
            below_floor,
            _by_refusal,
            slow_copy,
            _while_compiled,
        ),
        made_from_ptx,
        *(by_told_release, by_run_time, by_cublas, _by_samples, before_its_gpu, of_another_age),
        of_earlier_major,
    )
    return next((found for step in steps if (found := step(facts, present)) is not None), None)


def _refused_by_compiler(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    from ..toolkit.architectures import arch_unknown

    found = arch_unknown(facts)
    if found is None or found.cause is None:
        return None
    # Its own NVRTC refused, or its builder of extensions.
    of_torch = names.PACKAGE_CUDA("torch"), said.SIGN("torch-arch-unknown")
    package = "torch" if any(key in found.keys for key in of_torch) else None
    gpu = next((each for each in present if each.capability == found.capability), None)
    keys = found.keys if gpu is None else (*found.keys, gpu.key)
    return KernelFault(found.cause, found.title, keys, gpu, package, Confidence.LIKELY)


def _made_for_older(facts: Facts, _: tuple[Gpu, ...]) -> KernelFault | None:
    """The compiler knows the GPU by its number alone, or only code for an older one was made."""
    target = value(facts, "ptx-not-for-later-gpus")
    if target:
        title = f"The program's code is for {target} only, and the GPU is a later one"
        keys = statements(facts, "ptx-not-for-later-gpus")
        return KernelFault(NEW, title, keys, None, None, Confidence.LIKELY)
    return _unknown_to_xla(facts)


def _unknown_to_xla(facts: Facts) -> KernelFault | None:
    """XLA's ptxas is older than the GPU: the driver failed too, or TensorFlow's kernels are older.

    With one of the two alone it works, and begins late; nor are two warnings a fault of which
    nobody complains.
    """
    capability = value(facts, "xla-ptxas-older-than-gpu")
    failed: tuple[Key[str], ...] = errors(facts, *_PTX_FAILED)
    if "ptxas too old" in (facts.known(said.FAILURE) or ""):
        failed = (*failed, said.FAILURE)
    made = statements(facts, "xla-ptxas-older-than-gpu")
    if capability and failed:
        title = f"XLA's ptxas does not know capability {capability}, and the driver's failed"
        return KernelFault(NEW, title, (*made, *failed), None, None, Confidence.LIKELY)
    older = statements(facts, "tf-kernels-not-for-gpu")
    computed = facts.known(said.FRAMEWORK_COMPUTED("tensorflow"))
    works = computed or facts.known(said.PROGRESS) is not None
    complains = bool(statements(facts, "reporter-speaks", "chinese-reporter"))
    complains = complains or facts.known(said.FAILURE) is not None
    if not capability or not older or works or not complains:
        return None
    title = f"Neither TensorFlow's kernels nor its ptxas know GPUs of capability {capability}"
    return KernelFault(NEW, title, (*older, *made), None, None, Confidence.POSSIBLE)


def _by_nvrtc(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """It takes all GPUs of its time; that a newer toolkit drops an old one is the rarer case."""
    made = statements(facts, "nvrtc-arch-unknown")
    listed = facts.known(said.LIBRARY_LISTED("nvrtc")) or ()
    if not made or present or len(listed) > 1:  # GP403: one of them may know it
        return None
    title = "NVRTC, which compiles at run time, is mostly older than the GPU that it does not know"
    return KernelFault(NEW, title, made, None, None, Confidence.POSSIBLE)


def _while_compiled(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """A program stands in the driver's compiler of PTX: it has no code for so new a GPU."""
    seen = statements(facts, "ptx-compiler-busy")
    slow = statements(facts, "told-slow-compiling")
    if slow and (from_ptx := statements(facts, "tf-kernels-not-for-gpu")):
        seen = (*from_ptx, *slow)
    if not seen or torch_covers(facts, present):
        return None
    gpu = next(iter(present), None)
    which = "the GPU" if gpu is None else gpu.title
    title = f"The driver compiles a program that came before {which}, for as long as it stands"
    keys = seen if gpu is None else (*seen, gpu.key)
    return KernelFault(NEW, title, keys, gpu, None, Confidence.POSSIBLE)


#: Statements that a GPU is too new: statement, package, title.
_TOO_NEW = (
    ("xformers-gpu-too-new", "xformers", "xFormers has no code for so new a GPU"),
    ("torch-needs-newer-cuda", "torch", "This GPU needs a torch that a later CUDA built"),
    ("attention-built-for-older", None, "An attention kernel was compiled for older GPUs alone"),
    ("acemd-gpu-too-new", "acemd", "ACEMD is older than the GPU, and has no code for it"),
    ("tensorrt-nvrtc-older", "tensorrt", "TensorRT's NVRTC is older than the GPU"),
    ("matlab-gpu-too-new", "matlab", "MATLAB has no code for so new a GPU"),
)


def _stated(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    gpu = min(present, key=lambda each: each.capability, default=None)
    for sign, package, title in _TOO_NEW:
        if made := statements(facts, sign):
            return KernelFault(NEW, title, made, gpu, package, Confidence.LIKELY)
    none_served = statements(facts, "container-banner-no-gpu-supported")
    too_new = statements(facts, "container-banner-gpu-too-new")
    if none_served and too_new and not seen_anyway(facts):
        title = f"The image is older than {facts.known(too_new[0])}, and serves no other GPU here"
        return KernelFault(NEW, title, (*too_new, *none_served), gpu, None, Confidence.POSSIBLE)
    if found := made_for_others(facts, gpu):
        return found
    less = () if statements(facts, "xformers-no-extensions") else below(facts)
    if facts.known(names.PACKAGE_BUILD("torch")) == "cpu":  # says the same without any GPU
        less = tuple(key for key in less if key != said.SIGN("bfloat16-gpu-too-old"))
    if statements(facts, "ollama-cudart-of-physx"):  # GP403: it misreads every GPU
        less = tuple(key for key in less if key != said.SIGN("ollama-gpu-too-old"))
    if less:
        told = _as_capability(facts.known(less[0]) or "")
        least = ", and the least is ".join(told.split()) if _TWO_NUMBERS.fullmatch(told) else told
        who = speaker(less) or "A program"
        title = f"{who} says that the GPU is below what it serves: {short(least)}"
        return KernelFault(OLD, title, less, gpu, None, Confidence.LIKELY)
    minimum = value(facts, "torch-minimum-capability")
    if gpu is not None and minimum and is_below(gpu.capability, minimum):
        title = f"{gpu.title} has compute capability {gpu.capability}, torch needs {minimum}"
        keys = (gpu.key, said.SIGN("torch-minimum-capability"))
        return KernelFault(OLD, title, keys, gpu, "torch")
    return _not_covered(facts, present)


def _as_capability(told: str) -> str:
    """``7.5`` of 75, ``10.0`` of 100 and ``7.0`` of ggml's 700; 9 and 12 are majors."""
    if not _TARGET.fullmatch(told):
        return told
    return f"{int(told) / 100:.1f}" if int(told) >= _OF_GGML else dotted(told)


def _not_covered(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """A program names no side; which GPU it is, or the capability that torch prints, tells."""
    uncovered = statements(facts, *NOT_COVERED)
    if errors(facts, *_PTX_FAILED):
        uncovered = (*uncovered, *statements(facts, "tf-kernels-not-for-gpu"))
    newest = max(present, key=lambda each: each.capability, default=None)
    if uncovered and newest is not None:
        who = speaker(uncovered) or "A program"
        title = f"{who} says that it has no code for {with_target(newest)}"
        side = side_of(newest.capability, None)
        return KernelFault(side, title, (*uncovered, newest.key), newest, None, Confidence.LIKELY)
    by_torch = value(facts, "torch-capability-not-covered")
    others = (value(facts, each) for each in ("xla-no-ptx-targets", "attention-unknown-gpu"))
    number = TARGET.fullmatch(by_torch or next(filter(None, others), ""))
    if number is None or not number[2].isdigit():
        return None
    capability = Version.of(int(number[1]), int(number[2]))
    who = "torch" if by_torch else "A compiler of kernels"
    title = f"{who} says that it has no code for GPUs of compute capability {capability}"
    return KernelFault(side_of(capability, None), title, uncovered, None, None, Confidence.LIKELY)


def _by_code(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """A code alone: the tables tell whether current toolkits still know the GPU."""
    codes = tuple(key for key in errors(facts, *NO_CODE) if not _of_own_code(facts, key))
    codes = (*codes, *_not_launched(facts))
    covered = torch_covers(facts, present) and not _of_onnxruntime(facts, codes)
    if not codes or not present or covered or names_itself(facts):
        return None
    if statements(facts, "ptx-version-unsupported"):
        return None  # the code is too new for its compiler, whatever the GPU is
    elsewhere = works_elsewhere(facts)
    present = tuple(gpu for gpu in present if gpu.capability not in elsewhere)
    sides = {side_of_others(facts, gpu) or _side(facts, gpu) for gpu in present}
    if len(sides) != 1:
        return None
    gpu = present[0]
    title = f"A program has no code for {with_target(gpu)}"
    keys = (*codes, gpu.key, said.GPUS_WORK_TOLD, said.LIBRARY_LOADED("cudart"))
    return KernelFault(sides.pop(), title, keys, gpu, None, Confidence.LIKELY)


#: From this CUDA on the run time has one name for all releases of a major.
_ONE_NAME = Version("11.0")


def _linked_before(facts: Facts, first: Version) -> tuple[Key[str], ...]:
    """The run time that the program was linked with, where it came before a GPU's first CUDA."""
    linked = linked_run_time(facts)
    return (linked[1],) if linked is not None and linked[0] < min(first, _ONE_NAME) else ()


def _side(facts: Facts, gpu: Gpu) -> str:
    """Too new where the driver's own CUDA is the first that knows it: programs are older."""
    from ....knowledge.architecture import architecture
    from ..driver.end import served_cuda

    known, serves = architecture(gpu.capability), served_cuda(facts)
    first = None if known is None else known.first_toolkit
    if first is not None and serves is not None and serves <= first:
        return NEW
    if first is not None and _linked_before(facts, first):
        return NEW
    # What somebody compiles is made with the toolkit that is there.
    toolkit = facts.known(names.TOOLKIT_VERSION)
    last = value(facts, "gencode-ends-with")
    compiled = (Version(dotted(last)),) if last else ()
    if not compiled and is_of_long_before(gpu, max(filter(None, (serves, toolkit)), default=None)):
        return OLD
    return NEW if is_newest_of(toolkit, gpu) else side_of(gpu.capability, toolkit, compiled)


#: How ONNX Runtime begins its messages: its kernels are its own, whatever torch covers beside it.
_ONNXRUNTIME = "[ONNXRuntimeError]"


def _of_onnxruntime(facts: Facts, codes: tuple[Key[str], ...]) -> bool:
    return any(_ONNXRUNTIME in (facts.known(key) or "") for key in codes)


def _not_launched(facts: Facts) -> tuple[Key[str], ...]:
    """A kernel that is compiled in, and of which no code was loaded for the GPU."""
    unfound = errors(facts, "CUDA_ERROR_NOT_FOUND")
    return tuple(key for key in unfound if "cudaLaunchKernel" in (facts.known(key) or ""))


#: How miners begin what they report: nobody wrote their code himself.
_OF_MINER = "CUDA error in func "
#: In somebody's own code a name or an address in place of the symbol fails in the same words. Who
#: shows no arguments, "cudaGetSymbolAddress(...) failed", is a library with that in its message.
_OWN_CODE = regex(r"\bcuda(?:Memcpy(?:To|From)|Get)Symbol\w{0,12}\((?!\.{3}\))")


def _of_own_code(facts: Facts, key: Key[str]) -> bool:
    """Whether what failed was compiled by whom it fails for, or by the program where it runs."""
    shown = facts.known(key) or ""
    if _OF_MINER.lower() in shown.lower():
        return False
    return compiled_there(facts, key) or _OWN_CODE.search(shown) is not None


#: How PyTorch before 1.5 reported what its library THC met.
_OLD_TORCH = regex(r"cuda runtime error \(\d+\)|THCudaCheck FAIL")


def _by_age(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """PyTorch of that age brought PTX for newer GPUs, so that only older ones are without code."""
    codes = [key for key in errors(facts, *NO_CODE) if _OLD_TORCH.search(facts.known(key) or "")]
    if not codes or present or facts.subjects(names.GPU_NAME):
        return None
    title = "PyTorch before 1.5, which brings PTX for newer GPUs, has no code for this one"
    return KernelFault(OLD, title, tuple(codes), None, "torch", Confidence.POSSIBLE)


def _by_toolkit(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """CuBLAS or cuDNN of a CUDA that is older than the GPU's architecture."""
    from ....knowledge.architecture import architecture

    codes = (*errors(facts, *MAY_BE_NO_CODE), *statements(facts, "faiss-cublas-failed"))
    toolkit = facts.known(names.TOOLKIT_VERSION)
    if not codes or toolkit is None or torch_covers(facts, present):
        return None
    if facts.known(names.CONTAINER_KIND) is not None:
        return None  # an image has a CUDA of its own
    for gpu in present:
        known = architecture(gpu.capability)
        first = None if known is None else known.first_toolkit
        if first is not None and toolkit < first:
            title = f"{gpu.title} ({gpu.capability}) needs CUDA {first} or later, this is {toolkit}"
            keys = (*codes, gpu.key, names.TOOLKIT_VERSION)
            return KernelFault(NEW, title, keys, gpu, None, Confidence.LIKELY)
    return None


def _by_samples(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """CUDA's samples came before the GPU, and so did their toolkit; the rest fails unsaid."""
    capability = Version.parse(value(facts, "samples-older-than-gpu"))
    newer = [gpu for gpu in present if gpu.capability == capability]
    if not newer or not facts.known(said.ABOUT("trouble")) or seen_anyway(facts):
        return None
    title = f"The CUDA whose samples are here came before {with_target(newer[0])}"
    keys = (*statements(facts, "samples-older-than-gpu"), newer[0].key)
    return KernelFault(NEW, title, keys, newer[0], None, Confidence.POSSIBLE)


#: By these a library refuses what the GPU does not have, whichever that is: it serves newer ones.
_REFUSALS = (
    ("CUDNN_STATUS_ARCH_MISMATCH", "cuDNN"),
    ("CUBLAS_STATUS_ARCH_MISMATCH", "cuBLAS"),
    ("CUSOLVER_STATUS_ARCH_MISMATCH", "cuSOLVER"),
    ("CUSPARSE_STATUS_ARCH_MISMATCH", "cuSPARSE"),
    ("CURAND_STATUS_ARCH_MISMATCH", "cuRAND"),
    ("NVJPEG_STATUS_ARCH_MISMATCH", "nvJPEG"),
)


def _by_refusal(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    if present or facts.subjects(names.GPU_NAME):
        return None
    for code, library in _REFUSALS:
        if codes := errors(facts, code):
            title = f"{library} asks for what this GPU does not have: it serves newer ones"
            return KernelFault(OLD, title, codes, None, None, Confidence.LIKELY)
    return None
