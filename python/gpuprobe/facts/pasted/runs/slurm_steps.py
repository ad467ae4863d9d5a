"""Jobs and steps of Slurm that ask for no GPU and are shown none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_STEP = regex(r"\bsrun\b(?P<options>[^|;\n]{0,200}?) nvidia-smi\b")
_ASKS = regex(r"(?:\A|\s)(?:-G ?\d|-G[ =]\S|--g(?:res|pus)\S*)")
_NONE = regex(r"(?i)\A\s*no devices were found\b")
_LISTED = regex(r"\A\s*(?:GPU \d{1,2}: \S|\| NVIDIA-SMI \d)")
_NEAR = 6
#: A shell on a node, and what else may have asked for the GPU that it is given.
_SESSION = regex(r"\bsrun\b(?=[^|;\n]{0,200} --pty\b)[^|;\n]{0,240}")
_ASKED = regex(
    r"(?:(?<!#)\b(?:srun|salloc|sbatch)\b|(?<!#)#SBATCH\b)[^\n]{0,300}?\s"
    r"(?:-G ?\d|-G[ =]\S|--(?:g(?:res|pus)|tres|exclusive))"
)
_IN_SESSION = 40
#: A line of a batch script, which Slurm reads; and who finds no GPU in the job that it is.
_OPTION = regex(r"\A\s*#SBATCH\s+-")
_NO_GPU = regex(
    r"(?i)\A\s*no devices were found\b|\bNo CUDA GPUs are available"
    r"|\bno CUDA-capable device is detected"
)


def read(text: Text) -> Statements:
    """Said where both stand in the text, in whichever order; of a shell where nothing asks."""
    without, given = None, False
    for line, step in text.matching(_STEP, "srun"):
        asks = _ASKS.search(step["options"]) is not None
        below = text.after(line, _NEAR)
        if asks and any(_LISTED.match(each.text) for each in below):
            given = True
        elif not asks and any(_NONE.match(each.text) for each in below[:2]):
            without = without or line
    if without is not None and given:
        yield say(said.SIGN("slurm-step-without-gpu"), excerpt(without.text), without)
    elif not text.shows(_ASKED, "srun", "salloc", "sbatch"):
        yield from _sessions(text)
        yield from _scripts(text)


def _sessions(text: Text) -> Statements:
    """A shell that was begun on a node without a word of GPUs, in which nvidia-smi finds none."""
    for line, begun in text.matching(_SESSION, "srun"):
        if any(_NONE.match(each.text) for each in text.after(line, _IN_SESSION)):
            yield say(said.SIGN("slurm-step-without-gpu"), begun[0], line)


def _scripts(text: Text) -> Statements:
    """A batch script without a word of GPUs, and below it somebody who finds none."""
    options = tuple(line for line, _ in text.matching(_OPTION, "#sbatch"))
    if len(options) > 1 and any(
        line.number > options[-1].number
        for line, _ in text.matching(_NO_GPU, "no devices", "no cuda")
    ):
        yield say(said.SIGN("slurm-step-without-gpu"), excerpt(options[0].text), options[0])
