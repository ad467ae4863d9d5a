"""Who holds the memory that a program did not get: one question for three rules.

The numbers of the message decide where there are some: what this process holds, what is free,
what the GPU has. Behind a cuDNN or cuBLAS that could not start there is mostly the same want.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ...model import Confidence
from ..once import asked_once
from ..statements import errors, statements, value
from .holders import TAKEN as _TAKEN
from .holders import at_work_after, full_before, full_gpu, strangers, taken_before
from .kinds import OTHERS, PREALLOCATED, WORKLOAD, MemoryFault, is_ample, plenty, size_of
from .reserves import beside_torch, has_pool, on_demand, tensorflow_took, wanted_at_start
from .told import memory_told

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys


_NUMBERS = (
    said.MEMORY_ASKED,
    said.MEMORY_FREE,
    said.MEMORY_OWN,
    said.MEMORY_OTHERS,
    said.MEMORY_TOTAL,
)
#: Such a share of the GPU, asked for at once, is a framework's reserve and no tensor.
_RESERVE = 0.6


_NO_MEMORY_TOLD = (
    *("vllm-startup-memory", "framework-out-of-memory", "board-memory-full", "hami-out-of-memory"),
    *("xla-largest-buffers", "faiss-out-of-memory", "tf-allocator-limit"),
    "sglang-memory-unbalanced",
    *("engine-out-of-memory", "science-out-of-memory", "renderer-out-of-memory"),
)
#: The codes of CUDA and its libraries for it.
_NO_MEMORY = (
    *("CUDA_ERROR_OUT_OF_MEMORY", "CUDNN_STATUS_ALLOC_FAILED", "CUBLAS_STATUS_ALLOC_FAILED"),
    *("CUSOLVER_STATUS_ALLOC_FAILED", "CUSPARSE_STATUS_ALLOC_FAILED", "CUFFT_ALLOC_FAILED"),
    *("CURAND_STATUS_ALLOCATION_FAILED", "NVJPEG_STATUS_ALLOCATOR_FAILURE"),
    "NPP_MEMORY_ALLOCATION_ERR",
)


@asked_once
def memory_fault(facts: Facts) -> MemoryFault | None:
    """Why memory was wanting; None where it was not, or where something else explains it."""
    stated = _stated(facts)
    if stated:
        return _shown(facts, stated) or _by_numbers(facts, stated) or _by_habit(facts, stated)
    return _masked(facts) or memory_told(facts)


def _stated(facts: Facts) -> Keys:
    """The program says that it got no memory."""
    numbers = (said.MEMORY_ASKED,) if facts.known(said.MEMORY_ASKED) is not None else ()
    said_so = statements(facts, *_NO_MEMORY_TOLD)
    return (*errors(facts, *_NO_MEMORY), *said_so, *numbers)


def _shown(facts: Facts, stated: Keys) -> MemoryFault | None:
    """Nvidia-smi's table of the time before the program shows who had the memory."""
    own, total = facts.known(said.MEMORY_OWN) or 0, _total(facts)
    if total is not None and own > _TAKEN * total:
        return None  # the program tells that it took it itself
    if taken := taken_before(facts):
        title = "Most of the GPU's memory was taken before the program began"
        return MemoryFault(OTHERS, title, (*stated, *taken), Confidence.LIKELY)
    return None


