"""Out-of-memory messages: what was asked for, what there is, what is free, and who holds it.

OWN is what the process that failed holds, OTHERS what all other processes hold. PyTorch says
both in new versions; in old ones what others hold is what the sum leaves over.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from ..text import Line, Text, cues

if TYPE_CHECKING:
    from ...model import Key

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = r"(\d[\d.,]{0,30}) ?((?:[KMGT]i?)?B|[KMG]|bytes)(?![A-Za-z0-9_])"

_ASKED = tuple(
    regex(pattern.replace("SIZE", _SIZE), re.IGNORECASE)
    for pattern in (
        r"tried to allocate SIZE",
        r"trying to allocate SIZE",
        r"failed to allocate (?:memory of |request for )?SIZE",
        r"unable to allocate SIZE",
        r"out of memory (?:allocating|to allocate) SIZE",
        r"error allocating SIZE",
        r"cannot allocate SIZE (?:memory on|in) GPU",  # Paddle, of both ages
        r"无法在 ?GPU ?\d{1,2} ?上分配 ?SIZE",  # Paddle's, in Chinese
        r"for requested buffer of size (\d+)()",  # in bytes, and the unit is not written
        r"(?<!XLA backend )allocating SIZE on device",
        r"requested SIZE",
        r"\bALLOCATE: (\d+)() bytes requested; status = 2",  # NVIDIA's Fortran
        r"allocate a buffer of size SIZE",
        r"failed to allocate \w+ buffer of size SIZE",
    )
)
#: The host's memory, or an attempt that may fail.
_ELSEWHERE = regex(
    r"CPUAllocator|alloc_cpu|allocator \(?(?:mkl)?cpu|device:CPU|for an array|pinned memory"
    r"|not a failure|UserWarning: Plan failed with",
    re.IGNORECASE,
)
_ASKED_CUES = cues(
    "to allocate|out of memory|allocating |allocate a buffer|cannot allocate |上分配"
)
_SHAPE = regex(
    r"OOM when allocating tensor with shape ?\[([\d,]+)\](?: and type (\w+))?", re.IGNORECASE
)
_WIDTHS = {"half": 2, "bfloat16": 2, "double": 8, "int64": 8, "complex64": 8, "int8": 1}

_TORCH_OLD = regex(
    rf"GPU \d+; {_SIZE} total capacity; (?:{_SIZE} already allocated; )?{_SIZE} free", re.IGNORECASE
)
_TORCH_OLD_RESERVED = regex(rf"{_SIZE} (?:reserved in total by PyTorch|cached)", re.IGNORECASE)
_TORCH_TOTAL = regex(
    rf"has a total (?:capacity|capacty) of {_SIZE} of which {_SIZE} is free", re.IGNORECASE
)
_TORCH_OTHERS = regex(rf"\bProcess (?P<pid>\d+) has {_SIZE} memory in use", re.IGNORECASE)
_TORCH_THIS = regex(rf"this process has {_SIZE} memory in use", re.IGNORECASE)
_TORCH_OWN = regex(
    rf"allocated memory {_SIZE} is allocated by PyTorch"
    rf"(?:[^\n]{{0,80}}?, and {_SIZE} is reserved)?",
    re.IGNORECASE,
)
_CUPY = regex(
    rf"out of memory allocating {_SIZE} \(allocated so far: {_SIZE}(?:, limit set to: {_SIZE})?",
    re.IGNORECASE,
)
_TF_TOTAL = regex(rf"\A\W*Total memory: {_SIZE}", re.IGNORECASE)
_TF_FREE = regex(rf"\A\W*Free memory: {_SIZE}", re.IGNORECASE)
_TF_BOTH = regex(rf"totalMemory: {_SIZE} freeMemory: {_SIZE}", re.IGNORECASE)
#: Whose allocator failed, as TensorFlow names it; a log cut short may name none.
_HOST_ALLOCATOR = regex(
    r"(?i)\bmklcpu\b|\b\w{0,12}host_bfc\b|\bdevice:CPU:\d{1,2} by allocator"
    r"|\ballocator \(?cpu\b"
)
_GPU_ALLOCATOR = regex(r"(?i)\bgpu_\d{1,2}_bfc\b|\bdevice:GPU:\d{1,2} by allocator")
_TF_IN_USE = regex(r"\bInUse:\s{1,20}(\d{1,15})\b")
#: XLA and TensorFlow, where cuDNN does not start.
_XLA = regex(r"(?a)Memory usage: (\d{1,15}) bytes free, (\d{1,15}) bytes total")
#: Paddle of 2017 to 2019, before it takes most of the GPU (FLAGS_fraction_of_gpu_memory_to_use).
_PADDLE = regex(r"enforce allocating <=? available failed, (\d{1,15}) >=? (\d{1,15})\b")
_VLLM = regex(
    r"free memory on (?:device|cuda:\d)[^(\n]{0,20}\(([\d.]+)/([\d.]+) (GiB)\)", re.IGNORECASE
)
#: Into so many lines more a window breaks what torch says of its memory.
_BROKEN = 4
#: torch with cudaMallocAsync, as ComfyUI uses it: a line for each number.
_LABELLED: tuple[tuple[str, re.Pattern[str], Key[int]], ...] = tuple(
    (label.lower(), regex(rf"{re.escape(label)}\s*: {_SIZE}", re.IGNORECASE), key)
    for label, key in (
        ("Currently allocated", said.MEMORY_OWN),
        ("Requested  ", said.MEMORY_ASKED),
        ("Device limit", said.MEMORY_TOTAL),
        ("Free (according to CUDA)", said.MEMORY_FREE),
    )
)
_OFFLOAD = regex(
    rf"(?:device|gpu|vram)[^\n]{{0,60}}? {_SIZE} (?:total|of VRAM), {_SIZE} (?:free|available)",
    re.IGNORECASE,
)
#: llama.cpp, before it loads a model; newer ones name the GPU's bus as well.
_LLAMA = regex(rf"using device CUDA\d{{1,2}} \(.{{3,80}}\) - {_SIZE} free")
#: Ollama, at its start, of each GPU.
_OLLAMA = regex(
    rf"inference compute\" .{{0,200}}?library=cuda .{{0,200}}?total=\"{_SIZE}\""
    rf" available=\"{_SIZE}\"",
    re.IGNORECASE,
)

#: CUDA.jl, of the whole GPU; then of its own pool, by the names of two ages.
_JULIA = regex(rf"Effective GPU memory usage: [\d.]{{1,6}}% \({_SIZE}/{_SIZE}\)")
_JULIA_POOL = regex(rf"(?:Memory pool|CUDA allocator) usage: {_SIZE}(?: \({_SIZE} reserved\))?")

#: Code that imports what keeps most of a GPU from its first use on.
_RESERVING = regex(
    r"(?a)\A\s{0,40}(?:>>> |\.\.\. |In \[\d{1,4}\]: |\[\d{1,4}\]: )?"
    r"(?:import (?:[\w. ]{1,40}, ){0,4}(jax|tensorflow)\b"
    r"|from (jax|tensorflow)\b[\w.]{0,40} import\b)"
)
#: A traceback shows one line of a file, which others may have imported.
_FRAME = regex(r"\A\s{0,20}File \"[^\"\n]{1,400}\", line \d")
#: What tells that JAX has begun: its list of the backends that are not here, and AlphaFold.
_JAX_BEGAN = regex(
    r"\bxla_bridge(?:\.py:\d{1,5}\]|:) ?Unable to initialize backend"
    r" '(?:tpu|tpu_driver|rocm|interpreter|plugin)'"
    r"|\] Total JAX model \w{1,60}\b[^\n]{0,80}\bpredict time\b"
)
#: Somebody tells that PyTorch and JAX share a process; JAX may be in the line before.
_TOGETHER = regex(r"(?i)\b(?:the |in )?(?:same|one) (?:process|script|program|notebook)\b")
_OF_BOTH = regex(
    r"(?i)\A(?!.*\b(?:never|not|no longer|separate\w*|ported|instead|cpu)\b)"
    r"(?=.*\b(?:py)?torch\b).*\bjax(?:lib)?\b"
)
#: The GPU's is not there either: JAX keeps none of its memory.
_JAX_SET_TO_CPU = regex(
    r"\A[^#\n]{0,80}?\bconfig\.update\(['\"]jax_platform(?:s|_name)['\"], ?['\"]cpu['\"]\)"
)
_JAX_ON_CPU = ("falling back to cpu", "initialize backend 'cuda'", "initialize backend 'gpu'")


def read(text: Text) -> Statements:
    """The numbers of the first message of each kind; PyTorch's are the most complete."""
    yield from _torch(text)
    yield from _tensorflow(text)
    yield from _others(text)
    yield from _paddle(text)
    yield from _labelled(text)
    yield from _julia(text)
    for line in text.having(*_ASKED_CUES):
        for pattern in () if _ELSEWHERE.search(line.text) else _ASKED:
            if match := pattern.search(line.text):
                # Who asks for nothing and is refused has another trouble.
                yield from _state(said.MEMORY_ASKED, _bytes(match[1], match[2]) or None, line)
    for line in text.having("oom when allocating"):
        match = _SHAPE.search(line.text)
        if match and not _ELSEWHERE.search(line.text):
            yield from _state(said.MEMORY_ASKED, _tensor(match[1], match[2] or "float"), line)


