"""`gpuprobe nodes`: what is alike stands together, the odd ones first, and none hides another."""

from __future__ import annotations

import errno
import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from gpuprobe.cli.nodes import files_of
from support.html import Tags

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe

NODES = {"node001": "healthy", "node002": "broken", "node003": "healthy", "node004": "unknown"}


@pytest.fixture
def folder(tmp_path: Path, snapshots: dict[str, str]) -> Path:
    """Four nodes, of which two are alike."""
    found = tmp_path / "nodes"
    found.mkdir()
    for node, verdict in NODES.items():
        shutil.copyfile(snapshots[verdict], found / f"{node}.json")
    return found


def test_nodes_that_are_alike_stand_together_and_the_worst_comes_first(
    gpuprobe: Gpuprobe, folder: Path
):
    ran = gpuprobe("nodes", str(folder))
    broken, unknown, healthy, count = ran.out.strip().split("\n\n")
    assert broken == "✗ This machine has no NVIDIA GPU\n  GP101 no-nvidia-gpu\n  node002"
    assert unknown.startswith("· Unknown. ")
    assert unknown.endswith("\n  node004")
    assert healthy == "✓ NVIDIA H100 80GB HBM3\n  node[001,003]"
    assert count == "4 nodes: 1 broken, 1 unknown, 2 healthy"
    assert ran.code == 1


def test_a_node_with_another_card_or_driver_is_not_like_the_others(
    gpuprobe: Gpuprobe, folder: Path
):
    odd = folder / "node003.json"
    snapshot = json.loads(odd.read_text(encoding="utf-8"))
    version = {"state": "known", "value": "570.86.15", "source": "nvmlSystemGetDriverVersion"}
    snapshot["facts"]["driver.version"] = {**snapshot["facts"]["gpu.0.name"], **version}
    odd.write_text(json.dumps(snapshot), encoding="utf-8")
    ran = gpuprobe("nodes", str(folder / "node001.json"), str(odd))
    assert "✓ NVIDIA H100 80GB HBM3\n  node001\n" in ran.out
    assert "✓ NVIDIA H100 80GB HBM3, driver 570.86.15\n  node003\n" in ran.out
    assert ran.code == 0


def test_what_cannot_be_read_hides_no_other(gpuprobe: Gpuprobe, folder: Path):
    (folder / "node005.json").write_text("no JSON", encoding="utf-8")
    ran = gpuprobe("nodes", str(folder))
    assert "4 nodes" not in ran.out
    assert "5 nodes: 1 broken, 1 unknown, 2 healthy, 1 unreadable" in ran.out
    assert "· FILE is not JSON" in ran.out
    alone = gpuprobe("nodes", str(folder / "node005.json"), str(folder / "node009.json"))
    assert "cannot read" in alone.out
    assert alone.code == 3


def test_a_name_at_which_nobody_can_look_is_one_that_cannot_be_read(
    gpuprobe: Gpuprobe, folder: Path
):
    ran = gpuprobe("nodes", str(folder / "node001.json"), "x" * 300)
    assert "2 nodes: 1 healthy, 1 unreadable" in ran.out
    assert ran.code == 3


def test_files_that_cannot_be_read_for_one_reason_stand_together(gpuprobe: Gpuprobe, folder: Path):
    for number in range(5, 8):
        (folder / f"node00{number}.json").write_bytes(b"")
    ran = gpuprobe("nodes", str(folder))
    told = "· FILE is empty; was the program that wrote it stopped?\n  node[005-007]\n"
    assert told in ran.out
    rows = gpuprobe("nodes", str(folder), "--json").json()["nodes"]
    assert [row["words"].split("/")[-1] for row in rows[4:6]] == [  # type: ignore[index]
        f"node00{number}.json is empty; was the program that wrote it stopped?" for number in (5, 6)
    ]


@pytest.mark.parametrize(
    ("nodes", "code"),
    [(("node001",), 0), (("node001", "node004"), 3), (("node001", "node004", "node002"), 1)],
)
def test_the_exit_code_is_that_of_the_worst(
    gpuprobe: Gpuprobe, folder: Path, nodes: tuple[str, ...], code: int
):
    paths = [str(folder / f"{node}.json") for node in nodes]
    assert gpuprobe("nodes", *paths).code == code
    assert gpuprobe("nodes", *paths, "--fail-on", "never").code == 0


def test_what_cannot_be_read_is_told_to_other_eyes_without_its_folder(
    gpuprobe: Gpuprobe, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(folder.parent))
    (folder / "node005.json").write_text("no JSON", encoding="utf-8")
    told = gpuprobe("nodes", str(folder), "--json").out
    assert f"~/{folder.name}/node005.json is not JSON" in told
    assert str(folder) in gpuprobe("nodes", str(folder), "--json", "--no-redact").out


