"""A line that a program prints, and what it shows of the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ... import said

if TYPE_CHECKING:
    import re

    from ...model import Family


class ProgramLine(NamedTuple):
    """A line of `program`, found by its small-letter `cues`, and what it shows."""

    program: str
    shows: Family[bool]
    cues: tuple[str, ...]
    pattern: re.Pattern[str]


DONE, BEGUN = said.FRAMEWORK_COMPUTED, said.FRAMEWORK_SEES_GPU