def _state(key: Key[int], value: int | None, line: Line) -> Statements:
    if value is not None:
        yield say(key, value, line)


def _torch(text: Text) -> Statements:
    for line in text.having("total capacity;"):
        if match := _TORCH_OLD.search(line.text):
            yield from _torch_old(match, line)
    for line in text.having("has a total capac"):
        match = None if _ELSEWHERE.search(line.text) else _TORCH_TOTAL.search(line.text)
        if match is not None:
            yield from _state(said.MEMORY_TOTAL, _bytes(match[1], match[2]), line)
            yield from _state(said.MEMORY_FREE, _bytes(match[3], match[4]), line)
            yield from _torch_holders(_whole(text, line))
    if any(cue in text for cue in ("total capacity;", "has a total capac")):
        set_to_cpu = any(text.matching(_JAX_SET_TO_CPU, "jax_platform"))
        for line, found in text.matching(_RESERVING, "import"):
            framework = found[1] or found[2]
            in_trace = any(_FRAME.match(each.text) for each in text.before(line, 1))
            if in_trace or (framework == "jax" and set_to_cpu):
                continue
            yield say(said.FRAMEWORK_IMPORTED(framework), line.text.strip(), line)
    yield from _jax_began(text)


def _jax_began(text: Text) -> Statements:
    """JAX in the log of a program that PyTorch failed in after it."""
    failed = next(text.having("total capacity;", "has a total capac"), None)
    if failed is None or any(cue in text for cue in _JAX_ON_CPU):
        return
    for line, _ in text.matching(_TOGETHER, "same ", "one process", "one script"):
        versions = " ".join(each.text for each in text.before(line, 1))
        if _OF_BOTH.match(f"{versions} {line.text}") and "torch" in line.text.lower():
            yield say(said.FRAMEWORK_IMPORTED("jax"), line.text.strip(), line)
    for line, _ in text.matching(_JAX_BEGAN, "unable to initialize backend", "total jax model"):
        if line.number < failed.number:
            yield say(said.FRAMEWORK_IMPORTED("jax"), line.text.strip(), line)


