"""Facts as JSON and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import names, said
from gpuprobe.facts.model import Absent, Fact, Facts, Family, Key, Known, Unknown, Value
from gpuprobe.facts.names import catalogue
from gpuprobe.facts.snapshot import SnapshotError, facts_from_json, facts_to_json, find_key
from gpuprobe.facts.version import Version

from .test_strict import ANYTHING

VALUES: dict[type, st.SearchStrategy[Value]] = {
    bool: st.booleans(),
    int: st.integers(-(2**64) + 1, 2**64 - 1),  # no more is measured, nor read
    float: st.floats(allow_nan=False, allow_infinity=False),
    str: st.text(),
    tuple: st.lists(st.text()).map(tuple),
    Version: st.lists(st.integers(0, 9999), min_size=1, max_size=4).map(
        lambda parts: Version.of(*parts)
    ),
}


def key_of(row: Key[object] | Family[object]) -> Key[object]:
    return row if isinstance(row, Key) else row("0")


KEYS = [key_of(row) for row in (*catalogue(), *said.catalogue())]


@st.composite
def some_facts(draw: st.DrawFn) -> Facts:
    facts: dict[str, Fact[Value]] = {}
    for key in draw(st.lists(st.sampled_from(KEYS))):
        known = VALUES[key.type].map(lambda value: Known(value, "a place"))
        others = st.just(Absent("a place")) | st.text().map(Unknown)
        facts[key.name] = draw(known | others)
    return Facts(facts)


@given(some_facts())
def test_facts_survive_json(facts: Facts):
    read, skipped = facts_from_json(json.loads(json.dumps(facts_to_json(facts))))
    assert dict(read) == dict(facts)
    assert list(read) == list(facts)
    assert skipped == ()


def test_the_three_kinds_are_written_as_promised():
    facts = Facts(
        {
            "driver.version": Known(Version("535.104.05"), "nvmlSystemGetDriverVersion"),
            "libcuda.path": Absent("ld.so.cache"),
            "gpu.0.uuid": Unknown("not in the text"),
            "container.nvidia_traces": Known(("a", "b"), "sysfs"),
        }
    )
    assert facts_to_json(facts) == {
        "driver.version": {"value": "535.104.05", "source": "nvmlSystemGetDriverVersion"},
        "libcuda.path": {"value": None, "source": "ld.so.cache"},
        "gpu.0.uuid": {"unknown": "not in the text", "how": "nvidia-smi -L"},
        "container.nvidia_traces": {"value": ["a", "b"], "source": "sysfs"},
    }


def test_names_of_a_newer_version_are_left_out_and_told():
    data = {
        "os.system": {"value": "Linux", "source": "uname"},
        "quantum.bits": {"value": 3, "source": "x", "new": True},
        "gpu.0.1.uuid": {"value": "x", "source": "x"},
    }
    facts, skipped = facts_from_json(data)
    assert list(facts) == ["os.system"]
    assert skipped == ("quantum.bits", "gpu.0.1.uuid")


def test_further_fields_of_a_fact_are_passed_over():
    data = {"os.system": {"value": "Linux", "source": "uname", "since": "2.0"}}
    assert facts_from_json(data)[0].need(names.OS_SYSTEM) == "Linux"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, "facts: expected an object, found null"),
        ([], "facts: expected an object, found []"),
        ({"os.system": "Linux"}, "facts['os.system']: expected an object, found \"Linux\""),
        ({"os.system": {}}, "facts['os.system']: expected an object with 'source', found {}"),
        ({"os.system": {"source": "x"}}, "facts['os.system']: expected an object with 'value'"),
        ({"os.system": {"value": 3, "source": "x"}}, "facts['os.system'].value: expected a text"),
        (
            {"driver.version": {"value": "new", "source": "x"}},
            'facts[\'driver.version\'].value: expected a version such as "12.4", found "new"',
        ),
        ({"gpu.0.sms": {"value": True, "source": "x"}}, "facts['gpu.0.sms'].value: expected an i"),
        ({"gpu.0.sms": {"value": 1 << 64, "source": "x"}}, "expected an integer, found 1844674407"),
        ({"gpu.0.sms": {"value": -(10**999), "source": "x"}}, "expected an integer, found -1000"),
        ({"cuda.init.ms": {"value": 10**999, "source": "x"}}, "expected a number, found 1000"),
        ({"cuda.init.ms": {"value": float("nan"), "source": "x"}}, "expected a number, found NaN"),
        ({"cuda.init.ms": {"value": float("inf"), "source": "x"}}, "a number, found Infinity"),
        ({"module.nouveau.loaded": {"value": 1, "source": "x"}}, "expected true or false, found 1"),
        (
            {"container.nvidia_traces": {"value": ["a", 2], "source": "x"}},
            "facts['container.nvidia_traces'].value[1]: expected a text, found 2",
        ),
        ({"os.system": {"unknown": 3}}, "facts['os.system'].unknown: expected a text, found 3"),
    ],
)
def test_garbage_is_refused_with_its_place(data: object, told: str):
    with pytest.raises(SnapshotError) as caught:
        facts_from_json(data)
    assert told in str(caught.value)


@given(st.dictionaries(st.sampled_from([key.name for key in KEYS]) | st.text(), ANYTHING))
def test_any_json_is_facts_or_a_snapshot_error(data: dict[str, object]):
    try:
        facts, skipped = facts_from_json(data)
    except SnapshotError:
        return
    assert len(facts) + len(skipped) == len(data)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_name_of_the_catalogue_is_found_again(key: Key[object]):
    assert find_key(key.name) == key


@pytest.mark.parametrize("name", ["", "gpu..uuid", "gpu.uuid", "gpu.0.1.uuid", "env.", "os"])
def test_what_is_no_name_has_no_key(name: str):
    assert find_key(name) is None
