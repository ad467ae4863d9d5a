"""A short run of the fuzzer of file trees, always the same; `.ci/thorough` has the long one."""

from __future__ import annotations

import os
import random
import sys
from typing import TYPE_CHECKING

import pytest

from fuzz.fuzz_trees import BASES, Base, Played, attempt, look, write
from gpuprobe.facts.collect import collectors, run
from gpuprobe.facts.machine import MAX_NAMES, Machine
from gpuprobe.facts.model import Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


def test_crowded_folders_in_the_place_of_all_others_break_nothing(folder: Path):
    base = next(each for each in BASES if each.has_gpu)
    root = folder / "tree"
    write(base, root)
    (root / "crowd").mkdir()
    for number in range(MAX_NAMES + 1):
        (root / "crowd" / f"nvidia{number}").symlink_to("nowhere")
    folders = [path for path in look(base, root) if (root / path.lstrip("/")).is_dir()]
    for path in sorted(folders, key=len, reverse=True):
        place = root / path.lstrip("/")
        if path not in ("/", "/crowd"):
            place.rename(f"{place}.before")
            place.symlink_to("/crowd")
    look(base, root)
    too_many = Unknown(f"/dev: more than {MAX_NAMES} names")
    assert Machine(str(root)).list_dir("/dev") == too_many
    assert too_many.reason in said_to_be_unknown(Machine(str(root)), base)


def said_to_be_unknown(machine: Machine, base: Base) -> set[str]:
    """The reasons for which nobody knows something of the machine."""
    facts = run(collectors(machine, "normal", Played(base)))
    return {fact.reason for fact in facts.values() if isinstance(fact, Unknown)}
