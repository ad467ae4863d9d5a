"""The value in a living process: set in time, too late, in a fork, for a while.

Each test runs a child on a machine of four GPUs, whose libcuda it may start.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY
from support.child import run_python
from support.scenario import Scenario, Stage, stage
from support.visible_machines import FOUR, UUIDS

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

#: What each child begins with: `start()` starts CUDA in it, `tell(…)` prints for the test.
BEGIN = """
import ctypes, json, os
from gpuprobe import visible
NAME = "CUDA_VISIBLE_DEVICES"
def start():
    return ctypes.CDLL(os.environ["GPUPROBE_LIBCUDA"]).cuInit(0)
def tell(*words):
    print(json.dumps(words), flush=True)
def refused(work, *arguments):
    try:
        work(*arguments)
    except (visible.TooLateError, visible.NotVisibleError) as error:
        return [type(error).__name__, str(error)]
"""


@pytest.fixture
def four(fakes: Fakes, tmp_path: Path) -> Stage:
    return stage(Scenario(name="four", expect=HEALTHY, gpus=FOUR), fakes, tmp_path)


def told(made: Stage, code: str, **variables: str) -> list[object]:
    """What the child told, all in one list; it sees `variables` from its start."""
    block = "\0".join(f"{name}={value}" for name, value in variables.items())
    environ = made.tree / "proc" / "self" / "environ"
    environ.parent.mkdir(parents=True, exist_ok=True)
    environ.write_text(f"PATH=/usr/bin\0{block}\0")
    done = run_python(made.environment("override") | variables, "-c", BEGIN + code)
    assert done.returncode == 0, done.stderr
    return [word for line in done.stdout.splitlines() for word in json.loads(line)]


def test_looking_starts_nothing(four: Stage) -> None:
    code = """
tell(visible.explain().process.state)
ctypes.CDLL(os.environ["GPUPROBE_LIBCUDA"])
tell(visible.explain().process.state, visible.explain("1").process)
"""
    assert told(four, code) == ["not loaded", "not started", None]


def test_what_os_environ_does_not_know_is_taken_away_too(four: Stage) -> None:
    code = """
os.putenv(NAME, "1")
tell(os.environ.get(NAME), visible.explain().value)
visible.set(None)
tell(visible.explain().value)
"""
    assert told(four, code) == [None, "1", None]


def test_without_uuids_nobody_knows_whether_it_is_too_late(fakes: Fakes, tmp_path: Path) -> None:
    code = """
start()
found = visible.explain()
tell(found.process.devices, found.too_late, "nobody can tell" in str(found))
os.environ[NAME] = "0,1"
tell(visible.explain().too_late)
"""
    faults = {"cuDeviceGetUuid_v2": 999, "cuDeviceGetUuid": 999, "nvmlInit_v2": 999}
    four = Scenario(name="four", expect=HEALTHY, gpus=FOUR, faults=faults)
    expected = [[None] * 4, None, True, True]
    assert told(stage(four, fakes, tmp_path), code) == expected


def test_value_set_in_time_is_what_cuda_starts_with(four: Stage) -> None:
    code = """
tell(visible.set([2, 0]), os.environ[NAME], start())
found = visible.explain()
tell(found.process.devices, found.too_late, found.agrees, found.is_sound)
"""
    expected = ["2,0", "2,0", 0, [UUIDS[2], UUIDS[0]], False, True, True]
    assert told(four, code) == expected


def test_what_was_set_unchecked_is_not_what_the_process_was_given(four: Stage) -> None:
    """Where the environment at the start cannot be read (Windows, macOS)."""
    code = """
os.unlink(os.path.join(os.environ["GPUPROBE_ROOT"], "proc/self/environ"))
tell(visible.set("1", check=False), visible.set("0,1"))
"""
    assert told(four, code) == ["1", "0,1"]


def test_what_the_program_itself_set_is_not_what_the_process_was_given(four: Stage) -> None:
    code = 'os.environ[NAME] = "0"; visible.set("1"); tell(os.environ[NAME])'
    assert told(four, code) == ["1"]


def test_value_that_comes_too_late_is_said_to_be(four: Stage) -> None:
    code = """
start()
os.environ[NAME] = "1"
found = visible.explain()
tell(found.too_late, len(found.process.devices), found.devices, "Too late" in str(found))
"""
    assert told(four, code) == [True, 4, [UUIDS[1]], True]


def test_setting_another_value_too_late_raises_and_changes_nothing(four: Stage) -> None:
    code = """
start()
[name, text] = refused(visible.set, "1")
tell(name, "4 devices" in text, os.environ.get(NAME))
tell(refused(visible.set, "0,1,2,3"))
tell(os.environ.get(NAME), visible.explain().too_late)
"""
    assert told(four, code) == ["TooLateError", True, None, None, "0,1,2,3", False]


def test_without_a_check_only_the_same_text_is_never_too_late(four: Stage) -> None:
    code = """
