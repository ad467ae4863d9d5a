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


@pytest.mark.parametrize(("system", "told"), [("Ubuntu 22.04", True), ("Windows 11", False)])
def test_the_service_that_lets_a_laptops_cap_rise_is_of_linux(system: str, *, told: bool) -> None:
    text = finding(f"OS: {system}\n{HOT.format('gtx 1050 (laptop)')}").fix.text
    assert ("On Linux" in text) == told
