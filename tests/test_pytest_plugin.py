"""The plug-in, seen from outside: small test files, run by a pytest of their own.

The machines have no GPU, a broken one, a working one, or two.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

import pytest

from scenarios.driver import LIBRARY_MISMATCH
from scenarios.hardware import NO_DEVICE
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from support.scenario import stage

if TYPE_CHECKING:
    from support.fakes import Fakes
    from support.scenario import Scenario

pytest_plugins = ["pytester"]

#: Hypothesis would be imported anew by every pytest, and none of them uses it.
LEAN = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")

ONE_OF_EACH = """
import pytest

@pytest.mark.needs_gpu
def test_marked():
    pass

def test_with_fixture(gpu):
    assert gpu.ordinal == 0

def test_plain():
    pass
"""


class Run(Protocol):
    """Runs pytest in a process of its own on another machine."""

    def __call__(self, scenario: Scenario, text: str, *arguments: str) -> pytest.RunResult: ...


@pytest.fixture
def run(
    fakes: Fakes,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    def on(scenario: Scenario, text: str, *arguments: str) -> pytest.RunResult:
        machine = stage(scenario, fakes, tmp_path_factory.mktemp("machine"))
        for name, value in machine.environment("override").items():
            monkeypatch.setenv(name, value)
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess(*LEAN, *arguments, timeout=120)

    # What the outer run was told is not meant for the inner one.
    for name in (
        "PYTEST_ADDOPTS",
        "PYTEST_XDIST_WORKER",
        "GPUPROBE_PYTEST",
        "CUDA_VISIBLE_DEVICES",
    ):
        monkeypatch.delenv(name, raising=False)
    return on


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


def test_summary_counts_an_absent_gpu_without_alarm(run: Run):
    result = run(NO_DEVICE, ONE_OF_EACH, "--color=yes")
    [line] = [line for line in result.outlines if "2 skipped, absent: GP101" in line]
    assert "\x1b" not in line


def test_no_summary_where_all_ran(run: Run):
    run(HEALTHY_H100, ONE_OF_EACH).stdout.no_fnmatch_line("*did not run*")


def test_nothing_is_touched_when_no_gpu_test_is_selected(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
):
    trace = tmp_path_factory.mktemp("trace") / "ran"
    probe = trace.with_name("probe")
    probe.write_text(f"#!/bin/sh\ntouch '{trace}'\n")
    probe.chmod(0o755)
    monkeypatch.setenv("GPUPROBE_PROBE", str(probe))
    text = (
        ONE_OF_EACH
        + """
def test_nothing_of_the_doctor_is_imported():
    import sys
    assert not {"gpuprobe.examine", "gpuprobe.facts", "gpuprobe.diagnosis"} & set(sys.modules)
"""
    )
    run(HEALTHY_H100, text, "-k", "test_plain or imported").assert_outcomes(passed=2, deselected=2)
    assert not trace.exists()
    run(HEALTHY_H100, ONE_OF_EACH, "-k", "marked")
    assert trace.exists(), "the trap does not work"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/self/maps is Linux")
def test_process_of_the_tests_loads_no_driver(run: Run):
    text = """
def test_maps(gpu):
    with open("/proc/self/maps") as maps:
        assert "libcuda" not in maps.read()
"""
    run(HEALTHY_H100, text).assert_outcomes(passed=1)


NEEDS = """
import pytest

@pytest.mark.needs_gpu({needs})
def test_gpu(gpu):
    print("got", gpu.name)
