"""Pipes, encodings, signals, faults: never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from support.commands import child

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe


def test_module_and_plain_command_are_the_same_program(snapshots: dict[str, str]):
    done = child("--from", snapshots["broken"])
    assert done.returncode == 1
    assert (
        done.stdout.decode().splitlines()[-1]
        == "✗ Cannot work here. This machine has no NVIDIA GPU."
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8", "utf-16"])
@pytest.mark.parametrize("form", ["text", "json", "markdown", "html", "junit"])
def test_any_encoding_of_the_output_is_served(encoding: str, form: str, tmp_path: Path):
    facts = {"os.name": {"value": "Ünïx ✓ caf\udce9", "source": "\x1b[31m"}}
    (tmp_path / "odd.json").write_text(json.dumps({"facts": facts}), encoding="utf-8")
    environ = {"PYTHONIOENCODING": encoding}
    done = child("--from", str(tmp_path / "odd.json"), "--format", form, environ=environ)
    assert done.returncode == 3
    assert done.stderr == b""
    assert b"Traceback" not in done.stdout


def test_json_is_utf_8_whatever_the_locale(tmp_path: Path):
    facts = {"os.name": {"value": "Ünïx", "source": "x"}}
    (tmp_path / "odd.json").write_text(json.dumps({"facts": facts}), encoding="utf-8")
    environ = {"PYTHONIOENCODING": "cp1252"}
    done = child("--from", str(tmp_path / "odd.json"), "--json", environ=environ)
    assert json.loads(done.stdout.decode("utf-8"))["facts"]["os.name"]["value"] == "Ünïx"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("verdict", "code"), [("broken", 1), ("unknown", 3), ("healthy", 0), ("degraded", 0)]
)
def test_reader_that_leaves_changes_no_exit_code(
    verdict: str, code: int, form: str, snapshots: dict[str, str]
):
    done = unread("--from", snapshots[verdict], "--format", form)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize("arguments", [("--help",), ("doctor", "--help"), ("rules",)], ids=" ".join)
def test_answers_without_a_reader_are_0(arguments: tuple[str, ...]):
    done = unread(*arguments)
    assert (done.returncode, done.stderr) == (0, b"")


def test_explain_without_a_reader_keeps_its_exit_code(tmp_path: Path):
    (tmp_path / "log.txt").write_text("no word of a GPU", encoding="utf-8")
    done = unread("explain", str(tmp_path / "log.txt"))
    assert (done.returncode, done.stderr) == (3, b"")


def unread(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The program, where the reader of its standard output has left before it writes."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return child(*arguments, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    "arguments",
    [("rules",), ("--help",), ("doctor", "--help"), ("rules", "--json")],
    ids=" ".join,
)
def test_full_disk_is_told(arguments: tuple[str, ...]):
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = child(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    told = done.stderr.decode()
    assert done.returncode == 2
    assert "cannot write the standard output: No space left on device" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_closed_stream_is_no_traceback(name: str, snapshots: dict[str, str]):
    close = {"stdout": 1, "stderr": 2}[name]
    code = f"import os, sys; os.close({close}); os.execv(sys.executable, sys.argv[1:])"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            code,
            sys.executable,
            "-m",
            "gpuprobe",
            "--from",
            snapshots["broken"],
        ],
        check=False,
        capture_output=True,
        timeout=60,
    )
    assert b"Traceback" not in done.stdout + done.stderr


#: A shell starts what runs in the background with the interrupt ignored; so may whoever runs us.
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from gpuprobe.cli import main
sys.exit(main(["doctor", "--from", "-"]))
"""


def test_interrupt_is_quiet_and_130():
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"{")
    process.stdin.flush()
    wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def wait_until_it_reads(pid: int) -> None:
    """Until the process waits for its pipe: only then does the signal meet our handler."""
    for _ in range(1000):
        with open(f"/proc/{pid}/wchan", encoding="ascii") as wchan:  # noqa: PTH123
            if "pipe" in wchan.read():
                return
        time.sleep(0.01)
    pytest.skip("the kernel does not tell what a process waits for")


