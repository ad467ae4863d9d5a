"""A process of nvidia-smi's list that ps or top show as stopped (T): it keeps the GPU's memory.

What the shell says of the job is among the `wordings`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ..statement import Statements, say
from ..tools.nvidia_smi_processes import listed

if TYPE_CHECKING:
    from ..text import Text

_GAP = r"\s{1,20}"
_SIZE = rf"[\d.]{{1,12}}[kmgt]?{_GAP}"
_TERMINAL = r"(?:pts/\d{1,4}|tty\w{0,6}|\?)"
#: The columns before the state: of ps aux, of top, and of ps with columns of one's own.
_ROW = (
    rf"(?a)\A\s{{0,20}}(?:\S{{1,32}}{_GAP}PID{_GAP}(?:{_SIZE}){{4}}{_TERMINAL}{_GAP}"
    rf"|PID{_GAP}\S{{1,32}}{_GAP}(?:-?\d{{1,3}}|rt){_GAP}-?\d{{1,2}}{_GAP}(?:{_SIZE}){{3}}"
    rf"|PID{_GAP}(?:[a-z_][\w-]{{0,31}}\+?{_GAP})?(?:(?:{_TERMINAL}|\d{{1,9}}){_GAP}){{0,2}})"
    # T, and what ps adds to it
    r"[Tt][<NLsl+]{0,5}\s"
)
#: More processes than a person looks up by number.
_MOST = 32


def read(text: Text) -> Statements:
    """The rows of the processes that were stopped, and not ended."""
    for pid in listed(text)[:_MOST]:
        row = re.compile(_ROW.replace("PID", pid))
        for line, _ in text.matching(row, pid):
            yield say(said.SIGN("process-stopped"), f"process {pid}", line)