def _whole(text: Text, line: Line) -> Line:
    """The message in one line, where whatever showed it broke it after the first sentence."""
    if _TORCH_OWN.search(line.text):
        return line
    below = takewhile(lambda each: not _TORCH_TOTAL.search(each.text), text.after(line, _BROKEN))
    return Line(line.number, " ".join([line.text, *(each.text.strip() for each in below)]))


def _torch_old(match: re.Match[str], line: Line) -> Statements:
    total, allocated, free = (_of(match, at) for at in (1, 3, 5))
    yield from _state(said.MEMORY_TOTAL, total, line)
    yield from _state(said.MEMORY_FREE, free, line)
    reserved = _TORCH_OLD_RESERVED.search(line.text)
    own = _of(reserved, 1) if reserved else allocated
    # Before 1.5 "cached" was what is reserved and not in use.
    if reserved and "cached" in reserved[0].lower() and own is not None:
        own += allocated or 0
    yield from _state(said.MEMORY_OWN, own, line)
    # Where the message is cut before it, what is reserved may be PyTorch's own as well.
    if total is not None and free is not None and own is not None and reserved:
        yield say(said.MEMORY_OTHERS, max(total - free - own, 0), line)


def _torch_holders(line: Line) -> Statements:
    """``Process 12 has …`` stands for every process, the one that failed among them.

    Where "this process" is not named, it is the one whose share is nearest to what PyTorch says
    that it holds itself.
    """
    own = _TORCH_OWN.search(line.text)
    held = (_of(own, 1) or 0) + (_of(own, 3) or 0) if own else 0
    others = [(_of(match, 2) or 0, match["pid"]) for match in _TORCH_OTHERS.finditer(line.text)]
    this = _TORCH_THIS.search(line.text)
    if this is not None:
        whole = _of(this, 1) or 0
        yield say(said.MEMORY_OWN, whole, line)
        if own is not None:
            yield say(said.MEMORY_BESIDE, max(whole - held, 0), line)
    elif others and own:
        nearest = min(others, key=lambda other: abs(other[0] - held))
        if nearest[0] >= held:
            others.remove(nearest)
            yield say(said.MEMORY_BESIDE, nearest[0] - held, line)
            held = nearest[0]
        yield say(said.MEMORY_OWN, held, line)
    elif own:
        yield say(said.MEMORY_OWN, held, line)
    if others or this:
        yield say(said.MEMORY_OTHERS, sum(size for size, _ in others), line)
    if others:
        yield say(said.MEMORY_HOLDERS, tuple(pid for _, pid in others), line)