FAULT = """
import gpuprobe.diagnosis.engine as engine
def diagnose(*_, **__):
    raise RuntimeError("a fault\\nof our own")
engine.diagnose = diagnose
from gpuprobe.cli import main
raise SystemExit(main(["--from", {path!r}]))
"""


def faulty(path: str, debug: str) -> subprocess.CompletedProcess[str]:
    """The program with a bug planted in a child process."""
    return subprocess.run(
        [sys.executable, "-c", FAULT.format(path=path)],
        env={**os.environ, "GPUPROBE_DEBUG": debug},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_fault_of_our_own_is_one_line_and_how_to_report_it(snapshots: dict[str, str]):
    done = faulty(snapshots["broken"], "")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gpuprobe: gpuprobe itself failed: RuntimeError: a fault of our")
    assert "GPUPROBE_DEBUG=1" in done.stderr
    assert done.stderr.count("\n") == 1


def test_debug_variable_shows_the_traceback(snapshots: dict[str, str]):
    assert "Traceback" in faulty(snapshots["broken"], "1").stderr


def test_standard_input_is_a_source(snapshots: dict[str, str]):
    with open(snapshots["broken"], "rb") as file:  # noqa: PTH123
        done = child("--from", "-", "--json", stdin=file)
    assert json.loads(done.stdout)["verdict"] == "broken"


@pytest.mark.parametrize(
    "arguments",
    [("doctor", "--from", "-"), ("lock", "--from", "-"), ("diff", "-"), ("explain", "-")],
    ids=" ".join,
)
def test_closed_standard_input_is_told(arguments: tuple[str, ...]):
    done = child(*arguments, stdin=None, preexec_fn=lambda: os.close(0))
    assert done.returncode == 2
    assert done.stderr.decode().startswith("gpuprobe: there is no standard input to read")


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (("explain",), "Paste the text, then press Enter and Ctrl-D.", 3),
        (("--from", "-"), "Paste the snapshot, then press Enter and Ctrl-D.", 2),
    ],
    ids=["explain", "--from -"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX alone has pseudo-terminals")
def test_who_sits_at_a_terminal_is_told_how_to_end_a_text(
    arguments: tuple[str, ...], told: str, code: int
):
    outer, inner = os.openpty()
    os.write(outer, b"no word of a GPU\n\x04")
    done = child(*arguments, stdin=inner)
    os.close(outer)
    os.close(inner)
    assert (done.stderr.decode().splitlines()[0], done.returncode) == (told, code)


def test_what_comes_in_is_called_the_standard_input():
    done = child("--from", "-", input=b"{}")
    assert done.stderr.decode().startswith("gpuprobe: the standard input is no snapshot")


ESCAPE = "\x1b]0;hello\x07"


def test_a_file_of_somebody_else_does_not_steer_the_terminal(gpuprobe: Gpuprobe, tmp_path: Path):
    """Its texts come in errors and warnings, too."""
    snapshot, lock = tmp_path / f"{ESCAPE}.json", tmp_path / "lock.json"
    lock.write_text(json.dumps({"gpuprobe_lock": 1, ESCAPE: 1}))
    for document in (
        {"schema": ESCAPE, "facts": {}},
        {"facts": {ESCAPE: {"value": 1, "source": ESCAPE}}},
        {"facts": {}, "overrides": {ESCAPE: ESCAPE}},
        {"facts": {f"package.{ESCAPE}.version": {"value": ESCAPE, "source": ESCAPE}}},
    ):
        snapshot.write_text(json.dumps(document))
        for command in (
            ("doctor", "--from", str(snapshot)),
            ("doctor", "--from", str(snapshot), "--lock", str(lock)),
            ("diff", str(snapshot), str(snapshot)),
            ("nodes", str(tmp_path)),
            ("explain", str(snapshot)),
            ("explain", str(tmp_path / f"{ESCAPE}.txt")),
        ):
            ran = gpuprobe(*command)
            assert "\x1b" not in ran.out + ran.err
