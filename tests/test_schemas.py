"""Every command's JSON has its schema, and what is printed fits."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from gpuprobe.cli import main
from gpuprobe.cli.commands import COMMANDS
from gpuprobe.facts.lockfile import LockError, demands_of
from gpuprobe.knowledge.visible_devices.model import Fate, Kind
from scenarios import SCENARIOS
from support.child import run_python
from support.scenario import stage
from support.schemas import ALWAYS, check, complaints, documents, schemas, validator

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.fakes import Fakes

#: Machines on which GPUs, processes, instances or reasons are of every kind.
MACHINES = (
    *("healthy-h100", "two-different-cards", "one-of-two-chosen", "container-with-gpu"),
    *("mig-two-instances", "one-of-eight-lost", "full-by-another-process", "no-permission"),
    *("not-supported", "driver-missing", "no-device", "wsl-healthy", "jetson-orin"),
    *("older-nvjitlink-first", "nvml-15-stops-all"),
)


def parts(schema: object, place: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Every schema inside of one, with its place."""
    if isinstance(schema, dict):
        yield place, schema
        for name, inner in schema.items():
            yield from parts(inner, f"{place}/{name}")
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            yield from parts(inner, f"{place}/{number}")


def all_parts() -> Iterator[tuple[str, dict[str, object]]]:
    """Of all schemas, the objects whose fields are named."""
    for file, schema in schemas().items():
        yield from ((at, part) for at, part in parts(schema, f"{file}#") if "properties" in part)


def target(ref: str, file: str) -> dict[str, object]:
    """What a reference leads to."""
    name, _, pointer = ref.partition("#")
    found: object = schemas()[name or file]
    for step in pointer.strip("/").split("/"):
        found = found[step]  # type: ignore[index]
    assert isinstance(found, dict)
    return found


def told(field: dict[str, object], file: str) -> bool:
    """Whether a field is described, here or where it is defined."""
    if "description" in field or "$ref" not in field:
        return "description" in field
    name = str(field["$ref"]).partition("#")[0]
    return told(target(str(field["$ref"]), file), name or file)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_that_prints_json_has_a_schema(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main((command, "--help"))
    prints = "--json" in capsys.readouterr().out
    assert (command in documents()) == prints
    if prints:
        assert f"`gpuprobe {command}" in validator(documents()[command]).schema["description"]


def test_each_schema_is_that_of_a_command() -> None:
    names = {*documents().values(), "error"}
    assert set(schemas()) == {f"{name}-1.schema.json" for name in names}


@pytest.mark.parametrize("file", schemas())
def test_each_schema_is_one(file: str) -> None:
    schema = schemas()[file]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == file
    assert "Fields may be added within schema 1, never renamed or removed." in str(
        schema["description"]
    )


@pytest.mark.parametrize(("place", "part"), [*all_parts()], ids=lambda each: str(each)[:60])
def test_each_object_is_closed_and_each_field_is_described(
    place: str, part: dict[str, dict[str, dict[str, object]]]
) -> None:
    file = place.partition("#")[0]
    assert part["additionalProperties"] is False
    assert set(part["required"]) <= set(part["properties"])
    assert [name for name, each in part["properties"].items() if not told(each, file)] == []


def test_words_of_entries_are_those_that_there_are() -> None:
    entry = schemas()["visible-1.schema.json"]["$defs"]["entry"]["properties"]  # type: ignore[index]
    assert entry["kind"]["enum"] == [each.value for each in Kind]
    assert entry["fate"]["enum"] == [each.value for each in Fate]


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_printed_of_a_machine_fits(name: str, fakes: Fakes, tmp_path: Path) -> None:
    [scenario] = (each for each in SCENARIOS if each.name == name)
    made = stage(scenario, fakes, tmp_path)
    for command in (("devices",), ("memory",), ("visible", "0,GPU-1"), ("libraries",), ("lock",)):
        done = run_python(made.environment("override"), "-m", "gpuprobe", *command, "--json")
        assert json.loads(done.stdout)


@pytest.mark.parametrize("command", [("rules",), ("rule", "GP203")])
def test_what_is_printed_of_rules_fits(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main((*command, "--json"))
    check((*command, "--json"), code, *capsys.readouterr())


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [
        ("nodes", "more", 1),
        ("nodes", "nodes", [{"node": "a", "verdict": "fine", "root_cause": None, "words": ""}]),
        ("memory", "gpus", [{}]),
        ("rules", "schema", 2),
    ],
)
def test_what_is_otherwise_is_refused(command: str, field: str, value: object) -> None:
    tool = {"name": "gpuprobe", "version": "0"}
    bare = {
        "nodes": {"nodes": []},
        "memory": {"gpus": [], "none_because": None},
        "rules": {"rules": []},
    }
    document = {"schema": 1, "tool": tool, **bare[command]}
    assert complaints(documents()[command], document) == []
    assert complaints(documents()[command], {**document, field: value}) != []


@pytest.mark.parametrize(
    ("fields", "is_lock"),
    [
        ({"python": "3.11", "gpus": [{"capability": ">=8.0", "count": ">=1"}]}, True),
        ({"packages": {"torch": "2.3", "jax": {"version": ">=0.4"}}}, True),
        ({"system": "Linux", "libraries": {"cudnn": "9"}}, True),
        ({"drivr": "550"}, False),
        ({"packages": {"torch": {"cuda": "12.1"}}}, False),
        ({"gpus": [{"capability": 8.0}]}, False),
    ],
)
def test_a_lock_that_is_edited_by_hand_is_read_where_it_fits(
    fields: dict[str, object], is_lock: bool
) -> None:
    lock = {"gpuprobe_lock": 1, **fields}
    assert (complaints("lock", lock) == []) == is_lock
    with nullcontext() if is_lock else pytest.raises(LockError):
        demands_of(json.dumps(lock), "here")


def test_what_always_prints_json_is_held_against_its_schema() -> None:
    assert set(ALWAYS) <= set(documents())
    with pytest.raises(AssertionError):
        check(("snapshot",), 0, "{}", "")
