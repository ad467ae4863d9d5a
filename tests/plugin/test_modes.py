"""What a GPU test does on machines with no GPU, a broken one, a working one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scenarios.driver import CRASH, LIBRARY_MISMATCH, STUB_FIRST
from scenarios.hardware import NO_DEVICE
from scenarios.healthy import HEALTHY_H100
from support.plugin import NEEDS, ONE_OF_EACH, Run

if TYPE_CHECKING:
    from support.scenario import Scenario

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("scenario", "mode", "outcomes"),
    [
        (NO_DEVICE, "auto", {"skipped": 2, "passed": 1}),
        (NO_DEVICE, "strict", {"skipped": 2, "passed": 1}),
        (NO_DEVICE, "require", {"errors": 2, "passed": 1}),
        (NO_DEVICE, "off", {"skipped": 2, "passed": 1}),
        (LIBRARY_MISMATCH, "auto", {"skipped": 2, "passed": 1}),
        (LIBRARY_MISMATCH, "strict", {"errors": 2, "passed": 1}),
        (LIBRARY_MISMATCH, "require", {"errors": 2, "passed": 1}),
        (LIBRARY_MISMATCH, "off", {"skipped": 2, "passed": 1}),
        (HEALTHY_H100, "auto", {"passed": 3}),
        (HEALTHY_H100, "strict", {"passed": 3}),
        (HEALTHY_H100, "require", {"passed": 3}),
        (HEALTHY_H100, "off", {"skipped": 2, "passed": 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "name", ""),
)
def test_mode_decides(run: Run, scenario: Scenario, mode: str, outcomes: dict[str, int]):
    run(scenario, ONE_OF_EACH, f"--gpuprobe={mode}").assert_outcomes(**outcomes)


def test_without_an_option_the_mode_is_auto(run: Run):
    run(NO_DEVICE, ONE_OF_EACH).assert_outcomes(skipped=2, passed=1)


def test_variable_sets_the_mode(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPROBE_PYTEST", "require")
    run(NO_DEVICE, ONE_OF_EACH).assert_outcomes(errors=2, passed=1)


def test_option_goes_before_the_variable(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPROBE_PYTEST", "require")
    run(NO_DEVICE, ONE_OF_EACH, "--gpuprobe=auto").assert_outcomes(skipped=2, passed=1)


def test_unknown_mode_in_the_variable_is_a_usage_error(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GPUPROBE_PYTEST", "maybe")
    result = run(NO_DEVICE, ONE_OF_EACH)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*GPUPROBE_PYTEST='maybe'*auto, strict, require, off*"])


def test_skip_reason_is_the_finding_and_its_fix(run: Run):
    result = run(LIBRARY_MISMATCH, ONE_OF_EACH, "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*GP202*535.104.05*To mend it: *"])


def test_whole_fix_is_told_where_its_first_command_only_looks(run: Run):
    result = run(CRASH, ONE_OF_EACH, "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*To mend it: dpkg -S *, then sudo apt *--reinstall*"])


def test_skips_are_told_at_their_tests(run: Run):
    result = run(NO_DEVICE, ONE_OF_EACH, "-rs")
    result.stdout.fnmatch_lines(
        ["SKIPPED ?1? test_skips_are_told_at_their_tests.py:3: *", "SKIPPED ?1? *.py:7: *"]
    )
    result.stdout.no_fnmatch_line("SKIPPED*pytest_plugin.py*")


def test_nothing_is_called_a_repair_where_nothing_needs_one(run: Run):
    result = run(NO_DEVICE, ONE_OF_EACH, "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*GP101*nothing needs to be repaired*"])
    result.stdout.no_fnmatch_line("*To mend it*")


@pytest.mark.parametrize("way", ["--gpuprobe", "GPUPROBE_PYTEST"])
def test_who_switched_the_tests_off_is_told(run: Run, monkeypatch: pytest.MonkeyPatch, way: str):
    if way.startswith("--"):
        result = run(NO_DEVICE, ONE_OF_EACH, "-rs", "--gpuprobe=off")
    else:
        monkeypatch.setenv(way, "off")
        result = run(NO_DEVICE, ONE_OF_EACH, "-rs")
    result.stdout.fnmatch_lines([f"SKIPPED*are switched off by {way}=off"])


def test_summary_counts_by_cause_with_broken_in_red(run: Run):
    result = run(LIBRARY_MISMATCH, ONE_OF_EACH, "--color=yes")
    [line] = [line for line in result.outlines if "2 skipped, broken: GP202" in line]
    assert line.startswith("\x1b[31m")


def test_the_summary_that_is_documented_is_the_one_that_is_printed(run: Run):
    page = Path(__file__).parents[2] / "docs" / "pytest.md"
    _, line, _ = page.read_text(encoding="utf-8").split("```text\n")[1].split("\n", 2)
    twelve = NEEDS.format(needs="").replace("@", '@pytest.mark.parametrize("n", range(12))\n@', 1)
    result = run(LIBRARY_MISMATCH, twelve.replace("(gpu)", "(gpu, n)"))
    result.stdout.fnmatch_lines([line.replace("…", "*")])


def test_summary_counts_an_absent_gpu_without_alarm(run: Run):
    result = run(NO_DEVICE, ONE_OF_EACH, "--color=yes")
    [line] = [line for line in result.outlines if "2 skipped, absent: GP101" in line]
    assert "\x1b" not in line


LATE = """
def test_late(request):
    request.getfixturevalue("gpu")
