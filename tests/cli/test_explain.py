"""`gpuprobe explain`: where the text comes from, what is shown, the exit codes."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gpuprobe as package
from gpuprobe.cli.document import FORMATS
from gpuprobe.ourselves import INSTALL
from support.commands import child

if TYPE_CHECKING:
    from support.commands import Gpuprobe

HEALTHY = """\
Collecting environment information...
PyTorch version: 2.4.1+cu121
CUDA used to build PyTorch: 12.1
Is CUDA available: True
GPU models and configuration: GPU 0: NVIDIA GeForce RTX 3090
Nvidia driver version: 550.127.05
"""
BROKEN = """\
>>> torch.__version__
Driver on /home/alice/box: see below
PyTorch version: 2.8.0+cu128
CUDA used to build PyTorch: 12.8
Is CUDA available: False
Nvidia driver version: 470.256.02
"""


@pytest.fixture
def text(tmp_path: Path):
    def write(content: str | bytes) -> str:
        path = tmp_path / "log.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.mark.parametrize(
    ("content", "verdict", "code"),
    [(HEALTHY, "healthy", 0), (BROKEN, "broken", 1), ("My cat is called Tesla.", "unknown", 3)],
    ids=["healthy", "broken", "unknown"],
)
def test_exit_code_follows_the_verdict(gpuprobe: Gpuprobe, text, content, verdict, code):
    ran = gpuprobe("explain", text(content), "--json")
    assert (ran.json()["verdict"], ran.code) == (verdict, code)
    assert ran.json()["source"] == "text"


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_is_printed(gpuprobe: Gpuprobe, text, form: str):
    ran = gpuprobe("explain", text(BROKEN), "--format", form)
    assert ran.err == ""
    assert "470.256.02" in ran.out


def test_facts_name_their_lines(gpuprobe: Gpuprobe, text):
    facts = gpuprobe("explain", text(BROKEN), "--json").json()["facts"]
    assert facts["driver.version"] == {  # type: ignore[index]
        "value": "470.256.02",
        "source": "line 6 of the text",
    }


@pytest.mark.parametrize("file", [("-",), ()])
def test_dash_or_no_file_reads_standard_input(
    gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch, file: tuple[str, ...]
):
    stream = io.TextIOWrapper(io.BytesIO(HEALTHY.encode("utf-16")), encoding="ascii")
    monkeypatch.setattr(sys, "stdin", stream)
    assert gpuprobe("explain", *file).code == 0


def test_empty_text_is_told_what_to_paste(gpuprobe: Gpuprobe, text):
    ran = gpuprobe("explain", text(""))
    assert ran.code == 3
    assert "is empty; what a program writes to standard error comes along with 2>&1" in ran.err
    assert "This text states nothing of a GPU that could be judged" in ran.out
    for command in (f"$ {INSTALL}", "$ gpuprobe", "nvidia-smi", "pip list"):
        assert command in ran.out


def test_fail_on_never_ends_well(gpuprobe: Gpuprobe, text):
    assert gpuprobe("explain", text(BROKEN), "--fail-on", "never").code == 0


@pytest.mark.parametrize("content", [os.urandom(20_000), b"\x00" * 5000, bytes(range(256)) * 20])
def test_bytes_that_are_no_text_do_no_harm(gpuprobe: Gpuprobe, text, content: bytes):
    ran = gpuprobe("explain", text(content))
    assert ran.code == 3
    assert "log.txt holds bytes that are no text; of a picture" in ran.err


def test_file_that_is_not_there_is_named(gpuprobe: Gpuprobe):
    ran = gpuprobe("explain", "/nowhere/log.txt")
    assert ran.code == 2
    assert "cannot read /nowhere/log.txt" in ran.err


def test_text_in_place_of_a_file_is_sent_to_the_standard_input(gpuprobe: Gpuprobe):
    assert "echo TEXT | gpuprobe explain" in gpuprobe("explain", "CUDA is not available").err


def test_address_in_place_of_a_file_is_not_fetched(gpuprobe: Gpuprobe):
    ran = gpuprobe("explain", "https://example.com/log.txt")
    assert (ran.code, "curl -sL URL | gpuprobe explain" in ran.err) == (2, True)


def test_several_files_are_given_as_one_text(gpuprobe: Gpuprobe, text):
    ran = gpuprobe("explain", text(BROKEN), text(BROKEN))
    assert (ran.code, "cat FILE FILE | gpuprobe explain" in ran.err) == (2, True)


def test_file_in_place_of_a_command_is_sent_to_explain(gpuprobe: Gpuprobe, text):
    file = text(BROKEN)
    assert f"gpuprobe explain {file}" in gpuprobe(file).err


def test_report_written_for_others_has_no_names(gpuprobe: Gpuprobe, text, tmp_path: Path):
    leak = BROKEN + "$ export CUDA_VISIBLE_DEVICES=GPU-5d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6\n"
    out = tmp_path / "report.html"
    gpuprobe("explain", text(leak), "--format", "html", "-o", str(out))
    assert "9e0f-a1b2c3d4e5f6" not in out.read_text(encoding="utf-8")


def test_explain_takes_a_text_or_a_path(text):
    path = Path(text(HEALTHY))
    assert package.explain(path).to_dict() == package.explain(HEALTHY).to_dict()


def test_text_that_looks_like_a_path_is_a_text(text):
    report = package.explain(text(HEALTHY))
    assert report.verdict.value == "unknown"
    assert 'explain(pathlib.Path("FILE"))' in str(report)


@pytest.mark.parametrize("given", [None, b"CUDA error", ["CUDA error"], 3])
def test_what_is_neither_a_text_nor_a_path_is_refused(given: object):
    with pytest.raises(TypeError, match="expected a str, or the "):
        package.explain(given)  # type: ignore[arg-type]


def test_command_needs_neither_probe_nor_numpy():
    ran = child("explain", "-", environ={"GPUPROBE_PROBE": "/nowhere"}, input=HEALTHY.encode())
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_report_as_text_that_says_otherwise_is_told(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    """Where something works and not all could be seen, a report does not hold what was seen."""
    issue = tmp_path / "issue.txt"
    shown = gpuprobe("--from", snapshots["healthy"]).out
    unknown = shown.replace("\u2713 Healthy. A kernel ran", "\u00b7 Unknown. A kernel ran")
    issue.write_text(f"My log:\n\n{unknown}\nWhat now?\n", encoding="utf-8")
    told = gpuprobe("explain", str(issue)).err
    assert "issue.txt holds a report of gpuprobe that says: Unknown. A kernel ran" in told
    assert "with --json or --format markdown it is judged as its machine was" in told


def test_report_that_says_the_same_is_not_told_of(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], tmp_path: Path
):
    issue = tmp_path / "issue.txt"
    issue.write_text(gpuprobe("--from", snapshots["healthy"]).out, encoding="utf-8")
    said = gpuprobe("explain", str(issue))
    assert (said.code, said.err) == (0, "")
    assert "Healthy, as far as this text tells. A kernel ran on the GPU" in said.out


def test_report_about_a_text_says_no_otherwise(gpuprobe: Gpuprobe, tmp_path: Path):
    (tmp_path / "log.txt").write_text("CUDA error: uncorrectable ECC error encountered")
    report = gpuprobe("explain", str(tmp_path / "log.txt"))
    (tmp_path / "report.txt").write_text(report.out, encoding="utf-8")
    again = gpuprobe("explain", str(tmp_path / "report.txt"))
    assert (again.code, again.err) == (report.code, "")
