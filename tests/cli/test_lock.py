"""`gpuprobe lock` and `gpuprobe doctor --lock`: written, read, checked, exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gpuprobe.examine import read_lock
from gpuprobe.facts.lockfile import LockError

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe


@pytest.fixture
def lock(gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path) -> Path:
    """The lock of the machine that works in part."""
    path = tmp_path / "gpu.lock.json"
    ran = gpuprobe("lock", "--from", snapshots["degraded"], "-o", str(path))
    assert ran.code == 0
    return path


def test_a_machine_passes_its_own_lock(gpuprobe: Gpuprobe, snapshots: dict[str, str], lock: Path):
    without = gpuprobe("doctor", "--from", snapshots["healthy"])
    ran = gpuprobe("doctor", "--from", snapshots["degraded"], "--lock", str(lock))
    assert ran.code == without.code
    assert "✓ Lock file" in ran.out


@pytest.mark.parametrize("lock", ['"cuda": ">=12.0"', '"gpus": [{"count": 1}]'])
def test_what_a_lock_leaves_out_is_not_missed(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path, lock: str
):
    path = tmp_path / "lock.json"
    path.write_text(f'{{"gpuprobe_lock": 1, {lock}}}')
    ran = gpuprobe("doctor", "--from", snapshots["degraded"], "--lock", str(path))
    assert ran.code == 0
    assert "lock.system" not in ran.out
    assert "✓ Lock file       1 demand in" in ran.out.replace("demands", "demand")


def test_a_difference_fails_the_check(gpuprobe: Gpuprobe, snapshots: dict[str, str], lock: Path):
    document = json.loads(lock.read_text())
    document["cuda"] = ">=13.0"
    lock.write_text(json.dumps(document))
    ran = gpuprobe("doctor", "--from", snapshots["degraded"], "--lock", str(lock), "--json")
    assert ran.code == 1
    found = {each["code"]: each for each in ran.json()["findings"]}  # type: ignore[attr-defined]
    assert found["GP210"]["cause"] == "differs-from-lock"
    assert found["GP210"]["evidence"][1]["value"] == "12.4"


def test_what_could_not_be_looked_at_leaves_the_verdict_unknown(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    path = tmp_path / "lock.json"
    path.write_text('{"gpuprobe_lock": 1, "driver": ">=535"}')
    ran = gpuprobe("doctor", "--from", snapshots["healthy"], "--lock", str(path))
    assert ran.code == 3
    assert "driver.version" in ran.out


def test_a_machine_without_a_gpu_does_not_meet_a_lock_with_one(
    gpuprobe: Gpuprobe, bare_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    path = tmp_path / "lock.json"
    path.write_text('{"gpuprobe_lock": 1, "gpus": [{"capability": ">=8.0"}]}')
    codes = [
        each["code"]
        for each in gpuprobe("doctor", "--lock", str(path), "--json").json()["findings"]  # type: ignore[attr-defined]
    ]
    assert codes == ["GP101", "GP105"]


def test_what_is_not_locked_is_told_beside_the_document(
    gpuprobe: Gpuprobe, bare_root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    ran = gpuprobe("lock")
    assert json.loads(ran.out)["gpuprobe_lock"] == 1
    assert "not locked: gpu: none is known by name" in ran.err


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("broken", "this machine is broken, and locked as it is: "),
        ("degraded", "this machine is degraded, and locked as it is: "),
        ("healthy", ""),
        ("unknown", ""),
    ],
)
def test_a_machine_with_a_fault_is_not_locked_silently(
    verdict: str, told: str, gpuprobe: Gpuprobe, snapshots: dict[str, str]
):
    ran = gpuprobe("lock", "--from", snapshots[verdict])
    assert json.loads(ran.out)["gpuprobe_lock"] == 1
    assert ran.code == 0
    assert told in ran.err
    assert ("locked as it is" in ran.err) == bool(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot read"),
        ("{", "not JSON"),
        ("{}", "no lock of gpuprobe"),
        ('{"gpuprobe_lock": 1, "gpus": []}', "it demands nothing"),
    ],
)
def test_a_lock_that_cannot_be_read_is_an_error(
    text: str | None, told: str, gpuprobe: Gpuprobe, tmp_path: Path
):
    path = tmp_path / "lock.json"
    if text is not None:
        path.write_text(text)
    ran = gpuprobe("doctor", "--lock", str(path))
    assert ran.code == 2
    assert told in ran.err


def test_a_file_without_an_end_is_no_lock(gpuprobe: Gpuprobe):
    ran = gpuprobe("doctor", "--lock", "/dev/zero")
    assert ran.code == 2
    assert "/dev/zero is no lock of gpuprobe: it has more than 1 MiB" in ran.err


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_lock_that_powershell_wrote_is_read(
    encoding: str, gpuprobe: Gpuprobe, snapshots: dict[str, str], lock: Path
):
    lock.write_text(lock.read_text(), encoding=encoding)
    assert gpuprobe("doctor", "--from", snapshots["degraded"], "--lock", str(lock)).code == 0


def test_bytes_that_are_no_text_are_no_lock(gpuprobe: Gpuprobe, tmp_path: Path):
    path = tmp_path / "lock.json"
    path.write_bytes(b'{"gpuprobe_lock": 1, "driver": "\xff"}')
    with pytest.raises(LockError, match="not JSON"):
        read_lock(path)
    assert gpuprobe("doctor", "--lock", str(path)).code == 2
