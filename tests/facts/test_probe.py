"""Asking the driver in a child: answers, failures, hangs, crashes and garbage.

The real border is the program: a script plays it. No time is asserted; where a child sleeps, it
sleeps far longer than the deadline, so that only the kill can end it.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gpuprobe
from gpuprobe.facts import probe as asking
from gpuprobe.facts.answers import Answer
from gpuprobe.facts.probe import Probe, Silent

if TYPE_CHECKING:
    from .conftest import Script

HANG = "time.sleep(600)"


class Terminal:
    """Keeps the lines that a user would see."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        self.lines.append(line)


def ask(environ: dict[str, str], *steps: str) -> tuple[list[Answer | Silent], list[str], Probe]:
    """Start these steps and wait for all."""
    terminal = Terminal()
    probe = Probe(environ, terminal)
    try:
        probe.start(*steps)
        return [probe.answer(step) for step in steps], terminal.lines, probe
    finally:
        probe.stop()


def ask_one(environ: dict[str, str], step: str = "cuda") -> Answer | Silent:
    [answer], _, _ = ask(environ, step)
    return answer


def test_an_answer_comes_back_with_its_program(script: Script):
    environ = script("call('cuInit'); answer(driver_version=12020, devices=[])")
    [answer], lines, probe = ask(environ, "cuda")
    assert isinstance(answer, Answer)
    assert str(answer.cuda_version) == "12.2"
    assert probe.program == environ["GPUPROBE_PROBE"]
    assert lines == []


def test_steps_run_side_by_side(script: Script, tmp_path: Path):
    """Each waits for a file that only another one writes: one after the other they would hang."""
    environ = script(
        f"other = {{'nvml': 'cuda', 'cuda': 'nvml'}}[step]\n"
        f"open({str(tmp_path)!r} + '/' + step, 'w').close()\n"
        f"while not os.path.exists({str(tmp_path)!r} + '/' + other): time.sleep(0.01)\n"
        "answer()"
    )
    answers, _, _ = ask({**environ, "GPUPROBE_TIMEOUT": "30"}, "nvml", "cuda")
    assert [answer.step for answer in answers if isinstance(answer, Answer)] == ["nvml", "cuda"]


def test_a_hang_names_the_call_and_is_said_once(script: Script):
    environ = script(f"call('dlopen'); call('cuInit'); {HANG}")
    answers, lines, _ = ask({**environ, "GPUPROBE_TIMEOUT": "0.7"}, "cuda", "kernel")
    for answer in answers:
        assert isinstance(answer, Silent)
        assert (answer.outcome, answer.call) == ("hung", "cuInit")
        assert answer.reason == f"the probe {answer.step!r} was killed after 0.7 s in cuInit"
    assert lines == ["waiting for cuInit, at most 0.7 s"]


def test_a_hung_child_does_not_outlive_the_question(script: Script, tmp_path: Path):
    pid = tmp_path / "pid"
    environ = script(f"open({str(pid)!r}, 'w').write(str(os.getpid())); call('cuInit'); {HANG}")
    ask_one({**environ, "GPUPROBE_TIMEOUT": "0.7"})
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_question_that_is_given_up_kills_its_children(script: Script, tmp_path: Path):
    pid = tmp_path / "pid"
    environ = script(f"open({str(pid)!r}, 'w').write(str(os.getpid())); call('cuInit'); {HANG}")
    probe = Probe(environ, Terminal())
    probe.start("cuda")
    while not (pid.exists() and pid.read_text()):
        pass
    probe.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_grandchild_that_holds_the_pipe_is_not_waited_for(script: Script):
    """The answer is there, but the pipe never ends: the deadline ends it."""
    environ = script(
        "if os.fork() == 0:\n    time.sleep(5); os._exit(0)\ncall('cuInit'); answer(); os._exit(0)"
    )
    answer = ask_one({**environ, "GPUPROBE_TIMEOUT": "0.7"})
    assert isinstance(answer, Silent)
    assert answer.outcome == "hung"


