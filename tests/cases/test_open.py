"""Every open case: a real machine, the text that was pasted, the cause that was confirmed."""

from __future__ import annotations

import pytest

from support.cases import Case, explained, load

#: Cases that are not right yet, each with its reason. A case that has become right fails here
#: (strict), so that the list can only become shorter.
NOT_YET: dict[str, str] = {}


def parameters() -> list[object]:
    marks = {name: pytest.mark.xfail(reason=reason) for name, reason in NOT_YET.items()}
    return [
        pytest.param(case, id=case.id, marks=[marks[case.id]] if case.id in marks else [])
        for case in load("open")
    ]


@pytest.mark.parametrize("case", parameters())
def test_confirmed_cause_is_named(case: Case):
    assert case.accepts(explained(case.text))


def test_list_of_those_that_are_not_right_names_only_cases_that_there_are():
    assert set(NOT_YET) <= {case.id for case in load("open")}
