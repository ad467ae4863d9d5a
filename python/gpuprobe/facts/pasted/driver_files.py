"""The driver's release in the names of its files: ``libcuda.so.535.104.05``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import names
from ..version import Version
from .statement import Statement, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Text

_RELEASE = r"(\d{3}(?:\.\d+){1,2})"
_FILES = (
    (names.LIBCUDA_VERSION, re.compile(rf"(?a)\blibcuda\.so\.{_RELEASE}")),
    (names.NVML_VERSION, re.compile(rf"(?a)\blibnvidia-ml\.so\.{_RELEASE}")),
)


def read(text: Text) -> Iterator[Statement]:
    """The release, where all files that are named have one: leftovers of others tell nothing."""
    for key, pattern in _FILES:
        found = list(text.matching(pattern, "libcuda.so.", "libnvidia-ml.so."))
        if len({match[1] for _, match in found}) == 1:
            line, match = found[0]
            yield say(key, Version(match[1]), line)
