"""The made machines: of every kind, the same in each run, and no healthy one alarmed."""

from __future__ import annotations

from collections import Counter

import pytest

from cases.made import cases
from gpuprobe.diagnosis.causes import CAUSES
from support.cases import Case, explained

FEWEST = 150
HEALTHY = [case for case in cases() if case.is_healthy]


def test_there_are_many_and_no_two_are_alike():
    texts = Counter(case.text for case in cases())
    assert len(texts) >= FEWEST
    assert [text for text, count in texts.items() if count > 1] == []


def test_causes_are_those_that_gpuprobe_can_name():
    named = {cause for case in cases() for cause in case.expected + case.acceptable}
    assert named <= set(CAUSES)


def test_they_are_the_same_in_each_run():
    again = cases.__wrapped__()
    assert again == cases()


@pytest.mark.parametrize("case", HEALTHY, ids=lambda case: case.id)
def test_healthy_machine_is_called_healthy(case: Case):
    assert explained(case.text) == "healthy"
