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
