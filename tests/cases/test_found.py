"""Machines of threads, found or recalled: the healthy stay healthy, the sets are well formed."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.causes import CAUSES
from support.cases import Case, explained, load

CASES = load("found") + load("recalled")


@pytest.mark.parametrize("case", [each for each in CASES if each.is_healthy], ids=lambda c: c.id)
def test_healthy_machine_raises_no_alarm(case: Case):
    named = explained(case.text)
    assert named == "unknown" or case.accepts(named)


def test_cases_have_names_of_their_own_and_known_causes():
    assert len({case.id for case in CASES}) == len(CASES)
    for case in CASES:
        assert case.expected
        assert set(case.expected + case.acceptable) <= {*CAUSES, "unknown"}
