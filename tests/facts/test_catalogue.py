"""The catalogue, its document, and what collectors write: one list of names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpuprobe.facts import collect as collecting
from gpuprobe.facts import locked, names, reported, said
from gpuprobe.facts.collect import collect
from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Family, Key, Known
from gpuprobe.facts.names import catalogue
from gpuprobe.facts.probe import Probe
from gpuprobe.facts.snapshot import find_key
from gpuprobe.facts.version import Version

PAGE = Path(__file__).parents[2] / "docs" / "facts.md"
ROW = re.compile(r"^\| `([a-z_.{}]+)` \| (\w+) \| (.+) \| `(.+)` \|$", re.MULTILINE)
TYPES = {str: "text", int: "int", float: "float", bool: "bool", Version: "version", tuple: "texts"}

#: What collectors find on a machine, and what only a text can tell.
EVERYTHING = (*catalogue(), *said.catalogue(), *locked.catalogue(), *reported.catalogue())


def name_of(row: Key[object] | Family[object]) -> str:
    return row.name if isinstance(row, Key) else row.pattern


def test_the_page_lists_every_fact_with_its_type_and_no_other():
    rows = [(match[1], match[2]) for match in ROW.finditer(PAGE.read_text(encoding="utf-8"))]
    assert sorted(rows) == sorted((name_of(row), TYPES[row.type]) for row in EVERYTHING)


def test_names_are_different():
    found = [name_of(row) for row in EVERYTHING]
    assert sorted(set(found)) == sorted(found)


def test_no_name_of_a_family_is_also_another():
    keys = {row.name for row in EVERYTHING if isinstance(row, Key)}
    families = [row for row in EVERYTHING if isinstance(row, Family)]
    assert [row("x").name for row in families if row("x").name in keys] == []


def test_this_machine_yields_only_names_of_the_catalogue_and_values_of_their_types():
    facts = collect(Machine.here(), "quick")
    for name, fact in facts.items():
        key = find_key(name)
        assert key is not None, name
        if isinstance(fact, Known):
            assert type(fact.value) is key.type, name
    assert facts.need(names.COLLECT_BROKEN) == ()


def test_every_fact_of_the_catalogue_has_a_collector_that_owes_it():
    machine = Machine("/nowhere")
    probe = Probe({"GPUPROBE_PROBE": "/nowhere"}, lambda _: None)
    owed = [
        name_of(row)
        for each in collecting.collectors(machine, "quick", probe)
        for row in each.writes
    ]
    runner = [name_of(names.COLLECT_BROKEN)]
    assert sorted(owed + runner) == sorted(name_of(row) for row in catalogue())


@pytest.mark.parametrize("row", EVERYTHING, ids=name_of)
def test_every_fact_tells_how_a_person_finds_it_out(row: Key[object] | Family[object]):
    assert row.how.strip()
