"""Questions that a second run answers: the same program, with one thing changed.

What it changes is a variable of that one run, so that nothing has to be taken back. What no text
states is what each `tells`, so that it is asked however much is told.
"""

from __future__ import annotations

from ..model import Reading
from ..shells import set_variable
from .model import Commands, Platform, Question, everywhere, on_linux

_AGAIN = "run your program once like this, and see what changes"
_BY_NONE = ("cuda.kernel.outcome",)


def _with(*variables: str) -> dict[Platform, Commands]:
    """A run with these variables, as a shell and as PowerShell have it."""
    commands = on_linux(f"{' '.join(variables)} python PROGRAM")
    pairs = (each.split("=", 1) for each in variables)
    there = (set_variable(name, value, windows=True) for name, value in pairs)
    commands[Platform.WINDOWS] = (*there, "python PROGRAM")
    return commands


BEFORE_START = Question(
    "variable-before-start",
    _with("CUDA_VISIBLE_DEVICES=1"),
    _BY_NONE,
    (
        Reading("it uses the other GPU now", "the line that sets the variable in the program comes "
                "too late.", ("visible-devices-too-late",)),
        Reading("it uses the same as before", "what starts it, or the program itself, chooses "
                "the GPU.", ("hidden-by-visible-devices", "user-code")),
    ),
    text="run your program once with the number of the GPU that you want, and watch nvidia-smi",
)  # fmt: skip
WITHOUT_PATH = Question(
    "without-search-path",
    on_linux("env -u LD_LIBRARY_PATH python PROGRAM"),
    _BY_NONE,
    (
        Reading("it works", "a folder that the variable names holds a library that is in the way.",
                ("library-path-conflict",)),
        Reading("it fails in the same way", "the variable is not at fault: look at the libraries "
                "that pip or conda brought.", ("cuda-libs-mismatch", "cudnn-mismatch")),
    ),
    text=_AGAIN,
)  # fmt: skip
ON_DEMAND = Question(
    "memory-on-demand",
    _with("TF_FORCE_GPU_ALLOW_GROWTH=true", "XLA_PYTHON_CLIENT_PREALLOCATE=false"),
    _BY_NONE,
    (
        Reading("it works", "the framework had taken the memory in advance.",
                ("oom-preallocation",)),
        Reading("it fails in the same way", "the work needs more, or another process has it: "
                "nvidia-smi tells.", ("oom-workload", "oom-other-process")),
    ),
    text=_AGAIN,
)  # fmt: skip
BLOCKING = Question(
    "launch-blocking",
    _with("CUDA_LAUNCH_BLOCKING=1"),
    _BY_NONE,
    (
        Reading("the traceback ends in a line of the program", "what that line calls is at fault: "
                "its indices, shapes or pointers.", ("user-code",)),
        Reading("other programs fail as well, or on this one GPU only", "the GPU or its driver is "
                "at fault.", ("device-lost",)),
    ),
    text=_AGAIN,
)  # fmt: skip
MODE = Question(
    "compute-mode",
    everywhere("nvidia-smi --query-gpu=index,compute_mode --format=csv"),
    ("gpu.0.compute_mode",),
    (
        Reading('"Exclusive_Process" or "Prohibited"', "the mode keeps a second process out, or "
                "all.", ("device-busy",)),
        Reading('"Default"', "the mode is not at fault: see who holds the memory.",
                ("oom-other-process", "device-lost")),
    ),
)  # fmt: skip