def _tensorflow(text: Text) -> Statements:
    """What TensorFlow 1 prints of a device before it allocates; the allocator's own account."""
    for line in text.having("totalmemory:"):
        if match := _TF_BOTH.search(line.text):
            yield from _before_start(_of(match, 1), _of(match, 3), line)
    for line in text.having("total memory: "):
        total = _TF_TOTAL.search(line.text)
        free = next(
            filter(None, (_TF_FREE.search(each.text) for each in text.after(line, 1))), None
        )
        if total and free:
            yield from _before_start(_of(total, 1), _of(free, 1), line)

    if _of_main_memory(text):
        return
    for line in text.having("sum total of in-use chunks"):
        yield say(said.SIGN("framework-out-of-memory"), line.text.strip(), line)
    for line in text.having("inuse:"):
        if match := _TF_IN_USE.search(line.text):
            yield say(said.MEMORY_OWN, int(match[1]), line)


def _of_main_memory(text: Text) -> bool:
    """Whether the account is of main memory: each allocator gives one where it fails."""
    on_host = text.shows(_HOST_ALLOCATOR, "alloc", "bfc", "mklcpu")
    return on_host and not text.shows(_GPU_ALLOCATOR, "gpu")


def _before_start(total: int | None, free: int | None, line: Line) -> Statements:
    yield from _state(said.MEMORY_TOTAL, total, line)
    yield from _state(said.MEMORY_FREE, free, line)
    if total is not None and free is not None:
        yield say(said.MEMORY_OTHERS, max(total - free, 0), line)


