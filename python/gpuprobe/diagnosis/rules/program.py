"""Is it the program itself that asks for what no GPU can do?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ..fixes.program import (
    find_the_access,
    finish_in_time,
    keep_the_condition,
    launch_fewer_threads,
    mend_the_program,
)
from ..model import Confidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.extensions.import_order import imported_before_torch
from ..questions.statements import errors, statements, title_of, value
from ..questions.unreached.cause import HIDDEN
from ..questions.visible.values import VISIBLE

if TYPE_CHECKING:
    from ...facts.model import Facts, Key, Keys

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE

_WHILE_CAPTURED = (
    *("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"),
    *("CUDA_ERROR_STREAM_CAPTURE_MERGE", "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"),
    *("CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"),
    *("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "CUDA_ERROR_CAPTURED_EVENT"),
    "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
)
#: Errors that a kernel of the program itself sets off, and what each is.
_OF_KERNELS = (
    ("CUDA_ERROR_ASSERT", "An assertion in a kernel failed: mostly an index is out of range"),
    ("CUDA_ERROR_ILLEGAL_ADDRESS", "A kernel accessed memory that is not its own"),
    ("CUDA_ERROR_MISALIGNED_ADDRESS", "A kernel accessed memory at an address that is not aligned"),
    ("CUDA_ERROR_INVALID_PC", "A kernel jumped to an address that is none"),
    ("CUDA_ERROR_ILLEGAL_INSTRUCTION", "A kernel met an illegal instruction"),
    ("CUDA_ERROR_LAUNCH_FAILED", "A kernel failed while it ran"),
    ("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "A kernel was started with more threads than fit"),
    ("cudaErrorInvalidConfiguration", "A kernel was started with a grid or block of wrong size"),
    ("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "A kernel was started with more blocks than fit"),
    ("CUDA_ERROR_INVALID_ADDRESS_SPACE", "A kernel took an address of one kind for another"),
    ("CUDA_ERROR_INVALID_CONTEXT", "A call was made in a thread that has no context of CUDA"),
    ("CUDA_ERROR_HARDWARE_STACK_ERROR", "A kernel overran its stack"),
    *(
        (code, "A call was made that a stream must not meet while it is captured into a graph")
        for code in _WHILE_CAPTURED
    ),
    ("CUDA_ERROR_LAUNCH_TIMEOUT", "A kernel ran longer than the system allows on a display's GPU"),
)
_SURE = ("CUDA_ERROR_ASSERT",)
_MENDED_APART = {
    "CUDA_ERROR_LAUNCH_TIMEOUT": finish_in_time,
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES": launch_fewer_threads,
}
#: What shows that data changes on its way from one GPU to another.
_COPIES_WRONG = ("peer-copy-zeros", "peer-copy-wrong", "peer-copy-verified-wrong")
_ADD_ROWS = (
    "After tokens are added, and before the model moves to the GPU, call "
    "model.resize_token_embeddings(len(tokenizer))."
)
#: How cuBLAS fails whose first call comes after such a kernel.
_AFTER_IT = (
    *("CUBLAS_STATUS_NOT_INITIALIZED", "CUBLAS_STATUS_ALLOC_FAILED"),
    "CUBLAS_STATUS_EXECUTION_FAILED",
)


@rule("GP901", "user-code", cause="user-code", link=Link.WORK, since="0.1")
def user_code(facts: Facts) -> Findings:
    """The program does something that the GPU refuses."""
    from ..questions.gpus.lost import fails_in_miner, lost_asleep

    asserted = _out_of_range(facts)
    for code, title in () if fails_in_miner(facts) else _OF_KERNELS:
        keys = errors(facts, code)
        if keys:
            sure = _CERTAIN if code in _SURE or asserted else _LIKELY
            # GP503: the index may be one that came wrong from another GPU.
            doubted = statements(facts, *_COPIES_WRONG) or lost_asleep(facts)  # GP207
            sure = _POSSIBLE if doubted else sure
            evidence = cite(facts, *asserted, *keys)
            yield Finding(title, evidence, _by_condition(facts, code), confidence=sure)
            return
    if asserted and errors(facts, *_AFTER_IT):
        if asserted == (said.TOKEN_BEYOND_EMBEDDING,):
            told = facts.known(said.TOKEN_BEYOND_EMBEDDING)
            title = f"Tokens have no row in the model's embedding: {told}"
            evidence = cite(facts, *asserted, *errors(facts, *_AFTER_IT))
            yield Finding(title, evidence, mend_the_program(_ADD_ROWS), confidence=_LIKELY)
            return
        title = "An index is out of range in a kernel; what failed after it follows from that"
        yield Finding(title, cite(facts, *asserted), _by_condition(facts, "CUDA_ERROR_ASSERT"))
        return
    yield from _without_rows(facts)
    in_kernel = statements(facts, "kernel-assertion") or _of_torchs_kernel(facts)
    if in_kernel:
        title = f"An assertion in a kernel failed: {facts.known(in_kernel[0])}"
        fix = keep_the_condition(facts, facts.known(in_kernel[0]) or "")
        yield Finding(title_of(title), cite(facts, *in_kernel), fix)
        return
    caught = statements(facts, "kernel-fault-debugged")
    if caught:
        title = f"A debugger caught a fault of a kernel: {facts.known(caught[0])}"
        fix = find_the_access(facts)
        yield Finding(title_of(title), cite(facts, *caught), fix, confidence=_LIKELY)
        return
    yield from _refused_launch(facts)
    yield from _refused_copy(facts)
    yield from _in_fork(facts)
    yield from _not_offered(facts)
    yield from _wrong_device(facts)
    yield from _without_display(facts)
    if facts.subjects(said.SIGN):
        from ..findings.program import stated  # not needed where nobody said anything

        yield from stated(facts)
    yield from _imported_first(facts)
    yield from _without_source(facts)


#: What kernels of torch assert, and nothing on the CPU: labels, indices, probabilities.
_TORCHS = regex(
    r"\b(?:t|cur_target) >= 0 && (?:t|cur_target) < n_classes\b|\bsrcIndex < srcSelectDimSize\b"
    r"|\bindexValue >= 0 && indexValue < src\.sizes\[|\bidx_dim >= 0 && idx_dim < index_size\b"
    r"|\bindex >= -sizes\[i\] && index < sizes\[i\]"
    r"|\b(?:input|target)_val >= zero && (?:input|target)_val <= one\b"
)


def _of_torchs_kernel(facts: Facts) -> tuple[Key[str], ...]:
    """The condition by itself, as titles have it, without the line that names the thread."""
    told = statements(facts, "index-assertion")
    return told if _TORCHS.search(value(facts, "index-assertion")) else ()


def _by_condition(facts: Facts, code: str) -> Fix:
    """What the assertion says that failed; of other codes, and without one, how to find it."""
    told = statements(facts, "index-assertion", "kernel-assertion")
    if code in _MENDED_APART:
        return _MENDED_APART[code]()
    if code != "CUDA_ERROR_ASSERT" or not told:
        return find_the_access(facts)
    return keep_the_condition(facts, facts.known(told[0]) or "")


def _out_of_range(facts: Facts) -> Keys:
    """What shows an index beyond its table: an assertion, a label, a token."""
    told = statements(facts, "index-assertion", "labels-beyond-classes")
    key = said.TOKEN_BEYOND_EMBEDDING
    return (*told, key) if facts.known(key) else told


def _without_rows(facts: Facts) -> Findings:
    """Code adds tokens, and no rows to the embedding: cuBLAS is the first call to fail after it."""
    failed = errors(facts, *_AFTER_IT)
    if failed and facts.known(said.TOKENS_WITHOUT_ROWS) is not None:
        title = "Tokens were added to the tokenizer, and no rows for them to the model's embedding"
        fix = mend_the_program(_ADD_ROWS)
        yield Finding(
            title, cite(facts, said.TOKENS_WITHOUT_ROWS, *failed), fix, confidence=_LIKELY
        )


def _refused_launch(facts: Facts) -> Findings:
    """The driver checks a block's size and a kernel's arguments before it starts anything."""
    told = errors(facts, "CUDA_ERROR_INVALID_VALUE")
    keys: Keys = tuple(key for key in told if "cuLaunchKernel" in (facts.known(key) or ""))
    if told and not keys and "cuLaunchKernel" in (facts.known(said.FAILURE) or ""):
        keys = (*told, said.FAILURE)  # the same error, at the end of a traceback
    if keys:
        title = "The driver refuses the size of a kernel's grid or block, or an argument"
        fix = mend_the_program("Start at most 1024 threads in a block, x times y times z.")
        yield Finding(title, cite(facts, *keys), fix, confidence=_LIKELY)


def _refused_copy(facts: Facts) -> Findings:
    """CUDA checks a copy's size and direction, and whose memory it is, before it copies."""
    told = errors(facts, "CUDA_ERROR_INVALID_VALUE")
    if keys := tuple(key for key in told if _COPY.search(facts.known(key) or "")):
        title = "CUDA refuses a copy: its addresses, size or direction do not go together"
        fix = mend_the_program("Look at the arguments of that call; compute-sanitizer names more.")
        yield Finding(title, cite(facts, *keys), fix, confidence=_LIKELY)


