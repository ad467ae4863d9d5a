"""LAMMPS, built with its GPU package and run without it: the package has to be asked for.

Where it is used, the log tells of the acceleration before the first step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import commands
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_BUILT = regex(r"(?i)\bPKG_GPU\s?=\s?(?:on|yes|true|1)\b|\bGPU package API: CUDA|\bmake yes-gpu\b")
_RUN = regex(r"(?:\A|[\s/])lmp\w{0,20}\b[^\n]{0,200}\s(?:-in?|<)\s")
_ASKED = regex(r"\s-(?:sf|suffix|pk|package|k|kokkos)\s")
_ASKED_IN_INPUT = regex(r"\A\s*(?:suffix\s+(?:gpu|kk|hybrid)|package\s+(?:gpu|kokkos))\b")
_ACCELERATED = "using acceleration for", "kokkos mode", "device time info", "/gpu,", "/gpu "
#: How a log begins, where what it tells of the acceleration would stand.
_BEGUN = "lammps (", "reading data"
_DONE = regex(r"(?a)\d% CPU use with \d{1,6} MPI tasks|\ALoop time of [\d.]{1,12} on \d{1,6} procs")


def read(text: Text) -> Statements:
    """That a run was the CPU's: its command asks for no acceleration, nor does its input."""
    built = text.shows(_BUILT, "pkg_gpu", "gpu package api", "yes-gpu")
    begun = any(cue in text for cue in _BEGUN)
    if not built or not begun or any(cue in text for cue in _ACCELERATED):
        return
    if text.shows(_ASKED_IN_INPUT, "suffix", "package"):
        return
    runs = [each for _, each, _ in commands(text, "lmp") if _RUN.search(each)]
    if not runs or any(_ASKED.search(each) for each in runs):
        return
    for line, _ in text.matching(_DONE, "% cpu use with", "loop time of"):
        yield say(said.FRAMEWORK_COMPUTED("lammps"), False, line)
