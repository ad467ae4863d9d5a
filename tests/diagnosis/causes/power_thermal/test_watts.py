"""A GPU that is held at fewer watts than it may take, as somebody tells of both."""

from __future__ import annotations

import pytest

from support.cases import ruled

LAPTOP = "GPU: RTX 4060 Laptop GPU\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LAPTOP + "On Linux the GPU is locked at 60W, while its TGP is 115 W.\n", "power-thermal"),
        (
            LAPTOP + "The card never draws more than 35-40 watts. It is rated for 100 W.\n",
            "power-thermal",
        ),
        (LAPTOP + "power draw of the GPU is only 25W, and the TDP is 80 W\n", "power-thermal"),
        (LAPTOP + "the usage is at 98 %, but it refuses to draw more than 45 W\n", "power-thermal"),
        (LAPTOP + "The power draw is only 25W, of the maximum of 30 W\n", "unknown"),
        (LAPTOP + "I have limited the card to 60 W, its TGP is 115 W\n", "unknown"),
        (LAPTOP + "The card is limited to 60 W to save power, its TGP is 115 W\n", "unknown"),
        (LAPTOP + "The CPU is locked at 45 W, though its TDP is 90 W\n", "unknown"),
        (LAPTOP + "When it is idle the GPU is stuck at 10 W, its TGP is 115 W\n", "unknown"),
    ],
)
def test_watts_far_below_its_own_hold_a_gpu_back(text: str, cause: str) -> None:
    """What its owner chose, a little less, and other parts of the machine do not."""
    assert ruled(text) == cause