#: The call itself with its arguments, as CUDA's samples print it.
_COPY = regex(r"\bcudaMem(?:cpy|set)\w{0,20}\(")


def _in_fork(facts: Facts) -> Findings:
    """CUDA does not start in a process that was forked off one in which it runs."""
    keys, inside = errors(facts, *_NOT_STARTED), statements(facts, *_IN_WORKER)
    told = () if inside else statements(facts, "workers-told")
    if keys and (inside or (told and _counts_only(facts))):
        fix = mend_the_program("Start worker processes with the method spawn, not fork.")
        title = "CUDA was used before a worker process was forked, and cannot start in it"
        sure = _LIKELY if inside else Confidence.POSSIBLE
        yield Finding(title, cite(facts, *keys, *inside, *told), fix, confidence=sure)


def _counts_only(facts: Facts) -> bool:
    """Whether CUDA only failed to count its devices, as in a process in which it never started."""
    errors_told = facts.subjects(said.ERROR)
    return (
        set(errors_told) == {"CUDA_ERROR_NOT_INITIALIZED"}
        and "count" in (facts.known(said.ERROR("CUDA_ERROR_NOT_INITIALIZED")) or "").lower()
    )


_IN_WORKER = ("in-worker-process", "process-started-in-code")
#: The driver's name, and the run time's words by themselves.
_NOT_STARTED = ("CUDA_ERROR_NOT_INITIALIZED", "cudaErrorInitializationError")