def _by_numbers(facts: Facts, stated: Keys) -> MemoryFault | None:
    total, own = _total(facts), facts.known(said.MEMORY_OWN)
    free, asked = facts.known(said.MEMORY_FREE), facts.known(said.MEMORY_ASKED)
    keys = (*stated, *(key for key in _NUMBERS if facts.known(key) is not None))
    if total is None:
        return None
    others = facts.known(said.MEMORY_OTHERS)
    if own is not None and free is not None:
        rest = total - free - own
        # What is listed is exact, but a container does not see all that hold some.
        others = others if others and abs(rest - others) < _CONTEXT else rest
    if asked is not None and asked > total:
        title = f"The program asks for {size_of(asked)} at once, the GPU has {size_of(total)}"
        return MemoryFault(WORKLOAD, title, keys, Confidence.CERTAIN)
    if asked is not None and free is not None and is_ample(asked, free, total):
        title = f"{size_of(free)} were free, and {size_of(asked)} were asked for in vain"
        return MemoryFault(WORKLOAD, title, keys, Confidence.POSSIBLE)
    if reserve := beside_torch(facts):
        title = "PyTorch asks where JAX or TensorFlow, in the same program, took the memory before"
        installed = any(key.name.startswith("package.") for key in reserve)
        sure = Confidence.POSSIBLE if installed else Confidence.LIKELY
        return MemoryFault(PREALLOCATED, title, (*keys, *reserve), sure)
    if own is not None and others is not None:
        found = _by_shares(own, others, total, asked, keys)
        listed = facts.known(said.MEMORY_BESIDE) is not None
        # Else the share of others is what is left of the whole: no program said it.
        guessed = found.cause == OTHERS and not listed
        return found._replace(confidence=Confidence.LIKELY) if guessed else found
    # torch's account is cut short where it names no process at all.
    whole = others is not None or not statements(facts, "torch-memory-of-gpu")
    at_start = own is None and whole
    if at_start and free is not None and free < _TAKEN * total and not _reserves(facts, asked):
        title = f"Only {size_of(free)} of {size_of(total)} were free before the program took any"
        return MemoryFault(OTHERS, title, keys, Confidence.LIKELY)
    by_llama = facts.known(said.ABOUT("ollama")) or facts.known(said.ABOUT("llama-cpp"))
    if asked is not None and asked > _RESERVE * total and own is None and not by_llama:
        share = f"{size_of(asked)} of {size_of(total)}"
        title = f"The framework wants {share} in advance and does not get it"
        return MemoryFault(PREALLOCATED, title, keys, Confidence.LIKELY)
    return None


#: What CUDA and its libraries take for a process beside what PyTorch counts as allocated; on a
#: small GPU that is no small share.
_CONTEXT = 512 << 20
#: A desktop takes fewer bytes than this, and of a large GPU a smaller share.
_BYTES_OF_OTHERS, _SHARE_OF_OTHERS = 4 << 30, 0.25


def _by_shares(own: int, others: int, total: int, asked: int | None, keys: Keys) -> MemoryFault:
    much = said.MEMORY_OTHERS in keys and others > max(_BYTES_OF_OTHERS, _SHARE_OF_OTHERS * total)
    much = much and own + (asked or 0) + _CONTEXT <= total  # alone on the GPU, it would fit
    if much or others - _CONTEXT > own:
        held = f"{size_of(others)} of {size_of(total)}"
        title = f"Other processes hold {held}, this one {size_of(own)}"
        return MemoryFault(OTHERS, title, keys, Confidence.CERTAIN)
    title = f"The program itself holds {size_of(own)} of {size_of(total)} and needs more"
    if not own:
        title = f"The program asks for more than the {size_of(total - others)} that are free"
    return MemoryFault(WORKLOAD, title, keys, Confidence.CERTAIN)


def _reserves(facts: Facts, asked: int | None) -> bool:
    """Whether what is free is what the program's own reserve left over."""
    free = facts.known(said.MEMORY_FREE)
    total = _total(facts)
    return asked is not None and total is not None and free is not None and asked > _RESERVE * total


def _total(facts: Facts) -> int | None:
    """Of the message; else of the only GPU."""
    stated = facts.known(said.MEMORY_TOTAL)
    gpus = facts.subjects(names.GPU_MEMORY)
    if stated is not None or len(gpus) != 1:
        return stated
    return facts.known(names.GPU_MEMORY(gpus[0]))


_HOARDERS = ("tensorflow", "tf", "jax", "jaxlib")


def _hoards(facts: Facts) -> bool:
    """Whether it is TensorFlow or JAX, which take most of the GPU at their start."""
    families = (names.PACKAGE_VERSION, said.FRAMEWORK_SEES_GPU)
    subjects = (subject for family in families for subject in facts.subjects(family))
    return any(subject.partition("-")[0] in _HOARDERS for subject in subjects)


