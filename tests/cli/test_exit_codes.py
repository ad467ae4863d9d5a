"""The table of exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.commands import Gpuprobe

TABLE = {
    ("healthy", "error"): 0,
    ("healthy", "warning"): 0,
    ("healthy", "never"): 0,
    ("degraded", "error"): 0,
    ("degraded", "warning"): 1,
    ("degraded", "never"): 0,
    ("broken", "error"): 1,
    ("broken", "warning"): 1,
    ("broken", "never"): 0,
    ("unknown", "error"): 3,
    ("unknown", "warning"): 3,
    ("unknown", "never"): 0,
}


@pytest.mark.parametrize(("verdict", "fail_on"), TABLE)
def test_exit_code_of_a_verdict(
    verdict: str, fail_on: str, gpuprobe: Gpuprobe, snapshots: dict[str, str]
):
    ran = gpuprobe("--json", "--from", snapshots[verdict], "--fail-on", fail_on)
    assert ran.json()["verdict"] == verdict
    assert ran.code == TABLE[verdict, fail_on]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--no-such-option",),
        ("no-such-command",),
        ("doctor", "--level", "deepest"),
        ("doctor", "--only", "GP999"),
        ("doctor", "--skip", ","),
        ("doctor", "--from", "no-such-file"),
        ("doctor", "stray"),
        ("rule",),
        ("rule", "GP999"),
        ("devices", "--format", "junit"),
        ("snapshot", "--format", "text"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_told_on_standard_error(
    arguments: tuple[str, ...], gpuprobe: Gpuprobe
):
    ran = gpuprobe(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("gpuprobe: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("rules",), ("rule", "GP101")])
def test_answers_are_0(arguments: tuple[str, ...], gpuprobe: Gpuprobe):
    ran = gpuprobe(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out


MEANT = [
    (("visible", "-1,0"), "stands behind --: gpuprobe visible -- -1,0 (gpuprobe visible --help)"),
    (("run", "--visible", "-1,0", "--", "true"), "written with =: --visible=-1"),
    (
        ("run", "--min-free", "10XB", "--", "true"),
        "'10XB' is no size with a unit, as 10GiB or 10GB",
    ),
    (("--format", "html", "--json"), "argument --json: not allowed with argument --format"),
    (("--from", "x", "--level", "deep"), "--level is how far this machine is looked at"),
    (("lock", "--from", "x", "--level", "deep"), "--level is how far this machine is looked at"),
    (("diff", "x", "y", "--level", "deep"), "neither A nor B is it"),
    (
        ("choose",),
        "there is no command 'choose'; it is gpuprobe.choose in Python (gpuprobe --help)",
    ),
    (("DOCTOR",), "did you mean 'doctor'?"),
    (("gp203",), "a finding is explained by gpuprobe rule gp203"),
    (("help", "driver-too-old"), "a finding is explained by gpuprobe rule driver-too-old"),
    (("--level", "quick", "devices"), "a command stands first: gpuprobe devices"),
    (("doctor", "--jsn"), "did you mean --json? (gpuprobe doctor --help)"),
    (("run", "--vis=0", "--", "true"), "did you mean --visible? (gpuprobe run --help)"),
    (("doctor", "--l", "quick"), "did you mean --level or --lock?"),
    (("--noredact",), "did you mean --no-redact?"),
    (("snapshot", "x.json"), "named by -o: gpuprobe snapshot -o FILE"),
    (("lock", "x.json"), "named by -o: gpuprobe lock -o FILE"),
    (("verify", "0"), "named by --device: gpuprobe verify --device 0"),
    (("rule", "GP4"), "'GP4' begins GP401 to GP4"),
    (("devises",), "there is no command 'devises'; did you mean 'devices'?"),
    (("rule", "GP999"), "no check has the code or name 'GP999'; did you mean"),
    (("rule", "driver-old"), "did you mean 'driver-too-old'? `gpuprobe rules` lists them"),
    (("--only", "driver-old"), "did you mean 'driver-too-old'?"),
]


@pytest.mark.parametrize(("arguments", "told"), MEANT, ids=[" ".join(each) for each, _ in MEANT])
def test_refusal_tells_the_way_out(arguments: tuple[str, ...], told: str, gpuprobe: Gpuprobe):
    ran = gpuprobe(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_another_option_is_no_value_with_a_dash(gpuprobe: Gpuprobe):
    assert "behind --" not in gpuprobe("visible", "--nope").err


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", ""),
        ("nodes", ""),
        ("diff", "", "."),
        ("diff", ".", ""),
        ("doctor", "--from", ""),
        ("doctor", "--lock", ""),
        ("doctor", "-o", ""),
        ("lock", "--from="),
    ],
    ids=" ".join,
)
def test_a_file_without_a_name_is_wrong_usage(arguments: tuple[str, ...], gpuprobe: Gpuprobe):
    """`gpuprobe explain "$LOG"` where LOG is not set: no folder is meant."""
    ran = gpuprobe(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "the name is empty; is a variable not set?" in ran.err
