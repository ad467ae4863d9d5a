"""Make room on the GPU, with the settings of the program that asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ...facts.version import Version
from ..model import Fix
from ..questions.memory.kinds import is_ample
from ..questions.place import place_of
from ..questions.statements import statements, value
from ..shells import set_variable
from .communication import ROOM_FOR_NCCL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts

_LESS = (
    "Make the work smaller: batch size, length of the context, precision, or a smaller model; or "
    "use a GPU with more memory."
)
#: The first PyTorch with memory that grows in place.
_FIRST_EXPANDABLE = Version("2.1")


def see_who_holds_it(facts: Facts) -> Fix:
    """Find the other process."""
    windows = place_of(facts).system == "Windows"
    if pids := facts.known(said.MEMORY_HOLDERS):
        by_number = [f"ps -fp {','.join(pids)}"]
        if windows:
            by_number = [f'tasklist /FI "PID eq {pid}"' for pid in pids]
        return Fix(
            f"See by their numbers ({', '.join(pids)}) which processes hold the memory (a notebook "
            "that was left open, a run that did not end), and end those that are yours; or use "
            "another GPU. Where the program runs in a container, ask on its host.",
            (*by_number, "nvidia-smi"),
        )
    return Fix(
        "See which processes hold the memory (a notebook that was left open, a run that did not "
        "end), and end those that are yours; or use another GPU.",
        ("nvidia-smi",) if windows else ("nvidia-smi", "sudo fuser -v /dev/nvidia*"),
    )


def share_the_memory(facts: Facts) -> Fix:
    """A framework takes all memory in advance, which hurts other programs only."""
    return Fix(
        "Nothing has to be done where this program has the GPU for itself. For others to find "
        "memory, let the framework take it as it needs it, by a variable that is set before its "
        "start: the first is TensorFlow's, the second JAX's.",
        tuple(_variable(facts, of) for of in _GROWTH),
    )


def end_stopped_job() -> Fix:
    """End what Ctrl+Z has only stopped."""
    return Fix.by_user(
        "End the job that was stopped, in the shell that started it: kill %NUMBER, with the number "
        "that jobs shows. Ctrl+C ends a program, Ctrl+Z only stops it.",
        ("jobs",),
    )


def grow_on_demand(facts: Facts) -> Fix:
    """Let the framework take memory as it needs it."""
    if _speaks(facts, "theano"):
        return Fix(
            "Give Theano a smaller share, lib.cnmem=0.5 in its flags or in .theanorc; with 0 it "
            "takes memory as it needs it.",
            ("THEANO_FLAGS=lib.cnmem=0 python PROGRAM",),
        )
    if statements(facts, "paddle-share-refused"):
        return Fix(
            "Give Paddle a smaller share of the GPU: it takes 92 % of it at its start. Where others"
            " compute on the GPU, see what they hold.",
            (_set(facts, "FLAGS_fraction_of_gpu_memory_to_use", "0.5"), "nvidia-smi"),
        )
    if _speaks(facts, "amrex"):
        return Fix(
            "Let AMReX take memory as it needs it: amrex.the_arena_init_size=0 (in bytes) in the "
            "inputs or behind the command. Where others compute on the GPU, see what they hold.",
            ("./PROGRAM inputs amrex.the_arena_init_size=0", "nvidia-smi"),
        )
    if _speaks(facts, "vllm"):
        return Fix(
            "Give vLLM a share of the GPU that is free and large enough for the model "
            "(gpu_memory_utilization), and a shorter context (max_model_len)."
        )
    known = [each for each in _GROWTH if _speaks(facts, each)]
    lines = [
        _variable(facts, of) + ("" if known else f"  # {of}")
        for of in _GROWTH
        if of in (known or _GROWTH)
    ]
    return Fix(
        "Let the framework take memory as it needs it, not most of the GPU at its start; set the "
        "variable before the program starts.",
        tuple(lines),
    )


_GROWTH = {
    "TensorFlow": ("TF_FORCE_GPU_ALLOW_GROWTH", "true"),
    "JAX": ("XLA_PYTHON_CLIENT_PREALLOCATE", "false"),
}


def _variable(facts: Facts, of: str) -> str:
    return _set(facts, *_GROWTH[of])


def _set(facts: Facts, name: str, to: str) -> str:
    return set_variable(name, to, windows=place_of(facts).system == "Windows")


def fit_the_work(facts: Facts) -> Fix:
    """Ask for less; where there was more than enough, see why it was not given."""
    if value(facts, "nccl-cuda-failure").lower() == "out of memory":
        return ROOM_FOR_NCCL
    if _was_ample(facts):
        return _find_what_was_full(facts)
    if _speaks(facts, "ollama"):
        return Fix(
            "Take a smaller or more quantised model, make the context smaller, or put fewer layers "
            "on the GPU: in `ollama run`, /set parameter num_ctx 2048 and /set parameter num_gpu "
            "20; or use a GPU with more memory."
        )
    if _speaks(facts, "llama.cpp"):
        return Fix(
            "Put fewer layers on the GPU, make the context smaller, or take a smaller or more "
            "quantised model; or use a GPU with more memory.",
            ("llama-cli --n-gpu-layers 20 --ctx-size 2048 --model MODEL.gguf",),
        )
    if _speaks(facts, "darknet"):
        return Fix(
            "In the network's .cfg file raise subdivisions (16, 32, 64), or make width, height or "
            "batch smaller; or use a GPU with more memory."
        )
    if _said_by(facts, "JAX"):
        text = f"{_LESS} JAX takes most of the GPU at its start: beside another program stop that."
        return Fix(text, (_variable(facts, "JAX"),))
    by_another = _said_by(facts, "TensorFlow")
    if by_another or not _speaks(facts, "PyTorch") or not _expandable(facts):
        return Fix(_LESS)
    text = f"{_LESS} If much is reserved and not used, let PyTorch avoid fragments."
    return Fix(text, ("export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",))


def _was_ample(facts: Facts) -> bool:
    asked, free = facts.known(said.MEMORY_ASKED), facts.known(said.MEMORY_FREE)
    total = facts.known(said.MEMORY_TOTAL)
    if asked is None or free is None or total is None:
        return False
    return is_ample(asked, free, total)


def _find_what_was_full(facts: Facts) -> Fix:
    """The free memory was counted after the failure, and is not all that an allocation needs."""
    text = (
        "The free memory was counted after the failure. Watch it while the program starts (the "
        "first command): where it goes to nothing, the program, or another one, asks for more at "
        "once than the message says: make the work smaller, or end the other. "
    )
    watch = "nvidia-smi --query-gpu=memory.free --format=csv -l 1"
    if place_of(facts).system == "Windows":
        text += (
            "Where it does not, Windows' paging file is too small: it has to hold as much again."
        )
        return Fix(text, (watch, "SystemPropertiesPerformance.exe"))
    if not _expandable(facts):
        return Fix(text.rstrip(), (watch,))
    text += "Where it does not, it lies in pieces: let PyTorch avoid them (the second command)."
    return Fix(text, (watch, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"))


#: Whose words a message of missing memory is made of.
_WORDS = {
    "theano": regex(r"(?i)cnmem|theano"),
    "amrex": regex(r"(?i)\bamrex"),
    "vllm": regex(r"(?i)\bvllm\b|gpu_memory_utilization|\bKV cache\b"),
    "darknet": regex(r"(?i)cuDNN isn't found|darknet"),
    "llama.cpp": regex(r"(?i)unable to allocate CUDA\d|\bllama_|\bggml_"),
    "PyTorch": regex(r"Tried to allocate|\btorch\b|PyTorch"),
    "TensorFlow": regex(r"tensorflow|ResourceExhausted|_bfc\b|OOM when allocating"),
    "JAX": regex(r"(?i)\bjax|\bpjrt"),
}
#: What a text is about, and the package of it, where the message itself has no such words.
_TOPICS = {
    "ollama": ("ollama",),
    "llama.cpp": ("llama-cpp", "llama-cpp-python"),
    "PyTorch": ("torch",),
    "TensorFlow": ("tensorflow", "tensorflow-gpu"),
    "JAX": ("jax", "jaxlib"),
    "vllm": ("vllm",),
}


def _speaks(facts: Facts, who: str) -> bool:
    """Whether this program is known to be the one that asks for memory."""
    topics = _TOPICS.get(who, ())
    versions = (facts.known(names.PACKAGE_VERSION(each)) for each in topics)
    about = any(facts.known(said.ABOUT(each)) for each in topics)
    return _said_by(facts, who) or about or any(versions)


def _said_by(facts: Facts, who: str) -> bool:
    """Whether the message itself has its words."""
    words = _WORDS.get(who)
    return words is not None and any(words.search(each) for each in _messages(facts))


def _messages(facts: Facts) -> Iterator[str]:
    for code in facts.subjects(said.ERROR):
        yield facts.known(said.ERROR(code)) or ""
    for sign in _SIGNS:
        yield facts.known(said.SIGN(sign)) or ""


_SIGNS = (
    *("framework-out-of-memory", "engine-out-of-memory", "cudnn-no-algorithm"),
    *("vllm-startup-memory", "tf-cublas-handle", "tf-cudnn-handle"),
)
#: How PyTorch before 2.1 counted: "530.00 MiB reserved in total by PyTorch", "4.90 MiB cached".
_OLD_COUNT = regex(r"reserved in total by PyTorch|B cached\)")


def _expandable(facts: Facts) -> bool:
    """Whether PyTorch knows that setting here: as new as 2.1, and not on Windows."""
    if place_of(facts).system == "Windows":
        return False
    found = Version.parse((facts.known(names.PACKAGE_VERSION("torch")) or "").partition("+")[0])
    if found is not None and found < _FIRST_EXPANDABLE:
        return False
    if _without_fragments(facts):
        return False
    return found is not None or not any(_OLD_COUNT.search(each) for each in _messages(facts))


#: "61.74 MiB is reserved by PyTorch but unallocated"
_UNALLOCATED = regex(
    r"(?a)(?<![\d.])(\d{1,9}(?:\.\d{1,4})?) ([KMG])iB is reserved by PyTorch but unallocated"
)
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _without_fragments(facts: Facts) -> bool:
    """Whether all that is free, together with what PyTorch holds unused, is less than is asked."""
    asked, free = facts.known(said.MEMORY_ASKED), facts.known(said.MEMORY_FREE)
    found = next((hit for each in _messages(facts) if (hit := _UNALLOCATED.search(each))), None)
    if asked is None or free is None or found is None:
        return False
    return free + float(found[1]) * _UNITS[found[2]] < asked


REPAIRS = {
    "oom-other-process": see_who_holds_it,
    "oom-preallocation": grow_on_demand,
    "oom-workload": fit_the_work,
}


def enlarge_paging_file() -> Fix:
    """Windows promises no more than main memory and paging files hold, be it used or not."""
    return Fix.by_user(
        "Start fewer processes: on Windows each worker of a DataLoader loads all of CUDA anew; "
        "num_workers (of YOLO --workers) of 0 to 2 shows whether they are it. Or enlarge the "
        "paging file, which takes room on a disk: Advanced system settings > Performance > "
        "Advanced > Virtual memory, and restart.",
        ("SystemPropertiesPerformance.exe",),
        undo="set the paging file to its former size and restart",
    )
