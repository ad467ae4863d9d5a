"""Memory that a library takes as it is imported, or TensorFlow of each GPU that it sees."""

from __future__ import annotations

import pytest

from support.cases import ruled

ROW = (
    "|   {}  Tesla V100          On   | 0000:0{}:00.0     Off |                    0 |\n"
    "| N/A   39C    P0    63W / 250W |  {}MiB / 16160MiB |     {}%      Default |\n"
)
TF = "tensorflow: 1.12, only one of the GPUs is to work\n\n"
FULL = ROW.format(0, 3, 15700, 80) + ROW.format(1, 4, 15700, 0)
SETTING = 'os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"\nimport jax\n\n'
TAKEN = "oom-preallocation"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("jax: 0.4.20\nUpon importing evosax the GPU memory is occupied at once.\n", TAKEN),
        (
            "jax: 0.4.20\n20 GB are taken right after `import brax`, nothing is computed yet.\n",
            TAKEN,
        ),
        ("torch: 2.1\nUpon importing evosax the GPU memory is occupied at once.\n", "unknown"),
        ("jax: 0.4.20\nIf you import it, memory may be used.\n", "unknown"),
        (TF + FULL, TAKEN),
        (SETTING + "The variable is ignored, 75% of the GPU are in use.\n", TAKEN),
        (SETTING + "It takes all the GPU memory at the first call.\n", TAKEN),
        (SETTING + "It takes little memory now.\n", "unknown"),
    ],
)
def test_memory_is_taken_before_it_is_needed(text: str, cause: str) -> None:
    """Of frameworks that do so, and of no others."""
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "torch: 2.1, only one of the GPUs is to work\n\n" + FULL,
        TF + ROW.format(0, 3, 15700, 80) + ROW.format(1, 4, 3, 0),
        TF + ROW.format(0, 3, 15700, 80) + ROW.format(1, 4, 15700, 70),
    ],
)
def test_other_full_gpus_are_somebodys_work(text: str) -> None:
    """Where both work, one is free, or no TensorFlow is there."""
    assert ruled(text) != TAKEN
