"""The JSON document keeps its schema."""

from __future__ import annotations

import json

import pytest

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.report.json import dumps, rules_document, snapshot_document
from support.samples import SAMPLES, broken, no_gpu_here, unknown
from support.schemas import complaints


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("redact", [True, False])
def test_document_fits_the_schema(name: str, redact: bool):
    document = SAMPLES[name]().to_dict(redact=redact)
    assert complaints("report", json.loads(json.dumps(document))) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("verdict",), "fine"),
        (("schema",), 2),
        (("checks", "found"), -1),
        (("findings", 0, "code"), "203"),
        (("findings", 0, "fix", "safety"), "harmless"),
        (("facts", "driver.version"), {"source": "no value"}),
        (("overrides", "HOME"), "/home/alice"),
    ],
)
def test_schema_refuses_what_it_should(path: tuple[str | int, ...], value: object) -> None:
    document = broken().to_dict()
    place: object = document
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = value  # type: ignore[index]
    assert complaints("report", document) != []


def test_absent_and_unknown_facts_are_told_apart():
    facts = no_gpu_here().to_dict()["facts"]
    assert isinstance(facts, dict)
    assert facts["libcuda.path"] == {"value": None, "source": "the loader's search path"}
    assert set(facts["driver.cuda"]) == {"unknown", "how"}


def test_root_cause_is_null_where_nothing_is_concluded():
    assert unknown().to_dict()["root_cause"] is None


def test_root_cause_names_code_name_and_cause():
    assert broken().to_dict()["root_cause"] == {
        "code": "GP203",
        "name": "driver-too-old",
        "cause": "driver-too-old",
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_counts_add_up_to_the_catalogue(name: str):
    counts = SAMPLES[name]().to_dict()["checks"]
    assert isinstance(counts, dict)
    assert sum(counts.values()) == 6


def test_what_crashed_is_listed():
    crashed = unknown().to_dict()["crashed"]
    assert [each["where"] for each in crashed] == ["GP801 breaks", "collector"]  # type: ignore[attr-defined]


def test_snapshot_is_a_part_of_the_report():
    report = broken()
    snapshot = snapshot_document(report)
    whole = report.to_dict(redact=False)
    assert snapshot == {name: whole[name] for name in snapshot}
    assert "facts" in snapshot
    assert "verdict" not in snapshot


def test_rules_are_listed_with_their_link():
    document = rules_document(rules())["rules"]
    assert isinstance(document, list)
    assert document[0]["code"] == "GP101"
    assert document[0]["link"] == "hardware"


def test_text_that_no_encoding_can_hold_is_still_json():
    text = dumps({"path": "caf\udce9"}).encode("utf-8", "backslashreplace").decode()
    assert json.loads(text) == {"path": "caf\udce9"}
