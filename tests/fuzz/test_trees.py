"""A short run of the fuzzer of file trees, always the same; `.ci/thorough` has the long one."""

from __future__ import annotations

import os
import random
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from fuzz.accidents import ACCIDENTS, happen, is_inside
from fuzz.fuzz_trees import BASES, Base, Played, as_nobody, attempt, look, write
from gpuprobe.facts.collect import collectors, run
from gpuprobe.facts.machine import MAX_NAMES, Machine
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from support.trees import write_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fuzz.accidents import Accident

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Which other users may enter, too; afterwards it can be removed."""
    for place in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        place.chmod(0o755)
    yield tmp_path
    for place, _, __ in os.walk(tmp_path):
        os.chmod(place, 0o755)  # noqa: PTH101, S103


@pytest.mark.parametrize("number", range(len(BASES)))
def test_machine_before_its_accidents_is_looked_at(number: int, folder: Path):
    write(BASES[number], folder / "tree")
    assert look(BASES[number], folder / "tree")


@pytest.mark.parametrize("seed", range(24))
def test_machine_after_accidents_breaks_nothing(seed: int, folder: Path):
    dice = random.Random(seed)
    attempt(dice.choice(BASES), folder, dice)


@pytest.mark.parametrize("accident", ACCIDENTS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("path", ["/out", "/out/file", "/out/folder/file", "/../outside/file"])
def test_accidents_stay_in_the_tree(path: str, accident: Accident, tmp_path: Path):
    outside, root = tmp_path / "outside", tmp_path / "tree"
    write_files(outside, {"/file": "kept", "/folder/file": "kept"})
    root.mkdir()
    before = sorted(outside.rglob("*"))
    for seed in range(3):
        (root / "out").unlink(missing_ok=True)
        (root / "out").symlink_to(outside)
        happen(root, [path], random.Random(seed), (accident,))
        assert sorted(outside.rglob("*")) == before
        assert {each.read_text() for each in before if each.is_file()} == {"kept"}
        assert {each.stat().st_mode & 0o777 for each in before if each.is_file()} == {0o644}
        if (root / "out").is_dir() and not (root / "out").is_symlink():
            shutil.rmtree(root / "out")


def test_crowded_folders_in_the_place_of_all_others_break_nothing(folder: Path):
    base = next(each for each in BASES if each.has_gpu)
    root = folder / "tree"
    write(base, root)
    (root / "crowd").mkdir()
    for number in range(MAX_NAMES + 1):
        (root / "crowd" / f"nvidia{number}").symlink_to("nowhere")
    asked = [path for path in look(base, root) if path not in ("/", "/crowd")]
    for path in sorted(asked, key=len, reverse=True):
        place = root / path.lstrip("/")
        if place.is_dir() and is_inside(place, root):
            place.rename(f"{place}.before")
            place.symlink_to("/crowd")
    look(base, root)
    too_many = Unknown(f"/dev: more than {MAX_NAMES} names")
    machine = Machine(str(root))
    assert machine.list_dir("/dev") == too_many
    assert too_many in facts_of(machine, base).values()


#: What is not read from files, or is of no use to those who may not read it.
NOT_FROM_FILES = ("env.", "os.", "python.", "probe.", "collect.", "toolkit.", "mps.")


def test_where_all_folders_are_closed_nothing_is_said_to_be_there_or_not(folder: Path):
    base = next(each for each in BASES if each.has_gpu)._replace(environ={}, has_gpu=False)
    root = folder / "tree"
    write(base, root)
    look(base, root)  # as who may: what is imported on the way may be closed as well
    for place in root.iterdir():
        place.chmod(0)
    with as_nobody():
        facts = facts_of(Machine(str(root), search_path=(base.site,)), base)
    told = {name: fact for name, fact in facts.items() if isinstance(fact, Known | Absent)}
    assert [name for name in told if not name.startswith(NOT_FROM_FILES)] == []


def facts_of(machine: Machine, base: Base) -> Facts:
    """What all collectors find."""
    return run(collectors(machine, "normal", Played(base)))


def test_nothing_happens_at_a_name_that_no_file_can_have(tmp_path: Path):
    told = happen(tmp_path, ["/proc/a\0b/c"], random.Random(1))
    assert told.endswith("no file has such a name")
    assert list(tmp_path.iterdir()) == []