#: A slice of a GPU as a virtual machine gets it: NVIDIA A40-48C, GRID T4-16Q.
_VIRTUAL = regex(r"(?a)-\d{1,3}[ABCQ]\b")


_OWN_MEMORY = "Hand no memory of the GPU to other processes (num_workers=0 where data is on it)."


def _not_offered(facts: Facts) -> Findings:
    """What a virtual GPU, or the driver's mode for Windows' desktop, does not have."""
    keys = errors(facts, "CUDA_ERROR_NOT_SUPPORTED", "CUDA_ERROR_OPERATING_SYSTEM")
    shared = tuple(key for key in keys if "storagesharing" in (facts.known(key) or "").lower())
    if shared:
        title = "The program hands memory of the GPU to another process, which this system refuses"
        evidence = cite(facts, *shared)
        yield Finding(title, evidence, mend_the_program(_OWN_MEMORY), confidence=_LIKELY)
        return
    keys = errors(facts, "CUDA_ERROR_NOT_SUPPORTED")
    gpus = facts.keys_of(names.GPU_NAME)
    virtual = tuple(key for key in gpus if _VIRTUAL.search(facts.known(key) or ""))
    windows = facts.known(names.OS_SYSTEM) == "Windows"
    if not keys or not (virtual or windows):
        return
    where = "this virtual GPU" if virtual else "CUDA on Windows"
    fix = (
        "Let it do without memory pools and virtual memory, which its settings mostly allow, or "
        "take a profile of the virtual GPU that has them."
        if virtual
        else _OWN_MEMORY
    )
    title = f"The program asks for something that {where} does not have"
    evidence = cite(facts, *keys, *virtual, *(() if virtual else (names.OS_SYSTEM,)))
    yield Finding(title, evidence, mend_the_program(fix), confidence=_POSSIBLE)


