"""Make room on the GPU."""

from __future__ import annotations

from ..model import Fix, Safety


def see_who_holds_it() -> Fix:
    """Find the other process."""
    return Fix(
        "See which processes hold the memory (a notebook that was left open, a run that did not "
        "end), and end those that are yours; or use another GPU.",
        ("nvidia-smi", "fuser -v /dev/nvidia*"),
    )


def end_stopped_job() -> Fix:
    """End what Ctrl+Z has only stopped."""
    return Fix(
        "End the job that was stopped, in the shell that started it: kill %NUMBER, with the number "
        "that jobs shows. Ctrl+C ends a program, Ctrl+Z only stops it.",
        ("jobs",),
        Safety.USER,
    )


def grow_on_demand() -> Fix:
    """Let the framework take memory as it needs it."""
    return Fix(
        "Let the framework take memory as it needs it, not most of the GPU at its start; set the "
        "variable before the program starts.",
        (
            "export TF_FORCE_GPU_ALLOW_GROWTH=true  # TensorFlow",
            "export XLA_PYTHON_CLIENT_PREALLOCATE=false  # JAX",
        ),
    )


def fit_the_work() -> Fix:
    """Ask for less."""
    return Fix(
        "Make the work smaller: batch size, length of the context, precision, or a smaller model; "
        "or use a GPU with more memory. If much is reserved and not used, let PyTorch avoid "
        "fragments.",
        ("export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",),
    )


REPAIRS = {
    "oom-other-process": see_who_holds_it,
    "oom-preallocation": grow_on_demand,
    "oom-workload": fit_the_work,
}
