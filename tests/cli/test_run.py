"""``gpuprobe run`` with fakes of the driver and real programs: what they get, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gpuprobe.launch.program import NotStartedError, become
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from support.child import complaints, run_python
from support.machines import RTX_3060, RTX_4090, Process
from support.scenario import Scenario, stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe
    from support.fakes import Fakes

SHOW = "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])"
#: The 3060 has less free, the 4090 is held by a process.
FILLED = replace(
    TWO_DIFFERENT_CARDS,
    gpus=(
        replace(TWO_DIFFERENT_CARDS.gpus[0], used_mib=4096),
        replace(TWO_DIFFERENT_CARDS.gpus[1], used_mib=2048),
    ),
    processes=(Process("python", 4711, 2048, gpu=1),),
)
posix = pytest.mark.skipif(os.name != "posix", reason="signals and exec are POSIX's")


@pytest.fixture
def environment(request: pytest.FixtureRequest, fakes: Fakes, tmp_path: Path) -> dict[str, str]:
    """The environment of a machine with two cards, or of the scenario that the test names."""
    scenario: Scenario = getattr(request, "param", FILLED)
    return stage(scenario, fakes, tmp_path).environment("override")


def run(
    environment: dict[str, str], *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    return run_python({**environment, **more}, "-m", "gpuprobe", "run", *arguments)


def shows(environment: dict[str, str], *arguments: str, **more: str) -> str:
    """What a program sees that was started with these options."""
    done = run(environment, *arguments, "--quiet", "--", sys.executable, "-c", SHOW, **more)
    assert (done.returncode, complaints(done.stderr)) == (0, "")
    return done.stdout.strip()


def test_a_program_gets_the_idle_device(environment: dict[str, str]):
    assert shows(environment, "--idle", "1") == RTX_3060.uuid


def test_a_program_gets_the_device_with_room(environment: dict[str, str]):
    assert shows(environment, "--min-free", "10GiB") == RTX_4090.uuid


def test_a_program_gets_the_named_devices_in_cudas_order(environment: dict[str, str]):
    assert shows(environment, "--visible", "0") == RTX_4090.uuid
    assert shows(environment, "--visible", "1,0") == f"{RTX_3060.uuid},{RTX_4090.uuid}"
    by_bus = shows(environment, "--visible", "0", CUDA_DEVICE_ORDER="PCI_BUS_ID")
    assert by_bus == RTX_3060.uuid


def test_what_a_program_gets_is_what_cuda_shows_it(environment: dict[str, str]):
    """The driver is the judge: the fake reads the variable as the real one was seen to do."""
    ask = "import gpuprobe; print([d.uuid for d in gpuprobe.devices() if d.ordinal is not None])"
    for value, uuid in (("0", RTX_4090.uuid), ("1", RTX_3060.uuid)):
        done = run(environment, "--visible", value, "--quiet", "--", sys.executable, "-c", ask)
        assert done.stdout.strip() == f"['{uuid}']", done.stderr


def test_no_device_can_be_given(environment: dict[str, str]):
    assert shows(environment, "--visible=-1") == "-1"
    assert shows(environment, "--visible", "") == "-1"


def test_what_was_chosen_is_said_in_one_line(environment: dict[str, str]):
    done = run(environment, "--min-free", "10GiB", "--", sys.executable, "-c", "")
    assert done.stdout == ""
    assert done.stderr == (
        f"gpuprobe: GPU 1 (22.0 GiB free): CUDA_VISIBLE_DEVICES={RTX_4090.uuid}\n"
    )


def test_print_shows_what_would_be_set_and_starts_nothing(
    environment: dict[str, str], tmp_path: Path
):
    trace = tmp_path / "started"
    done = run(environment, "--print", "--min-free", "10GiB", "--", "touch", str(trace))
    assert (done.returncode, done.stdout) == (0, f"CUDA_VISIBLE_DEVICES={RTX_4090.uuid}\n")
    assert not trace.exists()


def test_a_choice_stays_inside_the_callers_list(environment: dict[str, str]):
    mask = {"CUDA_VISIBLE_DEVICES": RTX_4090.uuid}
    done = run(environment, "--visible", RTX_3060.uuid, "--", "true", **mask)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--visible {RTX_3060.uuid} goes beyond" in done.stderr
    assert f"CUDA_VISIBLE_DEVICES={RTX_4090.uuid}" in done.stderr
    # A number of the caller's list counts all GPUs, not those that it leaves.
    assert shows(environment, "--min-free", "1GiB", CUDA_VISIBLE_DEVICES="1") == RTX_3060.uuid


def test_too_few_devices_start_nothing(environment: dict[str, str], tmp_path: Path):
    trace = tmp_path / "started"
    done = run(environment, "--idle", "2", "--", "touch", str(trace))
    assert done.returncode == 2
    assert "1 of 2 devices qualify. GPU 1: not idle: python (process 4711): 2048 MiB" in done.stderr
    assert not trace.exists()


@pytest.mark.parametrize("environment", [replace(HEALTHY_H100, driver=None)], indirect=True)
def test_without_a_driver_nothing_is_started(environment: dict[str, str]):
    done = run(environment, "--idle", "1", "--", "true")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no GPU is known here, and `gpuprobe doctor` tells why" in done.stderr


# -- the program ----------------------------------------------------------------------------------


def python(environment: dict[str, str], code: str) -> subprocess.CompletedProcess[str]:
    return run(environment, "--visible=-1", "--quiet", "--", sys.executable, "-c", code)


def test_the_exit_code_is_the_programs_own(environment: dict[str, str]):
    assert python(environment, "raise SystemExit(7)").returncode == 7


def test_options_after_the_program_are_the_programs_own(environment: dict[str, str]):
    show = "import sys; print(sys.argv[1:])"
    arguments = ("--visible", "0", "--json", "--")
    for dashes in ((), ("--",)):
        done = run(
            environment, "--visible=-1", "--quiet", *dashes, sys.executable, "-c", show, *arguments
        )
        assert done.stdout.strip() == str(list(arguments)), done.stderr


def test_a_program_that_is_not_there_is_127(environment: dict[str, str]):
    done = run(environment, "--visible=-1", "--quiet", "--", "no-such-program-here", "--json")
    assert done.returncode == 127
    assert done.stderr == "gpuprobe: no-such-program-here: no such program\n"


@posix
def test_a_script_without_its_interpreter_is_not_called_missing(
    environment: dict[str, str], tmp_path: Path
):
    script = tmp_path / "train.sh"
    script.write_bytes(b"#!/bin/sh\r\necho ready\r\n")
    script.chmod(0o755)
    done = run(environment, "--visible=-1", "--quiet", "--", str(script))
    assert done.returncode == 127
    assert done.stderr.startswith(f"gpuprobe: {script}: it is there, and what would run it is not")


@posix
def test_a_file_that_is_no_program_is_126(environment: dict[str, str], tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_text("no program")
    done = run(environment, "--visible=-1", "--quiet", "--", str(file))
    assert done.returncode == 126
    assert done.stderr == f"gpuprobe: {file}: Permission denied\n"


@posix
def test_a_signal_reaches_the_program(environment: dict[str, str]):
    wait = "import os, sys, time; print(os.getpid(), flush=True); time.sleep(60)"
    command = (sys.executable, "-m", "gpuprobe", "run", "--visible=-1", "--quiet", "--",
               sys.executable, "-c", wait)  # fmt: skip
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert int(child.stdout.readline()) == child.pid  # it is the program itself
        child.send_signal(signal.SIGTERM)
        assert child.wait(30) == -signal.SIGTERM


@posix
def test_a_program_finds_its_signals_as_a_shell_leaves_them(environment: dict[str, str]):
    done = run(environment, "--visible=-1", "--quiet", "--", "sh", "-c", "kill -PIPE $$; echo no")
    assert (done.returncode, done.stdout) == (-signal.SIGPIPE, "")


def test_a_name_that_no_system_can_hold_is_no_program():
    with pytest.raises(NotStartedError) as caught:
        become(["a\0b"], {})
    assert caught.value.code == 126


# -- usage ----------------------------------------------------------------------------------------


def test_usage_tells_where_the_program_stands(gpuprobe: Gpuprobe):
    usage, _, _ = gpuprobe("run", "--help").out.partition("\n\n")
    assert usage.startswith("usage: gpuprobe run [-h] [--visible VALUE]")
    assert usage.endswith(" -- COMMAND")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--idle", "1"), "needs a command"),
        (("--idle", "1", "--"), "needs a command"),
        (("--", "true"), "needs --visible, --idle or --min-free"),
        (("--visible", "0", "--idle", "1", "--", "true"), "give one of the two"),
        (("--idle", "0", "--", "true"), "--idle 0: a number of devices"),
        (("--idle", "two", "--", "true"), "--idle two: a number of devices"),
        (("--idle", "9" * 5000, "--", "true"), "a number of devices is wanted"),
        (("--min-free", "9" * 400 + "GiB", "--", "true"), "is no size"),
        (("--min-free", "10", "--", "true"), "--min-free: '10' is no size"),
        (("--min-free", "10G", "--", "true"), "--min-free: '10G' is no size"),
        (("--min-free", "-1GiB", "--", "true"), "expected one argument"),
        (("--min-free=-1GiB", "--", "true"), "'-1GiB' is no size"),
        (("--min-free", "nanGiB", "--", "true"), "'nanGiB' is no size"),
        (("--level", "deepest", "--idle", "1", "--", "true"), "invalid choice"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], told: str, gpuprobe: Gpuprobe):
    ran = gpuprobe("run", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_errors_are_no_json_because_the_program_has_such_an_option(gpuprobe: Gpuprobe):
    assert gpuprobe("run", "--", "python", "x.py", "--json").err.startswith("gpuprobe: run needs")
    assert gpuprobe("run", "python", "x.py", "--json").err.startswith("gpuprobe: run needs")
