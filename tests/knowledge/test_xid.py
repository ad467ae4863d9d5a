"""The table of Xid events."""

from __future__ import annotations

import pytest

from gpuprobe.knowledge import tables
from gpuprobe.knowledge.xid import by_number

NUMBERS = [row.integer("xid") for row in tables.load("xid").section("xids")]


@pytest.mark.parametrize(("number", "blames"), [(79, "device"), (31, "program"), (45, "follows")])
def test_event_tells_who_is_mostly_to_blame(number: int, blames: str):
    event = by_number(number)
    assert event is not None
    assert event.blames == blames


def test_number_that_is_not_listed_is_no_event():
    assert by_number(9999) is None


def test_blame_is_one_of_four():
    found = {event.blames for number in NUMBERS if (event := by_number(number)) is not None}
    assert found == {"device", "program", "follows", "notice"}


def test_row_that_was_not_read_word_for_word_says_so():
    assert {number for number in NUMBERS if not by_number(number).verified} == {61}
