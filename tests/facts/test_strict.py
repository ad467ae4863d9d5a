"""JSON from others: errors name the place, the expectation and the finding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.strict import GarbageError, Json

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_the_place_is_named_through_objects_and_arrays():
    data = Json.parse('{"devices": [{"name": "a"}, {"name": 3}]}')
    second = list(data.at("devices").items())[1]
    with pytest.raises(GarbageError, match=r"^devices\[1\]\.name: expected a text, found 3$"):
        second.at("name").a(str)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("true", int), ("true", float), ("1", bool), ("1.5", int), ('"1"', int), ("null", str)],
)
def test_types_are_not_mixed_up(text: str, kind: type[int]):
    with pytest.raises(GarbageError, match="the document: expected"):
        Json.parse(text).a(kind)


def test_an_integer_is_a_number():
    number = Json.parse("3").a(float)
    assert number == 3.0
    assert isinstance(number, float)


def test_null_is_a_missing_field():
    assert Json.parse('{"x": null}').opt("x", str) is None
    with pytest.raises(GarbageError, match="an object with 'x'"):
        Json.parse('{"x": null}').at("x")


def test_a_long_value_is_cut_in_the_message():
    with pytest.raises(GarbageError) as caught:
        Json.parse(f'"{"x" * 9999}"').a(int)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "9" * 5000, '{"a": 1}}', "NaN x"])
def test_what_is_no_json_is_said(text: str):
    with pytest.raises(GarbageError, match="not JSON"):
        Json.parse(text)


@given(ANYTHING, st.sampled_from([str, int, float, bool]))
def test_any_value_is_of_the_type_or_refused_with_its_place(value: object, kind: type[int]):
    try:
        found = Json(value, "place").a(kind)
    except GarbageError as error:
        found, told = None, str(error)
    else:
        told = "place: expected "
    assert told.startswith("place: expected ")
    assert found is None or isinstance(found, kind)