"""


def test_summary_counts_a_test_that_asks_for_its_gpu_late(run: Run):
    result = run(NO_DEVICE, LATE, "--gpuprobe=require")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["1 failed, absent: GP101 *"])


OWN_PROPERTIES = """
import pytest

def test_own(record_property):
    record_property("gpuprobe", "mine")
    pytest.skip("mine")

def test_odd(record_property):
    record_property("gpuprobe", ["a", "list"])
    record_property("gpuprobe_reason", "a list")
    assert False
"""


def test_properties_that_a_test_records_itself_are_left_alone(run: Run):
    result = run(HEALTHY_H100, OWN_PROPERTIES)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(skipped=1, failed=1)
    result.stdout.no_fnmatch_line("*did not run*")


def test_reason_is_for_other_eyes(run: Run, monkeypatch: pytest.MonkeyPatch):
    """CI shows it to all, and JUnit's file keeps it."""
    monkeypatch.setenv("HOME", "/usr/local/cuda")
    result = run(STUB_FIRST, ONE_OF_EACH, "-rs")
    told = "GP204 ~/lib64/stubs/libcuda.so is the toolkit's stub*"
    result.stdout.fnmatch_lines([f"2 skipped, broken: {told}", f"SKIPPED*: {told}"])


TWO_LOOKS = """
from pathlib import Path
import os, gpuprobe

def libraries_used():
    return len(Path(os.environ["GPUPROBE_FAKE_REPORT"]).read_text().splitlines())

def test_once(gpu):
    before = libraries_used()
    gpuprobe.doctor()
    assert libraries_used() == 2 * before
"""


def test_machine_is_looked_at_once(run: Run):
    run(HEALTHY_H100, TWO_LOOKS).assert_outcomes(passed=1)


def test_no_summary_where_all_ran(run: Run):
    run(HEALTHY_H100, ONE_OF_EACH).stdout.no_fnmatch_line("*did not run*")


def test_nothing_is_touched_when_no_gpu_test_is_selected(run: Run, asked: Path):
    text = (
        ONE_OF_EACH
        + """
def test_nothing_of_the_doctor_is_imported():
    import sys
    assert not {"gpuprobe.examine", "gpuprobe.facts", "gpuprobe.diagnosis"} & set(sys.modules)
"""
    )
    run(HEALTHY_H100, text, "-k", "test_plain or imported").assert_outcomes(passed=2, deselected=2)
    assert not asked.exists()
    run(HEALTHY_H100, ONE_OF_EACH, "-k", "marked")
    assert asked.exists(), "the trap does not work"


def test_nothing_is_looked_at_where_all_are_off(run: Run, asked: Path):
    run(HEALTHY_H100, ONE_OF_EACH, "--gpuprobe=off").assert_outcomes(skipped=2, passed=1)
    assert not asked.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/self/maps is Linux")
def test_process_of_the_tests_loads_no_driver(run: Run):
    text = """
def test_maps(gpu):
    with open("/proc/self/maps") as maps:
        assert "libcuda" not in maps.read()
"""
    run(HEALTHY_H100, text).assert_outcomes(passed=1)
