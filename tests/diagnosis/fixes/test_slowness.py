"""Fixes for a GPU that is slowed down."""

from __future__ import annotations

import pytest

from support.pasted import finding

HOT = "GPU: {}\nDriver temperature threshold met on GPU #3. Expect reduced performance.\n"


@pytest.mark.parametrize(
    ("gpu", "words"), [("gtx 1050 (laptop)", "charger"), ("gtx 1050", "power cables")]
)
def test_only_a_card_has_power_cables(gpu: str, words: str) -> None:
    assert words in finding(HOT.format(gpu)).fix.text