def test_a_long_list_breaks_behind_its_commas(gpuprobe: Gpuprobe, folder: Path):
    for number in range(100, 140, 2):
        shutil.copyfile(folder / "node001.json", folder / f"node{number}.json")
    lines = gpuprobe("nodes", str(folder)).out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("  node[001"))
    assert lines[at].endswith(",")
    assert "".join(line.strip() for line in lines[at : at + 2]).endswith("136,138]")


def test_json_has_a_row_for_each_node(gpuprobe: Gpuprobe, folder: Path):
    rows = gpuprobe("nodes", str(folder), "--json").json()["nodes"]
    assert isinstance(rows, list)
    assert [(row["node"], row["verdict"]) for row in rows] == [*NODES.items()]
    none = {"code": "GP101", "name": "no-nvidia-gpu", "cause": "no-nvidia-gpu"}
    assert [row["root_cause"] for row in rows] == [None, none, None, None]


def test_files_that_are_called_alike_stand_with_their_folders(gpuprobe: Gpuprobe, folder: Path):
    other = folder.parent / "rack2"
    other.mkdir()
    shutil.copyfile(folder / "node001.json", other / "node001.json")
    ran = gpuprobe("nodes", str(folder), str(other))
    healthy = "".join(ran.out.rpartition("✓")[2].split())
    assert f"{folder}/node001,{other}/node001,node003" in healthy
    assert "5 nodes: 1 broken, 1 unknown, 3 healthy" in ran.out
    rows = gpuprobe("nodes", str(folder), str(other), "--json").json()["nodes"]
    assert len({row["node"] for row in rows}) == 5  # type: ignore[union-attr]


def test_homes_of_two_people_stay_two_names_for_other_eyes(gpuprobe: Gpuprobe, folder: Path):
    homes = [folder / "home" / person / "node001.json" for person in ("alice", "bobby")]
    for each in homes:
        each.parent.mkdir(parents=True)
        shutil.copyfile(folder / "node001.json", each)
    rows = gpuprobe("nodes", *map(str, homes), "--json").json()["nodes"]
    shown = [row["node"] for row in rows]  # type: ignore[union-attr]
    assert [each.rpartition("/home/")[2] for each in shown] == ["user-1/node001", "user-2/node001"]


def test_a_file_that_is_named_twice_is_one_node(gpuprobe: Gpuprobe, folder: Path):
    ran = gpuprobe("nodes", str(folder), str(folder / "node001.json"))
    assert "4 nodes: 1 broken, 1 unknown, 2 healthy" in ran.out


def test_markdown_is_a_table(gpuprobe: Gpuprobe, folder: Path):
    lines = gpuprobe("nodes", str(folder), "--format", "markdown").out.splitlines()
    assert "| ✓ healthy | NVIDIA H100 80GB HBM3 |  | `node[001,003]` |" in lines


def test_html_is_a_page_with_the_same_rows(gpuprobe: Gpuprobe, folder: Path, tmp_path: Path):
    (folder / "<b>.json").write_bytes(b"")
    assert gpuprobe("nodes", str(folder), "-o", str(tmp_path / "nodes.html")).code == 1
    page = (tmp_path / "nodes.html").read_text(encoding="utf-8")
    assert Tags(page).open == []
    assert "<td>NVIDIA H100 80GB HBM3</td><td></td><td>node[001,<wbr>003]</td>" in page
    assert "<td>&lt;b&gt;</td>" in page


def test_a_lock_tells_who_is_not_as_agreed(gpuprobe: Gpuprobe, folder: Path, tmp_path: Path):
    lock = tmp_path / "gpu.lock.json"
    agreed = gpuprobe("lock", "--from", str(folder / "node001.json"), "-o", str(lock))
    assert agreed.code == 0
    odd = folder / "node003.json"
    odd.write_text(odd.read_text(encoding="utf-8").replace("H100", "A100"), encoding="utf-8")
    ran = gpuprobe("nodes", str(folder), "--lock", str(lock))
    assert "GP105 gpu-differs-from-lock\n  node003\n" in ran.out
    assert ran.code == 1
    missing = gpuprobe("nodes", str(folder), "--lock", str(tmp_path / "none"))
    assert (missing.code, "cannot read" in missing.err) == (2, True)


def test_a_folder_without_snapshots_is_told(gpuprobe: Gpuprobe, tmp_path: Path):
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = gpuprobe("nodes", str(empty))
    assert (ran.code, "no file that ends in .json" in ran.err) == (2, True)


def test_a_pipe_is_read_where_it_is_named_and_not_in_a_folder(folder: Path):
    before = files_of([str(folder)])
    pipe = folder / "pipe.json"
    os.mkfifo(pipe)
    assert files_of([str(folder)]) == before
    assert files_of([str(pipe)]) == [pipe]


def test_a_folder_that_may_not_be_listed_is_told(
    gpuprobe: Gpuprobe, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(self: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(type(folder), "iterdir", refuse)  # root, who runs the tests, may list all
    ran = gpuprobe("nodes", str(folder))
    assert (ran.code, ran.err) == (2, f"gpuprobe: cannot read {folder}: Permission denied\n")