def _wrong_device(facts: Facts) -> Findings:
    keys = errors(facts, "CUDA_ERROR_INVALID_DEVICE")
    if not keys:
        yield from _beyond_visible(facts)
        return
    from ..questions.codes.told import given_then_refused

    if given_then_refused(facts):
        return
    gpus = facts.keys_of(names.GPU_NAME)
    told = statements(facts, "visible-devices-set-told")
    masked = facts.known(VISIBLE) is not None or bool(told)
    title = "The program asks for a GPU by a number that is not there"
    fix = "Ask for a number below the count of GPUs that the program sees, from 0 on."
    if masked:
        title += "; CUDA_VISIBLE_DEVICES numbers those that it leaves from 0 on"
        fix += _left_by(facts.known(VISIBLE) or "")
    yield Finding(
        title,
        cite(facts, *keys, VISIBLE, *told, *gpus),
        mend_the_program(fix),
        confidence=_LIKELY,
        cause=HIDDEN if masked else None,
    )


def _beyond_visible(facts: Facts) -> Findings:
    """Code numbers the GPUs as nvidia-smi does, under a variable that numbers them anew."""
    from ..questions.visible.values import beyond_visible

    if not (keys := beyond_visible(facts)):
        return
    listed, number = facts.known(VISIBLE) or "", facts.known(said.DEVICE_NUMBERED)
    title = (
        f'CUDA_VISIBLE_DEVICES="{listed}" numbers its GPUs from 0 on, and code asks for {number}'
    )
    yield Finding(
        title,
        cite(facts, *keys),
        mend_the_program(f"Ask for a number below the count of GPUs it leaves.{_left_by(listed)}"),
        confidence=_LIKELY,
        cause=HIDDEN,
    )


def _left_by(listed: str) -> str:
    """How many GPUs a list of numbers leaves, each of which takes one process."""
    numbers = {each.strip() for each in listed.split(",")}
    if len(numbers) < 2 or not all(each.isdigit() for each in numbers):  # noqa: PLR2004
        return ""
    return (
        f" CUDA_VISIBLE_DEVICES leaves {len(numbers)}, so the last is {len(numbers) - 1}; a "
        f"launcher is to start no more than {len(numbers)} processes (--nproc_per_node)."
    )


def _imported_first(facts: Facts) -> Findings:
    if keys := imported_before_torch(facts):
        yield Finding(
            "An extension was imported before torch, whose libraries it needs",
            cite(facts, *keys, said.FRAMEWORK_SEES_GPU("torch")),
            mend_the_program("Write `import torch` above the import of the extension."),
            confidence=_LIKELY,
        )


def _without_source(facts: Facts) -> Findings:
    """A note: what is missed is a file of the program's own, for whichever GPU."""
    if missed := statements(facts, "kernel-source-missing"):
        yield Finding(
            f"The program does not find a source file of its own: {facts.known(missed[0])}",
            cite(facts, *missed),
            mend_the_program("Unpack the whole release of the program anew, or take a newer one."),
            severity=Severity.NOTE,
            confidence=_LIKELY,
        )


def _without_display(facts: Facts) -> Findings:
    """SiftGPU draws with OpenGL unless it is told otherwise, and has no display for it."""
    keys = statements(facts, "siftgpu-draws", "colmap-without-cuda")
    if len(keys) > 1:
        title = "The program has SiftGPU draw with OpenGL, which finds no display that it can use"
        fix = mend_the_program("Give SiftGPU the argument -cuda, with which it needs no display.")
        yield Finding(title, cite(facts, *keys), fix, confidence=_LIKELY)
