"""A process that holds memory of a GPU, and that ps shows without the parent that started it.

Of such a process, whose parent is now process 1, the job is over, or it is a service's: whoever
gets no memory beside it is another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_HELD = regex(r"(?a)\b[1-9]\d{2,6} ?MiB\b")
_INIT = "1"
_ROWS = 32


def read(text: Text) -> Statements:
    """The first process that another line of the text shows with memory of a GPU."""
    for header in text.having("ppid"):
        columns = header.text.split()  # of ps: those before the two numbers hold no blanks
        if "PID" not in columns or "PPID" not in columns:
            continue
        pid, parent = columns.index("PID"), columns.index("PPID")
        for line in text.after(header, _ROWS):
            cells = line.text.split()
            if len(cells) <= max(pid, parent) or not cells[pid].isdecimal():
                break
            if cells[parent] == _INIT and _holds_memory(text, cells[pid], line):
                told = f"process {cells[pid]}"
                yield say(said.SIGN("memory-held-by-orphan"), told, line)
                return


def _holds_memory(text: Text, pid: str, row: Line) -> bool:
    lines = (line for line in text.having(pid) if line.number != row.number)
    return any(_HELD.search(line.text) and pid in line.text.split() for line in lines)
