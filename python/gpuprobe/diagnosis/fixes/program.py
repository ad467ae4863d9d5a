"""Look into the program itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.regex import regex
from ..model import Fix
from ..questions.place import place_of
from ..shells import start_with

if TYPE_CHECKING:
    from ...facts.model import Facts


def _blocking(facts: Facts) -> tuple[str, ...]:
    windows = place_of(facts).system == "Windows"
    return start_with("CUDA_LAUNCH_BLOCKING", "1", "python PROGRAM", windows=windows)


def find_the_access(facts: Facts) -> Fix:
    """Find the line of a kernel that reaches outside its memory."""
    return Fix(
        "The set-up works; the program does something that the GPU refuses. CUDA reports such "
        "errors late, so let each call wait for its end, or run once on the CPU, where the message "
        "names the line. After such an error the process has to be started anew.",
        (*_blocking(facts), "compute-sanitizer python PROGRAM"),
    )


_LABEL = (
    "A class label is not one of 0 to the number of classes less 1: look at the labels and at the "
    "size of the last layer; ignore_index names a label that is to be left out."
)
_ROW = (
    "An index lies beyond the table that it is looked up in, as in nn.Embedding or index_select: "
    "compare the largest token or index, and the longest input, with its size."
)
_ENTROPY = (
    "A value for binary_cross_entropy is not between 0 and 1, or is NaN: put a sigmoid in front, "
    "or take binary_cross_entropy_with_logits."
)
_PROBABILITY = (
    "A probability to draw from is negative, infinite or NaN: look at what the model gives out, in "
    "half precision above all."
)
_INDEX = "An index lies outside the tensor that it is used on."
#: What PyTorch's kernels assert, and what is wrong where it does not hold.
_MEANINGS = (
    (regex(r"\bn_classes\b|\bcur_target\b|\btarget\b|\blabel"), _LABEL),
    (regex(r"srcSelectDimSize|out of range in self"), _ROW),
    (regex(r"\binput_val\b|>= 0(?:\.0*)?f? && \S+ <= 1"), _ENTROPY),
    (regex(r"\bval >= zero\b|\bcumdist\b|\bsum > (?:0|accZero)"), _PROBABILITY),
    (regex(r"idx_dim|index_size|\bsizes?\b|out of bounds|\bindex\b|\bidx\b"), _INDEX),
)


def keep_the_condition(facts: Facts, condition: str) -> Fix:
    """Say what a kernel's assertion is about; of one that is not known, how to find its line."""
    meaning = next((words for found, words in _MEANINGS if found.search(condition)), None)
    if meaning is None:
        return find_the_access(facts)
    text = (
        f"The set-up works. {meaning} CUDA reports such errors late: so started, or on the CPU, "
        "the message names the line."
    )
    return Fix(text, _blocking(facts))


def finish_in_time() -> Fix:
    """Windows and X end what keeps a display's GPU for longer than some seconds."""
    return Fix(
        "The set-up works. A GPU that drives a display may compute for a few seconds at a time: "
        "let each kernel do less (a smaller batch or picture), or compute on a GPU without a "
        "display, which the command tells. Windows takes a longer limit from TdrDelay in its "
        "registry (in seconds), X the option Interactive off.",
        ("nvidia-smi --query-gpu=index,name,display_active --format=csv",),
    )


def launch_fewer_threads() -> Fix:
    """A block's threads times the registers of each are more than a multiprocessor has."""
    return Fix(
        "The set-up works. Start the kernel with fewer threads in a block: each of them takes "
        "registers, and together they are more than the GPU has. Or compile it for fewer "
        "registers: __launch_bounds__, nvcc --maxrregcount; in Julia maxregs, in Numba "
        "max_registers.",
        ("nvcc --resource-usage SOURCE.cu",),
    )


def mend_the_program(what: str) -> Fix:
    """`what` is a whole sentence that says what to change."""
    return Fix(f"The set-up works. {what}")