def _by_habit(facts: Facts, stated: Keys) -> MemoryFault:
    """Without numbers: mostly the work is too large."""
    sure = Confidence.LIKELY
    begun = ("context-without-memory", "context-call", "count-without-memory")
    if context := statements(facts, *begun):
        title = "The GPU's memory was full before the program had even a context on it"
        return MemoryFault(OTHERS, title, (*stated, *context), sure)
    if found := _by_pool(facts, stated):
        return found
    if found := _held_by_another(facts, stated) or _share_in_advance(facts, stated):
        return found
    if at_work := at_work_after(facts, stated):
        title = "The program got no memory, and below its end the GPU is full and at work"
        return MemoryFault(OTHERS, title, (*stated, *at_work), sure)
    if full := full_gpu(facts):
        title = "A GPU is shown whose memory is taken, and the program got none"
        return MemoryFault(OTHERS, title, (*stated, full), sure)
    if statements(facts, "vllm-startup-memory"):
        if _own_share(facts):
            title = "The model leaves too little of the GPU's memory for the cache beside it"
            return MemoryFault(WORKLOAD, title, stated, sure)
        title = "Less memory is free than the share of the GPU that vLLM was told to take"
        return MemoryFault(OTHERS, title, stated, sure)
    too_large = MemoryFault(WORKLOAD, "The work does not fit into the GPU's memory", stated, sure)
    return _by_library(facts, stated) or too_large


def _held_by_another(facts: Facts, stated: Keys) -> MemoryFault | None:
    """Somebody tells of a process that has it, or the shell of a job that was only stopped."""
    if held := statements(facts, "memory-held-told"):
        title = "The program got no memory; another process is said to hold the GPU's"
        return MemoryFault(OTHERS, title, (*stated, *held), Confidence.LIKELY)
    if others := strangers(facts):
        much = size_of(max(facts.known(key) or 0 for key in others))
        title = f"Another program than the one that failed holds {much} of the GPU's memory"
        return MemoryFault(OTHERS, title, (*stated, *others), Confidence.LIKELY)
    if uneven := statements(facts, "sglang-memory-unbalanced"):
        title = "One GPU has much less memory free than the others: another process is on it"
        return MemoryFault(OTHERS, title, uneven, Confidence.LIKELY)
    if stopped := statements(facts, "process-stopped"):
        title = "A job that was stopped, and not ended, keeps the GPU's memory"
        return MemoryFault(OTHERS, title, (*stated, *stopped), Confidence.LIKELY)
    return None


def _share_in_advance(facts: Facts, stated: Keys) -> MemoryFault | None:
    """A framework that was told how much of the GPU to take at its start."""
    if "cnmeminit" in value(facts, "framework-out-of-memory").lower():
        title = "Theano is to keep a share of the GPU's memory (lib.cnmem), and so much is not free"
        return MemoryFault(PREALLOCATED, title, stated, Confidence.LIKELY)
    found = wanted_at_start(facts, stated) or _beside_tensorflow(facts, stated)
    if found := found or _beside_others(facts, stated):
        return found
    if imported := statements(facts, "memory-taken-on-import-told"):
        title = "JAX or TensorFlow, in the same program, took the memory as it was imported"
        return MemoryFault(PREALLOCATED, title, (*stated, *imported), Confidence.LIKELY)
    if after := _after_keras(facts):
        return MemoryFault(PREALLOCATED, _AFTER_KERAS, (*stated, *after), Confidence.LIKELY)
    share = statements(facts, "tf-whole-memory")
    if not share:
        return None
    told = value(facts, "tf-whole-memory")
    title = f"TensorFlow is to take a share of {told} in advance: the GPU has not so much free"
    return MemoryFault(PREALLOCATED, title, (*stated, *share), Confidence.LIKELY)


#: The run time's and the driver's allocation in the words of libraries that are not TensorFlow,
#: whose own lines name their file.
_OTHER_LIBRARY = regex(
    r"\A(?!.{0,1000}?(?:stream_executor|cuda_driver|gpu_driver|bfc_allocator))"
    r".*?(?:\bcudaMalloc(?!Async)|\bcuMemAlloc(?!Async)|\bdlib\b|\bcupy\.cuda\b)"
)


#: ONNX Runtime's pool, which has the name that TensorFlow's had first.
_OF_ONNXRUNTIME = "onnxruntime"


