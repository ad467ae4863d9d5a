"""The other commands, and errors in the form that was asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gpuprobe import __version__
from gpuprobe.cli.commands import COMMANDS
from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.facts.collect import STEPS
from gpuprobe.report.terminal import cells

if TYPE_CHECKING:
    from support.commands import Gpuprobe

ROOT = Path(__file__).parents[2]
FORMS = ("text", "json", "markdown", "html")


def test_version(gpuprobe: Gpuprobe):
    assert gpuprobe("--version").out == f"gpuprobe {__version__}\n"


def test_help_lists_every_command(gpuprobe: Gpuprobe):
    text = gpuprobe("--help").out
    assert all(re.search(rf"^  {name} ", text, re.MULTILINE) for name in COMMANDS)
    assert max(map(len, text.splitlines())) <= 80


def test_wrong_option_without_a_command_is_sent_to_the_help_that_lists_them(gpuprobe: Gpuprobe):
    assert "(gpuprobe doctor --help)" in gpuprobe("--lvel", "quick").err


def test_help_of_a_command_is_the_same_either_way_round(gpuprobe: Gpuprobe):
    page = gpuprobe("explain", "--help").out
    for question in (("help", "explain"), ("--help", "explain"), ("-h", "explain", "--json")):
        assert gpuprobe(*question).out == page
    assert gpuprobe("help", "help").out == gpuprobe("--help").out
    assert gpuprobe("help", "nothing").code == 2
    assert gpuprobe("version").out == gpuprobe("--version").out


@pytest.mark.parametrize(
    ("file", "options", "begins"),
    [
        ("r.html", (), "<!DOCTYPE html>"),
        ("r.json", (), "{"),
        ("R.MD", (), "| "),
        ("r.txt", (), "GP101"),
        ("r.xml", (), "GP101"),  # a list of checks has no such form
        ("r.html", ("--format", "text"), "GP101"),
    ],
)
def test_form_of_a_file_is_that_of_its_name(
    gpuprobe: Gpuprobe, tmp_path: Path, file: str, options: tuple[str, ...], begins: str
):
    assert gpuprobe("rules", "-o", str(tmp_path / file), *options).code == 0
    assert (tmp_path / file).read_text(encoding="utf-8").startswith(begins)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, gpuprobe: Gpuprobe):
    ran = gpuprobe(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: gpuprobe {command}")


@pytest.mark.parametrize("form", FORMS)
def test_rules_are_all_listed(form: str, gpuprobe: Gpuprobe):
    text = gpuprobe("rules", "--format", form).out
    assert [rule.code for rule in rules() if rule.code not in text] == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("handle", ["GP101", "gp101", "no-nvidia-gpu"])
def test_rule_is_found_by_code_and_name(form: str, handle: str, gpuprobe: Gpuprobe):
    text = gpuprobe("rule", handle, "--format", form).out
    assert "GP101" in text
    assert "Why it breaks things" in text
    assert "like no GPU" not in text  # of the examples, which are the rule's tests


def test_every_rule_fits_the_terminal_and_leads_nowhere(
    gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "60")
    for rule in rules():
        text = gpuprobe("rule", rule.code).out
        assert max(map(cells, text.splitlines())) <= 60
        assert "](" not in text
        assert "False alarms" in text
        html = gpuprobe("rule", rule.code, "--format", "html").out
        assert f"<h1>{rule.code} {rule.name}</h1>" in html
        assert not re.search(r"^(?:#|\||```)", html, re.MULTILINE)


def test_table_and_link_of_a_page_are_read_without_markdown(gpuprobe: Gpuprobe):
    lines = gpuprobe("rule", "GP207").out.splitlines()
    assert lines[lines.index("999") + 1].startswith("  `device-nodes`: nvidia-uvm answers no more")
    assert '<th scope="col">code</th>' in gpuprobe("rule", "GP207", "--format", "html").out
    assert "docs/visible.md" in gpuprobe("rule", "GP302").out


@pytest.mark.parametrize("form", FORMS)
def test_devices_of_a_machine_without_any(
    form: str, gpuprobe: Gpuprobe, bare_root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    ran = gpuprobe("devices", "--format", form)
    assert ran.code == 0
    if form == "json":
        assert ran.json()["devices"] == []
    else:
        assert "No GPU can be shown" in ran.out


def test_snapshot_can_be_judged(
    gpuprobe: Gpuprobe, bare_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    live = gpuprobe("--json").json()
    gpuprobe("snapshot", "-o", str(tmp_path / "snapshot.json"))
    judged = gpuprobe("--json", "--from", str(tmp_path / "snapshot.json")).json()
    assert judged["root_cause"] == live["root_cause"]
    assert "GPUPROBE_ROOT" in judged["overrides"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "arguments", [("--json", "--nope"), ("--format", "json", "--nope"), ("--format=json", "--nope")]
)
def test_with_json_errors_are_json_too(arguments: tuple[str, ...], gpuprobe: Gpuprobe):
    ran = gpuprobe(*arguments)
    assert ran.out == ""
    assert json.loads(ran.err) == {
        "error": {"kind": "usage", "message": "unrecognized arguments: --nope"}
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_names_of_options_are_written_whole(command: str, gpuprobe: Gpuprobe):
    """A script with the beginning of one would break when a later option begins so too."""
    options = set(re.findall(r"(?<![\w-])--[a-z-]{3,}", gpuprobe(command, "--help").out))
    shortened = {each[:-1] for each in options - {"--help"}} - options
    assert shortened
    for each in shortened:
        ran = gpuprobe(command, f"{each}=x")
        assert (ran.code, f"unrecognized arguments: {each}" in ran.err) == (2, True) or (
            "the following arguments are required" in ran.err
        )


def test_misspelt_command_is_guessed(gpuprobe: Gpuprobe):
    assert "did you mean 'devices'?" in gpuprobe("device").err


def test_level_deep_is_said_to_be_what_it_is(gpuprobe: Gpuprobe):
    """As long as it asks no more than normal, neither the help nor a fact promises more."""
    assert STEPS["deep"] == STEPS["normal"]
    help_text = " ".join(gpuprobe("doctor", "--help").out.split())
    assert "deep: so far the same as normal" in help_text
    catalogue = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    assert "--level deep" not in catalogue


@pytest.mark.parametrize("command", ["devices", "memory"])
def test_empty_list_of_gpus_says_why_in_every_form(
    command: str, bare_root: Path, gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    for form in ("text", "markdown", "html"):
        ran = gpuprobe(command, "--format", form)
        assert ran.code == 0
        told = " ".join(ran.out.replace("\\", "").split())
        assert "No GPU can be shown. This machine has no NVIDIA GPU. `gpuprobe` tells" in told
    document = gpuprobe(command, "--json").json()
    assert document["none_because"] == "This machine has no NVIDIA GPU"


@pytest.mark.parametrize("command", ["devices", "memory"])
def test_list_that_nobody_could_make_is_told_as_that(
    command: str, tmp_path: Path, gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))
    monkeypatch.setenv("GPUPROBE_PROBE", str(tmp_path / "no-such-program"))
    why = str(gpuprobe(command, "--json").json()["none_because"])
    assert why.startswith("Nobody could look: ")
    assert "no-such-program" in why
