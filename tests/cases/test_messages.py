"""What programs say in their own sources: no warning that is harmless alarms anybody."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.causes import CAUSES
from support.cases import Case, explained, load

CASES = load("messages")


@pytest.mark.parametrize("case", [each for each in CASES if each.is_healthy], ids=lambda c: c.id)
def test_harmless_message_raises_no_alarm(case: Case):
    assert explained(case.text) in {"unknown", *case.expected, *case.acceptable}


def test_messages_have_names_of_their_own_and_known_causes():
    assert len({case.id for case in CASES}) == len(CASES)
    for case in CASES:
        assert case.expected
        assert set(case.expected + case.acceptable) <= {*CAUSES, "unknown"}
