"""A GPU that power, heat or a narrow link slows down, told by Windows and a Jetson."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    "text",
    [
        "With the undervolt my card never draws above 200 W and is as fast as stock.\n",
        "My GPU never gets above 60 watts in light games, which is lovely.\n",
    ],
)
def test_kin_of_a_gpu_that_is_slowed_down_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


POWERD = "/usr/bin/nvidia-powerd[1017]: Failed to get Processor Power Budget\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"The card draws about 20 W.\n{POWERD}", "power-thermal"),
        (f"Games are slower than on Windows.\n{POWERD}", "power-thermal"),
        (POWERD, "unknown"),
        ("The card draws about 20 W.\n", "unknown"),
        ("The card is fast until, once it is hot, it draws fewer watts.", "power-thermal"),
        ("The GPU is slowed down so that it stays at 84 degrees.", "power-thermal"),
        ("The GPU would be slowed down so that it stays at 84 degrees?", "unknown"),
        ("Once the GPU is hot, the fan turns.", "unknown"),
    ],
)
def test_a_card_without_watts_or_too_hot_is_slow(text: str, cause: str):
    assert ruled(f"GPU: RTX 4060 Laptop\n\n{text}\n") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("GPU power stays at 70 W under full load, Windows takes it to 140 W", "power-thermal"),
        ("Issue: the card is stuck at 80W", "power-thermal"),
        ("the GPU stays at 12 W when it is idle", "unknown"),
        ("Is the GPU power limited to 80 W?", "unknown"),
    ],
)
def test_somebody_says_that_watts_are_held_back(line: str, cause: str):
    assert ruled(f"GPU: RTX 4080 Laptop\nOS: Ubuntu 24.04\n\n{line}\n") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("one card slows down from 1500mhz to 405mhz after a few minutes", "power-thermal"),
        ("the card goes from 1500 MHz to 1400 MHz", "unknown"),
        ("Driver temperature threshold met on GPU #3. Expect reduced performance.",
         "power-thermal"),
        ("Jetson Orin NX: 'System throttled due to over-current.'", "power-thermal"),
        ("Jetson Orin NX: over-current protection is a feature", "unknown"),
    ],
)  # fmt: skip
def test_a_gpu_is_slowed_down(line: str, cause: str):
    assert ruled(f"{line}\n") == cause