def _beside_tensorflow(facts: Facts, stated: Keys) -> MemoryFault | None:
    """TensorFlow told that it took so much that another library of the program got nothing."""
    took, size, total = statements(facts, "tf-device-memory"), tensorflow_took(facts), _total(facts)
    codes = errors(facts, "CUDA_ERROR_OUT_OF_MEMORY")
    arena = _OF_ONNXRUNTIME in value(facts, "framework-out-of-memory")
    other = any(_OTHER_LIBRARY.match(facts.known(key) or "") for key in codes)
    if size is None or not (other or arena):
        return None
    if size < (_SCRAP if total is None else _TAKEN * total):
        return None
    title = f"TensorFlow took {size_of(size)} in advance, and another library found no memory"
    return MemoryFault(PREALLOCATED, title, (*stated, *took), Confidence.LIKELY)


_AFTER_KERAS = "TensorFlow, which trains in the same program, took the memory before Faiss asked"


def _after_keras(facts: Facts) -> Keys:
    """Code trains with TensorFlow, then Faiss finds no memory; empty where it may grow."""
    trains, asked = statements(facts, "keras-fits"), statements(facts, "faiss-out-of-memory")
    if not trains or not asked or facts.known(said.ABOUT("tensorflow")) is None:
        return ()
    return () if on_demand(facts, "tensorflow") else trains


#: Products with several GiB, of which next to nothing is left only where others take the rest;
#: a part of one (GRID T4-1Q, A16-2B) is as small as its profile says.
_LARGE = regex(
    r"(?i)\A(?!.{0,60}-\d{1,2}[abcq]\b)"
    r".{0,60}?\b(?:RTX|TITAN|Tesla|GTX 1(?:0[678]|6[56])0|[AHLV]\d{1,3}S?)\b"
)


def _beside_others(facts: Facts, stated: Keys) -> MemoryFault | None:
    """TensorFlow, which takes what is free, told that this was next to nothing of the GPU."""
    took, total = statements(facts, "tf-device-memory", "tf-allocator-limit"), _total(facts)
    limit = value(facts, "tf-allocator-limit")
    size = tensorflow_took(facts) or (int(limit) if limit else None)
    if size is None or statements(facts, "tf-whole-memory", "tf-memory-limited"):
        return None
    gpus = [facts.known(names.GPU_NAME(gpu)) or "" for gpu in facts.subjects(names.GPU_NAME)]
    large = all(map(_LARGE.match, gpus))
    if size >= _SCRAP or not (large if total is None else size < _TAKEN * total):
        return None
    title = f"TensorFlow found no more than {size_of(size)} of the GPU's memory to take"
    return MemoryFault(OTHERS, title, (*stated, *took), Confidence.LIKELY)


#: The files of TensorFlow and JAX that log what a library answers.
_OF_XLA = regex(r"\b(?:pjrt|xla|tensorflow)/\S{1,80}\.cc:\d")


def _by_library(facts: Facts, stated: Keys) -> MemoryFault | None:
    """Only a library found no room, in a program of those that take all of it at their start."""
    libraries = errors(facts, "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED")
    by_file = any(_OF_XLA.search(facts.known(key) or "") for key in libraries)
    by_words = statements(facts, *_OF_TENSORFLOW) and not facts.known(said.ABOUT("torch"))
    if libraries != stated or not (by_file or by_words or _hoards(facts)):
        return None
    title = "cuDNN or cuBLAS found no room: the framework had taken the GPU's memory in advance"
    return MemoryFault(PREALLOCATED, title, stated, Confidence.LIKELY)


#: The words of TensorFlow and XLA where the driver does not give what they keep for tensors.
_POOL = regex(r"failed to alloc(?:ate)? [\d.]+[KMG]?i?B? .{0,40}from device", re.IGNORECASE)
#: It begins with all that is free; so little was free that others hold the rest.
_SCRAP = 1 << 30


