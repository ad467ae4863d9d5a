"""Look into the program itself."""

from __future__ import annotations

from ..model import Fix


def find_the_access() -> Fix:
    """Find the line of a kernel that reaches outside its memory."""
    return Fix(
        "The set-up works; the program does something that the GPU refuses. CUDA reports such "
        "errors late, so let each call wait for its end, or run once on the CPU, where the message "
        "names the line. After such an error the process has to be started anew.",
        ("CUDA_LAUNCH_BLOCKING=1 python PROGRAM", "compute-sanitizer python PROGRAM"),
    )


def mend_the_program(what: str) -> Fix:
    """`what` is a whole sentence that says what to change."""
    return Fix(f"The set-up works. {what}")
