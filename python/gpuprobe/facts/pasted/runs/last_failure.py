"""The last line in which a program tells of its failure, be it the same one once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..statement import Statement
    from ..text import Text

#: How a trace ends, what a runner says of its program, what the kernel says of a GPU.
_FAILED = regex(
    r"(?:\A|[\s:\]])[\w.]{1,80}(?:Error|Exception): "
    r"|\bCUDA error\b|\bNVRM: Xid\b"
    r"|(?i:\bexit(?:ed)? (?:with )?(?:exit )?(?:code|status) [1-9])|\bcore dumped\b"
    r"|(?i:\bsegmentation fault\b|\bgiving up\b|\bfailed \d+ times\b)|\bNCCL error\b"
    r"|\bNVIDIA-SMI has failed\b|\bFailed to initialize NVML\b|\bCUDA initialization: "
)
_CUES = (
    *("error: ", "exception: ", "cuda error", "nvrm: xid", "exit ", "exited ", "core dumped"),
    *("segmentation fault", "giving up", "failed ", "nccl error"),
    "cuda initialization: ",
)
_LIMIT = 120


def read(text: Text) -> Iterator[Statement]:
    """At most one statement; with `progress` it tells which of the two came last."""
    failed = [line for line, _ in text.matching(_FAILED, *_CUES)]
    if failed:
        yield say(said.FAILURE, failed[-1].text.strip()[:_LIMIT], failed[-1])
