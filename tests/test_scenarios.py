"""Every scenario from end to end: the doctor's verdict, its one root cause, and its snapshot."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict, cast

import pytest

import gpuprobe
from gpuprobe.cli import main
from gpuprobe.device import devices_in
from gpuprobe.facts.model import Facts
from gpuprobe.facts.snapshot import facts_from_json, facts_to_json
from gpuprobe.memory import holders_in
from gpuprobe.report.json import devices_document, memory_document
from scenarios import SCENARIOS
from support.child import run_python
from support.commands import FACTS
from support.scenario import WAYS, Expected, Scenario, Stage, Way, stage
from support.schemas import check, complaints
from support.vendor import is_installed

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

EXIT_CODES = {"healthy": 0, "degraded": 0, "broken": 1, "unknown": 3}


class Root(TypedDict):
    code: str
    name: str
    cause: str


class FindingRow(TypedDict):
    code: str
    name: str
    cause: str
    role: str


class Document(TypedDict):
    """The part of the doctor's JSON that is looked at here."""

    source: str
    verdict: str
    root_cause: Root | None
    findings: list[FindingRow]
    checks: dict[str, int]
    overrides: dict[str, str]


def doctor(made: Stage, way: Way, *arguments: str) -> tuple[Document, int]:
    """The document that `gpuprobe` prints, and its exit code."""
    own = "libcuda.so.1" not in made.scenario.driver_files() and is_installed("libcuda.so.1")
    if way == "search" and own:
        pytest.skip("this machine's own driver would be found")
    command = ("-m", "gpuprobe", "doctor", "--json", *arguments)
    done = run_python(made.environment(way), *command, before=made.before())
    assert "Traceback" not in done.stderr, done.stderr
    document = json.loads(done.stdout)
    assert "error" not in document, document
    return cast("Document", document), done.returncode


def concluded(document: Document) -> Expected:
    """What a document says, in the words of a scenario."""
    root = document["root_cause"]
    if root is None:
        return Expected(document["verdict"], None)
    beside = [row["name"] for row in document["findings"] if row["role"] == "independent"]
    return Expected(document["verdict"], root["cause"], root["name"], tuple(beside))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_a_scenario_has_its_root_cause_and_no_other(
    scenario: Scenario, way: Way, fakes: Fakes, tmp_path: Path
) -> None:
    document, code = doctor(stage(scenario, fakes, tmp_path), way)
    assert concluded(document) == scenario.expect
    assert code == EXIT_CODES[scenario.expect.verdict]
    assert document["checks"]["crashed"] == 0


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_a_redacted_snapshot_gives_the_verdict_of_the_machine(
    scenario: Scenario, fakes: Fakes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = stage(scenario, fakes, tmp_path)
    file, other = tmp_path / "snapshot.json", tmp_path / "other.json"
    other.write_text(json.dumps({"facts": facts_to_json(Facts(FACTS["degraded"]))}))
    command = ("-m", "gpuprobe", "snapshot", "-o", str(file))
    written = run_python(made.environment("override"), *command, before=made.before())
    assert written.returncode == 0, written.stderr
    for gpu in scenario.gpus:
        assert gpu.uuid not in file.read_text()
    # Judged in this process, which sees another machine: neither the tree nor the libraries.
    code = main(("doctor", "--from", str(file), "--json"))
    document = cast("Document", json.loads(capsys.readouterr().out))
    assert document["source"] == "snapshot"
    assert concluded(document) == scenario.expect
    assert code == EXIT_CODES[scenario.expect.verdict]
    # And so it is where what the terminal shows is pasted: whatever was found still is.
    main(("doctor", "--from", str(file)))
    pasted = gpuprobe.explain(f"Hello,\n\n{capsys.readouterr().out}\nWhat now?")
    root = pasted.diagnosis.root
    assert pasted.verdict.value == scenario.expect.verdict
    assert (root and root.rule.name) == scenario.expect.name
    # And whatever else is made of it fits its schema.
    for command in (("nodes",), ("diff", str(other)), ("lock", "--from")):
        arguments = (*command, str(file), "--json")
        check(arguments, main(arguments), *capsys.readouterr())
    facts, _ = facts_from_json(json.loads(file.read_text())["facts"])
    devices = devices_in(facts)
    listed = devices_document([each.to_dict() for each in devices])
    held = memory_document([each.to_dict() for each in holders_in(devices)])
    assert complaints("devices", json.loads(json.dumps(listed))) == []
    assert complaints("memory", json.loads(json.dumps(held))) == []


def test_overrides_are_shown_and_searches_are_not(fakes: Fakes, tmp_path: Path) -> None:
    made = stage(SCENARIOS[0], fakes, tmp_path)
    shown, _ = doctor(made, "override")
    assert shown["overrides"] == {
        "GPUPROBE_ROOT": str(made.tree),
        "GPUPROBE_LIBCUDA": str(made.library("libcuda.so.1")),
        "GPUPROBE_LIBNVML": str(made.library("libnvidia-ml.so.1")),
    }
    searched, _ = doctor(made, "search")
    assert searched["overrides"] == {"GPUPROBE_ROOT": str(made.tree)}


def test_the_names_of_scenarios_are_different() -> None:
    names = [scenario.name for scenario in SCENARIOS]
    assert sorted(set(names)) == sorted(names)