@pytest.mark.parametrize("signal", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_crash_names_signal_and_call(script: Script, signal: str):
    answer = ask_one(script(f"call('cuInit'); os.kill(os.getpid(), signal.{signal})"))
    assert answer == Silent(
        "cuda", "crashed", "cuInit", f"the probe 'cuda': ended by {signal} in cuInit"
    )


def test_an_exit_status_is_a_crash_with_its_number(script: Script):
    answer = ask_one(script("sys.exit(7)"))
    assert answer == Silent(
        "cuda", "crashed", None, "the probe 'cuda': exit status 7 before its first call"
    )


def test_lines_of_a_vendors_library_do_not_spoil_the_answer(script: Script):
    noise = "print('WARNING: you should always run with libnvidia-ml.so that is installed')"
    assert isinstance(ask_one(script(f"{noise}; answer(); {noise}")), Answer)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("", "no answer"),
        ("print('{')", "not JSON"),
        ("print('{\"probe\":')", "not JSON"),
        ("print('{' * 100000)", "not JSON"),
        ("print('{}')", "'probe'"),
        ("answer(probe=2)", "probe: expected the format 1, found 2"),
        ("answer(step='nvml')", "an answer to 'cuda'"),
        ("answer(devices=3)", "devices: expected an array, found 3"),
        ("answer(devices=[{}])", "devices[0]: expected an object with 'ordinal'"),
        ("answer(devices=[{'ordinal': 0, 'capability': [9]}])", "devices[0].capability"),
        ("answer(failed={'kind': 'cuda', 'call': 'cuInit', 'code': '3'})", "failed.code"),
        ("answer(library=None)", "'library'"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe{')", "no answer"),
    ],
)
def test_garbage_is_a_reason(script: Script, lines: str, told: str):
    answer = ask_one(script(lines))
    assert isinstance(answer, Silent)
    assert answer.outcome == "not run"
    assert told in answer.reason


def test_a_probe_without_memory_is_not_said_to_answer_garbage(script: Script):
    """It prints the only text that it needs no memory for."""
    source = (Path(__file__).parents[2] / "csrc" / "probe" / "main.c").read_text("utf-8")
    text = re.search(r"no_memory\[\] =\s*((?:\".*\"\s*)+);", source)
    assert text is not None
    printed = "".join(ast.literal_eval(line.strip()) for line in text[1].splitlines())
    answer = ask_one(script(f"call('cuInit'); print({printed!r}, end='')"))
    assert answer == Silent(
        "cuda", "not run", "cuInit", "the probe 'cuda' had no memory for its answer"
    )


def test_endless_output_is_ended_at_the_deadline_and_kept_small(script: Script):
    environ = script("call('cuInit')\nwhile True: print('x' * 1000000)")
    answer = ask_one({**environ, "GPUPROBE_TIMEOUT": "1"})
    assert isinstance(answer, Silent)
    assert answer.outcome == "hung"


def test_an_answer_after_megabytes_of_noise_is_read(script: Script):
    """A library that somebody preloads may trace all that the driver does."""
    noise = "print('-' * 5_000_000, file=stream, flush=True)"
    environ = script(
        f"for stream in (sys.stdout, sys.stderr): {noise}\ncall('cuInit'); answer(); sys.exit(3)"
    )
    answer = ask_one(environ)
    assert isinstance(answer, Silent)
    assert answer.call == "cuInit"
    assert isinstance(ask_one(script(f"stream = sys.stdout; {noise}; answer()")), Answer)


def test_where_no_thread_can_be_started_the_child_is_ended(script: Script):
    """As under a limit of processes, which counts threads; here their stacks are too large."""
    environ = script(HANG)
    threading.stack_size(1 << 47)
    try:
        answer = ask_one(environ)
    finally:
        threading.stack_size(0)
    assert isinstance(answer, Silent)
    assert answer.outcome == "not run"
    assert answer.reason.startswith(f"{environ['GPUPROBE_PROBE']} cannot be started: ")
    assert "can't start new thread" in answer.reason
    for each in Path("/proc").glob("[1-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            assert os.fsencode(environ["GPUPROBE_PROBE"]) not in each.read_bytes()


def test_a_program_that_is_not_there_is_a_reason(tmp_path: Path):
    path = str(tmp_path / "gone")
    answer = ask_one({"GPUPROBE_PROBE": path})
    assert isinstance(answer, Silent)
    assert answer.outcome == "not run"
    assert answer.reason == f"{path} cannot be started: No such file or directory"


def test_a_program_that_may_not_be_executed_is_a_reason(tmp_path: Path):
    path = tmp_path / "probe"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o644)
    answer = ask_one({"GPUPROBE_PROBE": str(path)})
    assert isinstance(answer, Silent)
    assert answer.reason == f"{path} cannot be started: Permission denied"


def test_a_step_that_was_never_started_has_no_answer():
    answer = Probe({}, Terminal()).answer("nvml")
    assert answer == Silent("nvml", "not run", None, "this step was not started")


@pytest.mark.parametrize("value", ["soon", "-1", "0", "nan", "inf", "1e9"])
def test_a_timeout_that_is_none_is_said_and_the_default_used(value: str):
    terminal = Terminal()
    probe = Probe({"GPUPROBE_TIMEOUT": value}, terminal)
    assert probe.timeout_s == asking.DEFAULT_TIMEOUT_S
    assert terminal.lines == [f"GPUPROBE_TIMEOUT={value} is no number of seconds; 60 is used"]


@pytest.mark.parametrize(("value", "seconds"), [("2.5", 2.5), ("", 60), ("3600", 3600)])
def test_a_timeout_is_taken(value: str, seconds: float):
    terminal = Terminal()
    assert Probe({"GPUPROBE_TIMEOUT": value}, terminal).timeout_s == seconds
    assert terminal.lines == []


def test_the_child_sees_what_a_training_script_would_see(script: Script):
    environ = script(
        "answer(library={'name': 'lib', 'path': None, 'via': None,"
        " 'error': ' '.join(sorted(os.environ))})"
    )
    kept = {"CUDA_VISIBLE_DEVICES": "", "LD_LIBRARY_PATH": "/x"}
    answer = ask_one({**environ, **kept, "LD_DEBUG_OUTPUT": "/dev/null", "CUDA_LOG_FILE": "stdout"})
    assert isinstance(answer, Answer)
    assert answer.library.error is not None
    seen = set(answer.library.error.split())
    assert {*kept, "GPUPROBE_PROBE"} <= seen
    assert not {"LD_DEBUG_OUTPUT", "CUDA_LOG_FILE"} & seen


# -- the package's own programs: a copy of the package, in a process of its own ---------------

SAY = """
from gpuprobe.facts.probe import Probe
probe = Probe(dict(__import__("os").environ), print)
probe.start("cuda")
answer = probe.answer("cuda")
print(probe.program, "|", getattr(answer, "reason", "answered"))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An installed package, without anything that was compiled."""
    folder = tmp_path / "site" / "gpuprobe"
    folder.mkdir(parents=True)
    for entry in Path(gpuprobe.__path__[0]).iterdir():
        if entry.name not in ("_probe", "__pycache__") and not _is_compiled(entry.name):
            (folder / entry.name).symlink_to(entry.resolve())
    return folder


def _is_compiled(name: str) -> bool:
    """Whether it is the C core; its types stay, which are no program."""
    return name.startswith("_core.") and name != "_core.pyi"


def say(package: Path, before: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", before + SAY],
        check=True, capture_output=True, text=True,
        env={"PYTHONPATH": str(package.parent)},
    )  # fmt: skip
    return done.stdout


def test_without_a_c_core_the_reason_says_how_to_get_one(package: Path):
    assert say(package) == f"None | {asking.NO_CORE}\n"


def test_the_program_beside_the_package_is_found(package: Path):
    program = package / "_probe" / "gpuprobe-probe"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 9\n")
    program.chmod(0o755)
    assert say(package).startswith(f"{program} | the probe 'cuda': exit status 9")


def test_a_program_that_cannot_be_executed_is_replaced_by_python(package: Path):
    """As on a file system that is mounted noexec: the compiled module is loaded by its path."""
    program = package / "_probe" / "gpuprobe-probe"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o644)
    core = package / "_core.abi3.so"
    core.write_text("no library")
    said = say(package)
    assert said.startswith(f"python with {core} | the probe 'cuda': exit status 1")


@pytest.mark.parametrize("mark", ["sys.frozen = True", "sys.executable = HOST"])
def test_a_program_that_holds_a_python_is_not_started_once_more(
    package: Path, tmp_path: Path, mark: str
):
    """PyInstaller's or uWSGI's: it would ask again, in a child that asks again, without end."""
    (package / "_core.abi3.so").write_text("no library")
    host = tmp_path / "uwsgi"
    host.write_text(f"#!/bin/sh\necho started > {tmp_path}/started\n")
    host.chmod(0o755)
    before = f"import sys; HOST = {str(host)!r}; {mark}\n"
    assert say(package, before) == f"None | {asking.NO_PYTHON}\n"
    assert not (tmp_path / "started").exists()


def test_the_real_module_answers_in_the_place_of_the_program(package: Path):
    built = [path for folder in gpuprobe.__path__ for path in Path(folder).glob("_core.*")]
    built = [path for path in built if path.suffix in (".so", ".pyd")]
    if not built:
        pytest.skip("gpuprobe is installed here without its C core")
    core = package / built[0].name
    core.symlink_to(built[0].resolve())
    assert say(package) == f"python with {core} | answered\n"
