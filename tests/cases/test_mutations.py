"""Texts arrive quoted, numbered, coloured, cut and mixed: judged alike, or at least not wrongly."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import gpuprobe
from cases.made import cases as made_cases
from cases.mutations import OF_CONTENT, OF_LOOKS
from gpuprobe.diagnosis.model import Outcome
from support.cases import Case, explained, load

if TYPE_CHECKING:
    from collections.abc import Callable

OPEN = load("open")
#: One made machine of each cause, and all that are healthy.
FIRST = tuple({case.expected: case for case in reversed(made_cases())}.values())
HEALTHY = tuple(case for case in (*OPEN, *made_cases()) if case.is_healthy)
NO_FAULT = ("healthy", "unknown")


def name_of(value: object) -> str:
    return value.id if isinstance(value, Case) else getattr(value, "__name__", str(value))


@pytest.mark.parametrize("change", OF_LOOKS, ids=name_of)
@pytest.mark.parametrize("case", [*OPEN, *FIRST], ids=name_of)
def test_what_only_looks_different_gets_the_same_answer(case: Case, change: Callable[[str], str]):
    assert explained(change(case.text)) == explained(case.text)


@pytest.mark.parametrize("change", OF_CONTENT, ids=name_of)
@pytest.mark.parametrize("case", HEALTHY, ids=name_of)
def test_healthy_machine_in_pieces_raises_no_alarm(case: Case, change: Callable[[str], str]):
    assert explained(change(case.text)) in (*NO_FAULT, *case.acceptable)


@pytest.mark.parametrize("change", OF_CONTENT, ids=name_of)
@pytest.mark.parametrize("case", [*OPEN, *FIRST], ids=name_of)
def test_pieces_of_a_text_break_no_check(case: Case, change: Callable[[str], str]):
    assert gpuprobe.explain(change(case.text)).diagnosis.count(Outcome.CRASHED) == 0


@pytest.mark.parametrize(("first", "second"), [*pairwise(OPEN)], ids=name_of)
def test_two_logs_in_one_break_no_check(first: Case, second: Case):
    report = gpuprobe.explain(f"{first.text}\n\n{second.text}")
    assert report.diagnosis.count(Outcome.CRASHED) == 0


@pytest.mark.parametrize(("first", "second"), [*pairwise(HEALTHY)], ids=name_of)
def test_two_healthy_machines_in_one_raise_no_alarm(first: Case, second: Case):
    named = explained(f"{first.text}\n\n{second.text}")
    assert named in (*NO_FAULT, *first.acceptable, *second.acceptable)
