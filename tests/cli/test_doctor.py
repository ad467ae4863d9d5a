"""`gpuprobe doctor`: formats, selection, snapshots, files."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gpuprobe.cli.document import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe

STARTS = {
    "text": "gpuprobe 0.",
    "json": "{",
    "markdown": "**",
    "html": "<!DOCTYPE html>",
    "junit": "<?xml",
}


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_is_printed(form: str, gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    ran = gpuprobe("--from", snapshots["broken"], "--format", form)
    assert ran.out.startswith(STARTS[form])
    assert ran.out.endswith("\n")
    assert ran.err == ""


def test_doctor_is_the_default_command(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    short = gpuprobe("--from", snapshots["broken"])
    assert short == gpuprobe("doctor", "--from", snapshots["broken"])


def test_skipped_check_is_deselected(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    document = gpuprobe("--json", "--from", snapshots["broken"], "--skip", "gp101").json()
    assert document["root_cause"] is None
    assert document["checks"]["deselected"] == 1  # type: ignore[index]


def test_only_takes_codes_names_and_beginnings(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    only = "GP2,no-nvidia-gpu"
    document = gpuprobe("--json", "--from", snapshots["broken"], "--only", only).json()
    assert document["root_cause"]["code"] == "GP101"  # type: ignore[index]
    assert document["checks"]["deselected"] > 0  # type: ignore[index]


def test_report_as_json_is_a_snapshot_too(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    report = gpuprobe("--json", "--from", snapshots["broken"]).out
    (tmp_path / "report.json").write_text(report, encoding="utf-8")
    again = gpuprobe("--json", "--from", str(tmp_path / "report.json")).json()
    assert again["root_cause"] == json.loads(report)["root_cause"]
    assert again["source"] == "snapshot"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "file is empty; was the program that wrote it stopped?"),
        (b"{", "is not JSON"),
        (b"RuntimeError: No CUDA GPUs are available", "is read by `gpuprobe explain "),
        (b"[1]", "no field 'facts'. `gpuprobe snapshot` writes one"),
        (b'{"schema": 99, "facts": {}}', "is of schema 99, and this gpuprobe"),
        (b"{}", "no field 'facts'"),
        (b'{"facts": []}', "no snapshot of gpuprobe"),
        (b'{"facts": {"driver.version": {"value": 5, "source": "x"}}}', "driver.version"),
        (b'{"facts": {}, "overrides": 1}', "'overrides' is no object"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
    ],
)
def test_what_is_no_snapshot_is_refused_with_the_reason(
    content: bytes, told: str, gpuprobe: Gpuprobe, tmp_path: Path
):
    (tmp_path / "file").write_bytes(content)
    ran = gpuprobe("--from", str(tmp_path / "file"))
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_fact_of_a_newer_version_is_left_out_with_a_word(gpuprobe: Gpuprobe, tmp_path: Path):
    facts = {"moon.phase": {"value": "full", "source": "sky"}}
    (tmp_path / "file").write_text(json.dumps({"facts": facts}), encoding="utf-8")
    ran = gpuprobe("--json", "--from", str(tmp_path / "file"))
    assert "moon.phase" in ran.err
    assert "moon.phase" not in ran.json()["facts"]  # type: ignore[operator]


@pytest.mark.parametrize("form", FORMATS)
def test_file_is_private_and_redacted(
    form: str, gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    path = tmp_path / "report"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)
    ran = gpuprobe("--from", snapshots["degraded"], "--format", form, "-o", str(path))
    assert ran.out == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    written = path.read_text(encoding="utf-8")
    assert written.startswith(STARTS[form])
    assert "1b7e-4c3d" not in written


def test_no_redact_keeps_everything(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    ran = gpuprobe("--json", "--from", snapshots["healthy"], "--no-redact")
    assert "GPU-5d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6" in ran.out
    assert "/home/alice/venv" in ran.out


def test_link_in_place_of_the_file_is_not_followed(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "precious")
    ran = gpuprobe("--from", snapshots["broken"], "-o", str(tmp_path / "link"))
    assert ran.code == 2
    assert ran.err.rstrip().endswith("link: it is a link, and no link is followed")
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"


#: As on Windows.
WITHOUT_A_FLAG = """
import os, sys
vars(os).pop("O_NOFOLLOW", None)
from gpuprobe.cli import main
sys.exit(main(["rules", "-o", sys.argv[1]]))
"""


def test_link_is_not_followed_where_the_system_has_no_flag_for_that(tmp_path: Path):
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "precious")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_FLAG, str(tmp_path / "link")],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.rstrip().endswith("link: it is a link, and no link is followed")
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX alone has modes")
@pytest.mark.parametrize(("is_ours", "code"), [(True, 1), (False, 2)])
def test_file_system_without_modes_keeps_a_report_of_ours(
    gpuprobe: Gpuprobe,
    snapshots: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_ours: bool,
    code: int,
):
    """As a drive of Windows in WSL. Who made the file that is there could read the report."""

    def refused(_descriptor: int, _mode: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fchmod", refused)
    if not is_ours:
        monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    path = tmp_path / "report"
    path.write_text("old", encoding="utf-8")
    assert gpuprobe("--from", snapshots["broken"], "-o", str(path)).code == code
    assert path.read_text(encoding="utf-8").startswith("gpuprobe 0." if is_ours else "old")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX alone has named pipes")
def test_pipe_in_place_of_the_file_stays_everybodys(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    """As /dev/null has to, which root could close to all others."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        gpuprobe("--from", snapshots["broken"], "-o", str(pipe))
        assert b"Cannot work here." in os.read(reader, 1 << 16)
    finally:
        os.close(reader)
    assert stat.S_IMODE(pipe.stat().st_mode) == 0o666


def test_shorter_report_leaves_nothing_of_a_longer_file(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    path = tmp_path / "report"
    path.write_text("old" * 100_000, encoding="utf-8")
    gpuprobe("--from", snapshots["broken"], "-o", str(path))
    assert "oldold" not in path.read_text(encoding="utf-8")


def test_colour_is_an_option(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    assert "\x1b[" in gpuprobe("--from", snapshots["broken"], "--color", "always").out
    assert "\x1b[" not in gpuprobe("--from", snapshots["broken"], "--color", "never").out


def test_snapshot_in_the_place_of_an_option_is_sent_to_from(gpuprobe: Gpuprobe):
    assert "gpuprobe doctor --from FILE" in gpuprobe("doctor", "a.json").err


def test_verdict_in_a_file_is_also_said_where_it_is_bad(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    out = str(tmp_path / "gpu.xml")
    bad = gpuprobe("doctor", "--from", snapshots["broken"], "-o", out)
    assert (bad.code, bad.out) == (1, "")
    assert bad.err.startswith("gpuprobe: Cannot work here. ")
    assert bad.err.endswith(f"See {out}\n")
    assert gpuprobe("doctor", "--from", snapshots["healthy"], "-o", out).err == ""


@pytest.mark.parametrize("command", ["doctor", "lock"])
def test_two_snapshots_are_two_machines(
    command: str, gpuprobe: Gpuprobe, snapshots: dict[str, str]
):
    ran = gpuprobe(command, "--from", snapshots["broken"], "--from", snapshots["healthy"])
    assert ran.code == 2
    assert f"gpuprobe nodes {snapshots['broken']} {snapshots['healthy']}" in ran.err
