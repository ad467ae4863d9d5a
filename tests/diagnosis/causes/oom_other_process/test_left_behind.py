"""Memory that stays taken when its program was ended."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "When I interrupt training with Ctrl-C the GPU memory is not deallocated.\n",
            "oom-other-process",
        ),
        (
            "After I cancelled it, the memory on the GPUs does not seem to be freed.\n",
            "oom-other-process",
        ),
        ("The memory is not released until the job is finished.\n", "unknown"),
        ("When the batch is done the GPU memory is not released.\n", "unknown"),
    ],
)
def test_who_ends_a_program_expects_its_memory_back(text: str, cause: str) -> None:
    """While it runs, it may well keep it."""
    assert ruled(text) == cause


HELD = """{error}
GPU  PID      Process name     GPU Memory
  0  2505781  serve::worker    100998 MiB
$ ps -o user,pid,ppid,cmd -p 2505781
{row}
"""
NEXT = "The next job gets OOM errors here."


@pytest.mark.parametrize(
    ("error", "row", "cause"),
    [
        (NEXT, "USER   PID      PPID  CMD\nuser   2505781  1     serve::worker", "other"),
        (NEXT, "    PID    PPID CMD\n2505781       1 serve::worker", "other"),
        (NEXT, "USER   PID      PPID  CMD\nuser   2505781  4711  serve::worker", "unknown"),
        (NEXT, "USER   PID      PPID  CMD\nroot   812      1     cron", "unknown"),
        ("The jobs run well.", "    PID    PPID CMD\n2505781       1 serve::worker", "unknown"),
    ],
)
def test_a_process_without_its_parent_keeps_memory(error: str, row: str, cause: str) -> None:
    named = {"other": "oom-other-process"}.get(cause, cause)
    assert ruled(HELD.format(error=error, row=row)) == named