"""


@pytest.mark.parametrize(
    ("needs", "name"),
    [
        ("", "RTX 4090"),
        ("count=2", "RTX 4090"),
        ("min_capability='8.9'", "RTX 4090"),
        ("min_memory=12 * 2**30", "RTX 4090"),
        ("count=2, min_capability='8.6', min_memory=8 * 2**30", "RTX 4090"),
    ],
)
def test_met_needs_run(run: Run, needs: str, name: str):
    result = run(TWO_DIFFERENT_CARDS, NEEDS.format(needs=needs), "-rP")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"got *{name}"])


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ("count=3", "needs 3 GPUs"),
        ("count=2, min_capability='8.9'", "needs 2 GPUs of compute capability 8.9"),
        ("min_memory=40 * 2**30", "needs 1 GPU with 40.0 GiB"),
        ("min_capability='9.0'", "needs 1 GPU of compute capability 9.0"),
    ],
)
def test_unmet_needs_say_what_is_there(run: Run, needs: str, told: str):
    result = run(TWO_DIFFERENT_CARDS, NEEDS.format(needs=needs), "-rs", "--gpuprobe=strict")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"SKIPPED*{told}*RTX 4090*RTX 3060*"])


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ("dtype='bfloat16'", "needs_gpu(dtype=*) cannot be judged yet"),
        ("library='cudnn'", "needs_gpu(library=*) cannot be judged yet"),
        ("memory=1", "no argument memory"),
        ("2", "no argument 2"),
        ("count=0", "count=0*expected 1 or more"),
        ("min_memory='8GB'", "min_memory='8GB'*expected bytes"),
        ("min_capability='sm_80'", "min_capability='sm_80'*expected '8.0'"),
    ],
)
def test_needs_that_cannot_be_judged_are_usage_errors(run: Run, needs: str, told: str):
    result = run(NO_DEVICE, NEEDS.format(needs=needs))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*test_gpu*{told}*"])


def test_ini_key_adopts_a_marker_of_the_project(run: Run, pytester: pytest.Pytester):
    pytester.makeini("[pytest]\ngpuprobe_marker = cuda\nmarkers = cuda: theirs\n")
    text = """
import pytest

@pytest.mark.cuda("their", own="arguments")
def test_theirs():
    pass
"""
    run(NO_DEVICE, text).assert_outcomes(skipped=1)


WHICH = """
import os, pytest

@pytest.mark.parametrize("number", range(8))
def test_which(gpu, number):
    print("worker sees", os.environ["CUDA_VISIBLE_DEVICES"], "of", gpu.name)
"""


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (None, {"0 of NVIDIA GeForce RTX 4090", "1 of NVIDIA GeForce RTX 3060"}),
        ("1,0", {"0 of NVIDIA GeForce RTX 4090", "1 of NVIDIA GeForce RTX 3060"}),
    ],
)
def test_each_worker_has_a_gpu_of_the_callers_list(
    run: Run, monkeypatch: pytest.MonkeyPatch, listed: str | None, expected: set[str]
):
    pytest.importorskip("xdist")
    if listed is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", listed)
    result = run(TWO_DIFFERENT_CARDS, WHICH, "-n", "2", "-rP", "--dist=each")
    result.assert_outcomes(passed=16)
    seen = {line[12:] for line in result.outlines if line.startswith("worker sees ")}
    assert seen == expected


def test_single_gpu_is_shared_by_the_workers(run: Run):
    pytest.importorskip("xdist")
    text = (
        ONE_OF_EACH
        + """
def test_list_is_left_alone(gpu):
    import os
    assert "CUDA_VISIBLE_DEVICES" not in os.environ
"""
    )
    run(HEALTHY_H100, text, "-n", "2").assert_outcomes(passed=4)


@pytest.mark.parametrize(("mode", "outcome"), [("auto", "skipped"), ("require", "errors")])
def test_gpus_that_only_xdist_hides_are_not_called_missing(run: Run, mode: str, outcome: str):
    pytest.importorskip("xdist")
    text = NEEDS.format(needs="count=2")
    result = run(TWO_DIFFERENT_CARDS, text, "-n", "1", "-rs", f"--gpuprobe={mode}")
    result.assert_outcomes(**{outcome: 1})
    result.stdout.fnmatch_lines(["*needs 2 GPUs; under pytest-xdist each worker sees one GPU*"])


def test_gpus_that_are_nowhere_are_missing_under_xdist_too(run: Run):
    pytest.importorskip("xdist")
    text = NEEDS.format(needs="count=3")
    result = run(TWO_DIFFERENT_CARDS, text, "-n", "1", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*needs 3 GPUs; there is: *RTX 4090*RTX 3060*"])
