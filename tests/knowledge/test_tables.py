"""The tables as files: their layout, their sources, and that reading them is put off."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gpuprobe.knowledge import tables

DATA = Path(tables.__file__).parent / "data"
NAMES = sorted(path.stem for path in DATA.glob("*.json"))
#: What the words of a text pull toward was learned, not read somewhere.
STATED = [name for name in NAMES if name != "likeness"]


def records(table: tables.Table):
    for section in table.sections:
        if section != "sources":
            for row in table.section(section):
                yield section, row


def canonical(text: str) -> str:
    """The one layout of a table: a record a line, so that a diff shows records."""
    blocks = []
    for name, value in json.loads(text).items():
        if isinstance(value, str):
            blocks.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
        else:
            lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in value)
            blocks.append(f" {json.dumps(name)}: [\n{lines}\n ]")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_table_holds_one_record_a_line(name: str):
    text = (DATA / f"{name}.json").read_text(encoding="utf-8")
    assert canonical(text) == text


@pytest.mark.parametrize("name", NAMES)
def test_every_record_names_sources_that_the_table_explains(name: str):
    table = tables.load(name)
    explained = {row.text("id") for row in table.section("sources")}
    for section, row in records(table):
        unknown = set(row.texts("sources")) - explained
        assert not unknown, (section, row.source)


@pytest.mark.parametrize("name", STATED)
def test_every_source_is_used_and_has_an_address(name: str):
    table = tables.load(name)
    used = {source for _, row in records(table) for source in row.texts("sources")}
    for row in table.section("sources"):
        assert row.text("id") in used
        assert row.text("url")


@pytest.mark.parametrize("name", STATED)
def test_a_record_without_a_source_is_marked_unverified(name: str):
    for section, row in records(tables.load(name)):
        if section != "notes" and not row.texts("sources"):
            assert not row.verified, (section, row.names, row.source)


@pytest.mark.parametrize("name", NAMES)
def test_no_record_stands_twice(name: str):
    content = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    for section, rows in content.items():
        if isinstance(rows, list):
            lines = [json.dumps(row, sort_keys=True) for row in rows]
            assert len(set(lines)) == len(lines), section


@pytest.mark.parametrize("name", NAMES)
def test_no_field_is_null_or_empty(name: str):
    content = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    for rows in content.values():
        for row in rows if isinstance(rows, list) else ():
            for field, value in row.items():
                assert value not in (None, "", {}), (field, row)
                assert value != [] or field in ("sources", "ptx"), (field, row)


def test_a_missing_table_is_a_table_error_with_the_name_in_it():
    with pytest.raises(tables.TableError, match="no_such_table"):
        tables.load("no_such_table")


def test_a_record_of_the_wrong_type_names_table_section_and_field():
    table = tables.Table("t", {"sources": [], "rows": [{"code": "7"}]})
    [row] = table.section("rows")
    with pytest.raises(tables.TableError, match=r"t\.json, rows: 'code'"):
        row.integer("code")


def test_a_number_that_has_to_be_there_is_never_assumed():
    table = tables.Table("t", {"sources": [], "rows": [{"bias": -0.5}]})
    [row] = table.section("rows")
    assert row.number("bias") == -0.5
    with pytest.raises(tables.TableError, match=r"t\.json, rows: 'rarity' is no number"):
        row.number("rarity")


def test_absent_is_none_and_never_zero():
    table = tables.Table("t", {"sources": [], "rows": [{"sources": []}]})
    [row] = table.section("rows")
    assert (row.text_or_none("x"), row.integer_or_none("x"), row.flag_or_none("x")) == (None,) * 3


def test_a_source_that_the_table_does_not_explain_is_an_error():
    table = tables.Table("t", {"sources": [], "rows": [{"sources": ["ghost"]}]})
    with pytest.raises(tables.TableError, match="ghost"):
        _ = table.section("rows")[0].source


def test_the_source_text_names_table_source_and_date():
    source = {"id": "a", "url": "u", "read": "2026-01-02"}
    rows = [{"sources": ["a"], "unverified": True}]
    table = tables.Table("t", {"sources": [source], "rows": rows})
    assert table.section("rows")[0].source == "table t/rows [a], read 2026-01-02, unverified"


def test_importing_the_look_ups_opens_no_table():
    modules = sorted(path.stem for path in DATA.parent.glob("*.py") if path.stem != "__init__")
    program = f"""
import sys
opened = []
def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".json"):
        opened.append(arguments[0])
sys.addaudithook(watch)
import importlib
for name in {modules!r}:
    importlib.import_module(f"gpuprobe.knowledge.{{name}}")
assert not opened, opened
assert "json" not in sys.modules and "packaging" not in sys.modules
"""
    subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}{program}"], check=True
    )


def test_a_table_is_read_once():
    assert tables.load("driver_cuda") is tables.load("driver_cuda")


if __name__ == "__main__":
    # After an edit by hand: bring every table into its layout.
    for path in DATA.glob("*.json"):
        path.write_text(canonical(path.read_text(encoding="utf-8")), encoding="utf-8")
