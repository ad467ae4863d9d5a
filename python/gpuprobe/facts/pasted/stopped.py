"""A process of nvidia-smi's list that ps or top show as stopped (T): it keeps the GPU's memory.

What the shell says of the job is among the `wordings`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from .nvidia_smi_processes import listed
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Text

#: Behind the number, before the rest of the row: T, and what ps adds to it.
_STATE = r"(?:\s{1,20}\S{1,40}){0,8}?\s{1,20}[Tt][<NLsl+]{0,5}\s"
#: More processes than a person looks up by number.
_MOST = 32


def read(text: Text) -> Iterator[Statement]:
    """The rows of the processes that were stopped, and not ended."""
    for pid in listed(text)[:_MOST]:
        row = re.compile(rf"(?a)(?<![\d.:]){pid}{_STATE}")
        for line, _ in text.matching(row, pid):
            yield say(said.SIGN("process-stopped"), f"process {pid}", line)
