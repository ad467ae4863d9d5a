"""`gpuprobe diff`: snapshots, this machine, standard input; exit codes and forms."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe

FORMS = ("text", "json", "markdown", "html")


def test_the_same_file_twice_is_the_same(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    ran = gpuprobe("diff", snapshots["healthy"], snapshots["healthy"])
    assert ran.code == 0
    assert "Nothing differs." in ran.out


@pytest.mark.parametrize("form", FORMS)
def test_a_difference_is_told_in_every_form(
    form: str, gpuprobe: Gpuprobe, snapshots: dict[str, str]
):
    ran = gpuprobe("diff", snapshots["healthy"], snapshots["broken"], "--format", form)
    assert ran.code == 1
    assert "pci.nvidia" in ran.out.replace("\\", "").replace("<wbr>", "")


def test_json_has_both_values_and_the_link(gpuprobe: Gpuprobe, snapshots: dict[str, str]):
    document = gpuprobe("diff", snapshots["healthy"], snapshots["broken"], "--json").json()
    assert document["same"] is False
    rows = {row["fact"]: row for row in document["differences"]}  # type: ignore[attr-defined]
    row = rows["pci.nvidia_gpu_count"]
    assert (row["a"]["value"], row["b"]["value"], row["link"]) == (1, 0, "hardware")
    assert row["decisive"] is True
    assert document["b"]["root_cause"] == {  # type: ignore[index]
        "code": "GP101",
        "name": "no-nvidia-gpu",
        "cause": "no-nvidia-gpu",
    }


def test_one_file_is_compared_with_this_machine(
    gpuprobe: Gpuprobe, bare_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    kept = str(tmp_path / "kept.json")
    gpuprobe("snapshot", "-o", kept)
    ran = gpuprobe("diff", kept)
    assert (ran.code, "this machine" in ran.out) == (0, True)


def test_standard_input_is_one_side(
    gpuprobe: Gpuprobe, snapshots: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    with open(snapshots["healthy"], "rb") as file:  # noqa: PTH123
        stream = io.TextIOWrapper(io.BytesIO(file.read()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert gpuprobe("diff", "-", snapshots["healthy"]).code == 0


@pytest.mark.parametrize("side", ["-", "."])
def test_one_thing_cannot_be_both_sides(side: str, gpuprobe: Gpuprobe):
    ran = gpuprobe("diff", side, side)
    assert ran.code == 2
    assert "one and the same" in ran.err


def test_what_is_no_snapshot_is_said(gpuprobe: Gpuprobe, tmp_path: Path):
    path = tmp_path / "x.json"
    path.write_text("[]")
    assert "no snapshot" in gpuprobe("diff", str(path), str(path)).err


def test_a_document_names_nobody(gpuprobe: Gpuprobe, tmp_path: Path):
    paths = []
    for user, folder in (("alice", "venv"), ("bob", "other")):
        facts = {
            "python.executable": {"value": f"/home/{user}/{user}-{folder}/python", "source": "x"}
        }
        path = tmp_path / f"{user}.json"
        path.write_text(json.dumps({"facts": facts}))
        paths.append(str(path))
    assert "bob-other" in gpuprobe("diff", *paths, "--json", "--no-redact").out
    assert "bob-other" not in gpuprobe("diff", *paths, "--json").out
