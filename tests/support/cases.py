"""Machines whose fault is known, as somebody pasted them, and what gpuprobe names for them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import gpuprobe
from gpuprobe.examine import judge
from gpuprobe.facts.pasted import read

if TYPE_CHECKING:
    from gpuprobe import Report
    from gpuprobe.diagnosis.model import Placed

FOLDER = Path(__file__).parents[1] / "cases"


@dataclass(frozen=True, slots=True)
class Case:
    """A machine's text and the causes that count as right for it."""

    id: str
    text: str
    expected: tuple[str, ...]
    acceptable: tuple[str, ...]

    @property
    def is_healthy(self) -> bool:
        return "healthy" in self.expected

    def accepts(self, named: str) -> bool:
        """Whether `named` is the confirmed cause or one that counts as well."""
        return named in self.expected + self.acceptable


def load(name: str) -> tuple[Case, ...]:
    """The machines of one set: of a file `<set>.json`, or of a folder with one for each cause."""
    files = sorted(FOLDER.glob(f"{name}.json")) or sorted(FOLDER.glob(f"{name}/*.json"))
    return tuple(case for file in files for case in read_cases(file))


def read_cases(file: Path) -> tuple[Case, ...]:
    """The machines of one file."""
    return tuple(
        Case(row["id"], row["text"], tuple(row["expected"]), tuple(row["acceptable"]))
        for row in json.loads(file.read_text(encoding="utf-8"))
    )


def named(report: Report) -> str:
    """The cause of the root finding; without one, the verdict."""
    root = report.diagnosis.root
    return report.verdict.value if root is None else root.cause


def explained(text: str) -> str:
    """What gpuprobe names for a text."""
    return named(gpuprobe.explain(text))


def ruled(text: str) -> str:
    """What its rules name, where nobody asks what the text reads like."""
    return named(_by_rules(text))


def root_by_rules(text: str) -> Placed:
    """The root finding of its rules, which has to be there."""
    root = _by_rules(text).diagnosis.root
    assert root is not None, text
    return root


def _by_rules(text: str) -> Report:
    return judge(read(text), skip=("reads-like",), source="text")