start()
tell(refused(lambda: visible.set("0", check=False)))
tell(refused(lambda: visible.set("0,", check=False))[0])
"""
    assert told(four, code, CUDA_VISIBLE_DEVICES="0") == [None, "TooLateError"]


@pytest.mark.parametrize(
    ("wanted", "word"),
    [
        ("7", "no GPU 7"),
        ("0,0", "named twice"),
        ("all", "NVIDIA_VISIBLE_DEVICES"),
        ("GPU-dead", "no GPU has this UUID"),
        ("0x1", "several ways"),
        ("0,-1,1", "negative"),
    ],
)
def test_value_that_names_no_device_is_refused(wanted: str, word: str, four: Stage) -> None:
    code = f"""
[name, text] = refused(visible.set, {wanted!r})
tell(name, {word!r} in text, os.environ.get(NAME))
"""
    assert told(four, code) == ["NotVisibleError", True, None]


def test_nothing_beyond_the_given_list_is_shown(four: Stage) -> None:
    code = """
tell(visible.set("1"), visible.set("2"))
[name, text] = refused(visible.set, 0)
tell(name, "leaves out" in text, os.environ[NAME], refused(visible.set, None)[0])
"""
    expected = ["1", "2", "NotVisibleError", True, "2", "NotVisibleError"]
    assert told(four, code, CUDA_VISIBLE_DEVICES="1,2") == expected


@pytest.mark.parametrize("nothing", ["-1", -1, "", ()])
def test_everything_can_be_hidden(nothing: object, four: Stage) -> None:
    code = f"tell(visible.set({nothing!r}), visible.explain().devices)"
    assert told(four, code) == ["-1", []]


def test_change_from_c_is_what_counts(four: Stage) -> None:
    code = """
ctypes.CDLL(None).setenv(NAME.encode(), b"3", 1)
found = visible.explain()
tell(found.value, found.process.read_by_python, found.process.set_inside)
"""
    assert told(four, code, CUDA_VISIBLE_DEVICES="0") == ["3", "0", True]


def test_only_lasts_as_long_as_its_block(four: Stage) -> None:
    code = """
import gpuprobe
with visible.only("GPU-47") as value:
    tell(value, gpuprobe.device_count())
    with visible.only([0, 2]):
        tell(os.environ[NAME], gpuprobe.device_count())
    tell(os.environ[NAME])
tell(os.environ.get(NAME))
try:
    with visible.only(1):
        raise KeyError
except KeyError:
    tell(os.environ.get(NAME))
tell(refused(lambda: visible.only(9).__enter__())[0], os.environ.get(NAME))
"""
    expected = ["GPU-47", 1, "0,2", 2, "GPU-47", None, None, "NotVisibleError", None]
    assert told(four, code) == expected


def test_only_serves_programs_to_come_when_cuda_has_started(four: Stage) -> None:
    code = """
import gpuprobe
start()
with visible.only("3"):
    tell(gpuprobe.device_count(), visible.explain().too_late)
"""
    assert told(four, code, CUDA_VISIBLE_DEVICES="2,3") == [1, True]


@pytest.mark.parametrize(
    ("before", "state", "error"),
    [
        ("start(); visible.explain()", "lost in a fork", "TooLateError"),
        ("visible.explain()", "not loaded", None),
    ],
)
def test_fork_of_a_process_that_has_started_cuda_is_lost(
    before: str, state: str, error: str | None, four: Stage
) -> None:
    code = f"""
{before}
if os.fork() == 0:
    found = refused(visible.set, 1)
    tell(visible.explain().process.state, found and found[0])
    os._exit(0)
os.wait()
"""
    assert told(four, code) == [state, error]


def test_fork_is_known_by_the_open_file_of_cuda_where_nobody_looked_before(four: Stage) -> None:
    descriptors = four.tree / "proc" / "self" / "fd"
    descriptors.mkdir(parents=True)
    (descriptors / "3").symlink_to("/dev/null")
    code = """
ctypes.CDLL(os.environ["GPUPROBE_LIBCUDA"])
tell(visible.explain().process.state)
"""
    assert told(four, code) == ["not started"]
    (descriptors / "4").symlink_to("/dev/nvidia-uvm")
    assert told(four, code) == ["lost in a fork"]


def test_doctor_tells_a_process_for_which_the_value_comes_too_late(four: Stage) -> None:
    code = """
import gpuprobe
start()
os.environ[NAME] = "1"
placed = gpuprobe.doctor().diagnosis.placed
tell([each.rule.code for each in placed if each.finding.subject == "process"])
"""
    assert told(four, code) == [["GP306"]]


def test_doctor_has_nothing_to_say_of_a_process_in_time(four: Stage) -> None:
    code = """
import gpuprobe
os.environ[NAME] = "1"
start()
placed = gpuprobe.doctor().diagnosis.placed
tell([each.rule.code for each in placed if each.finding.subject == "process"])
"""
    assert told(four, code) == [[]]