def _others(text: Text) -> Statements:
    for line in text.having("allocated so far"):
        if match := _CUPY.search(line.text):
            yield from _state(said.MEMORY_ASKED, _of(match, 1), line)
            yield from _state(said.MEMORY_OWN, _of(match, 3), line)
    for line, of_xla in text.matching(_XLA, "memory usage: "):
        yield say(said.MEMORY_FREE, int(of_xla[1]), line)
        yield say(said.MEMORY_TOTAL, int(of_xla[2]), line)
    for line in text.having("free memory on device", "free memory on cuda:"):
        if match := _VLLM.search(line.text):
            free, total = _bytes(match[1], match[3]), _bytes(match[2], match[3])
            yield from _before_start(total, free, line)
    for line in text.having(" total, "):
        if match := _OFFLOAD.search(line.text):
            yield from _state(said.MEMORY_TOTAL, _of(match, 1), line)
            yield from _state(said.MEMORY_FREE, _of(match, 3), line)
    listed = tuple(text.matching(_OLLAMA, "inference compute"))
    if len(listed) == 1:
        line, gpu = listed[0]
        yield from _before_start(_of(gpu, 1), _of(gpu, 3), line)
    found = tuple(text.matching(_LLAMA, "using device cuda"))
    if len(found) == 1:  # of several GPUs it is not told which one was too small
        yield from _state(said.MEMORY_FREE, _of(found[0][1], 1), found[0][0])


def _paddle(text: Text) -> Statements:
    for line, match in text.matching(_PADDLE, "enforce allocating <"):
        yield say(said.SIGN("paddle-share-refused"), match[0], line)
        yield say(said.MEMORY_ASKED, int(match[1]), line)
        yield say(said.MEMORY_FREE, int(match[2]), line)


def _labelled(text: Text) -> Statements:
    for cue, pattern, key in _LABELLED:
        for line, match in text.matching(pattern, cue):
            yield from _state(key, _of(match, 1), line)


def _julia(text: Text) -> Statements:
    """CUDA.jl tells what is taken of the GPU, and what of it is its own; the rest is others'."""
    for line, match in text.matching(_JULIA, "effective gpu memory usage"):
        failed = [each for each in text.before(line, 2) if "Out of GPU memory" in each.text]
        if not failed:
            continue  # somebody asked for its status
        yield say(said.ERROR("CUDA_ERROR_OUT_OF_MEMORY"), failed[0].text.strip(), failed[0])
        pools = (_JULIA_POOL.search(each.text) for each in text.after(line, 2))
        pool = next(filter(None, pools), None)
        taken, total = _of(match, 1), _of(match, 3)
        own = None if pool is None else _of(pool, 3) or _of(pool, 1)
        if own is not None and taken is not None and total is not None:
            yield say(said.MEMORY_TOTAL, total, line)
            yield say(said.MEMORY_FREE, max(total - taken, 0), line)
            yield say(said.MEMORY_OWN, own, line)
            yield say(said.MEMORY_OTHERS, max(taken - own, 0), line)


def _of(match: re.Match[str], at: int) -> int | None:
    return _bytes(match[at], match[at + 1]) if match[at] else None


def _bytes(number: str, unit: str) -> int | None:
    """``1.71 GiB``, ``10.92G``, ``1,024 bytes``; the powers are binary in all these programs."""
    letter = "" if unit.lower() in ("b", "bytes") else unit[:1].lower()
    try:
        return int(float(number.rstrip(".,").replace(",", "")) * _UNITS[letter])
    except (ValueError, OverflowError):
        return None


def _tensor(shape: str, type_name: str) -> int | None:
    size = _WIDTHS.get(type_name, 4)
    for number in filter(None, shape.split(",")):
        size *= int(number[:12])
        if size > _UNITS["t"] * _UNITS["k"]:
            return None
    return size