def _by_pool(facts: Facts, stated: Keys) -> MemoryFault | None:
    """TensorFlow or XLA takes all memory that it sees free, and finds that it is not."""
    words = (facts.known(key) or "" for key in errors(facts, "CUDA_ERROR_OUT_OF_MEMORY"))
    asked = facts.known(said.MEMORY_ASKED)
    in_use = facts.known(said.MEMORY_OWN)
    if asked is None or in_use is not None or not any(_POOL.search(each) for each in words):
        return None
    if statements(facts, "framework-out-of-memory") or has_pool(facts):
        return None
    took = tensorflow_took(facts) or 0
    if took > _SCRAP and facts.known(said.ABOUT("jax")) is not None:
        title = f"TensorFlow took {size_of(took)} in advance, and JAX found no memory beside it"
        keys = (*stated, *statements(facts, "tf-device-memory"))
        return MemoryFault(PREALLOCATED, title, keys, Confidence.LIKELY)
    if asked < _SCRAP:
        title = f"The framework found no more than {size_of(asked)} of the GPU's memory to take"
        return MemoryFault(OTHERS, title, stated, Confidence.LIKELY)
    title = f"The framework wants {size_of(asked)} in advance and does not get it"
    return MemoryFault(PREALLOCATED, title, stated, Confidence.LIKELY)


#: What engines say of the room beside a model, in which they keep what they computed.
_OF_THE_CACHE = (
    *("kv cache", " blocks", "_blocks", "mem-fraction"),
    *("auto-fit", "enough gpu memory", "insufficient vram"),
)


def _own_share(facts: Facts) -> bool:
    words = value(facts, "vllm-startup-memory").lower()
    return any(each in words for each in _OF_THE_CACHE)


#: What libraries say that found no room for themselves; TensorFlow's words and codes.
_OF_TENSORFLOW = (
    "tf-no-convolution-algorithm",
    "tf-cudnn-handle",
    "tf-cublas-handle",
    "tf-cusolver-handle",
    "jax-library-handle",
    "xla-no-convolution-algorithm",
)
_CODES = ("CUDNN_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_INTERNAL_ERROR")
_CUBLAS = ("CUBLAS_STATUS_NOT_INITIALIZED",)


def _masked(facts: Facts) -> MemoryFault | None:
    """A library that could not start where its version is not known to be wrong."""
    from ..cudnn.faults import cudnn_fault

    fault = cudnn_fault(facts)
    if fault is not None or errors(facts, "CUDA_ERROR_ASSERT", "CUDA_ERROR_ILLEGAL_ADDRESS"):
        return None
    tokens = (said.TOKENS_WITHOUT_ROWS, said.TOKEN_BEYOND_EMBEDDING)
    beyond = statements(facts, "index-assertion") or any(map(facts.known, tokens))
    if beyond or plenty(facts):
        return None
    by_tensorflow = statements(facts, *_OF_TENSORFLOW)
    told = ((key, facts.known(key) or "") for key in errors(facts, *_CODES, *_CUBLAS))
    codes = tuple(key for key, words in told if "(cublas)" not in words)  # libgpuarray's
    if (by_tensorflow or codes) and (full := full_before(facts)):
        left = size_of(facts.known(said.MEMORY_FREE) or 0)
        title = f"Only {left} of the GPU were free before the program took any: too little to start"
        return MemoryFault(OTHERS, title, (*by_tensorflow, *codes, *full), Confidence.LIKELY)
    if by_tensorflow or (codes and _hoards(facts)):
        title = "cuDNN or cuBLAS found no room: the framework had taken the GPU's memory in advance"
        return MemoryFault(PREALLOCATED, title, (*by_tensorflow, *codes), Confidence.LIKELY)
    if codes and (others := strangers(facts)):
        title = "cuDNN or cuBLAS could not start beside a program that holds much of the memory"
        return MemoryFault(OTHERS, title, (*codes, *others), Confidence.LIKELY)
    if codes:
        title = "cuDNN or cuBLAS could not start, mostly for want of memory"
        sure = Confidence.LIKELY if errors(facts, *_CUBLAS) else Confidence.POSSIBLE
        return MemoryFault(WORKLOAD, title, codes, sure)
    if tried := statements(facts, "cudnn-no-algorithm"):
        title = "None of cuDNN's algorithms for a convolution found memory to work in"
        return MemoryFault(WORKLOAD, title, tried, Confidence.LIKELY)
    return None
