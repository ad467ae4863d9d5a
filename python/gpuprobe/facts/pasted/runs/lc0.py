"""What Leela Chess Zero prints before it takes a GPU: the CUDA of its run time, the driver's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

#: A run time of another program's is told in figures without a meaning: "-30076.-56.0".
_RUNTIME = regex(r"(?a)\A\W{0,4}CUDA Runtime version: (\d{1,2}\.\d)(?:\.\d)?\s*\Z")
_DRIVER = regex(
    r"(?a)\A\W{0,4}Latest version of CUDA supported by the driver: (\d{1,2}\.\d)(?:\.\d)?\s*\Z"
)


def read(text: Text) -> Statements:
    """Both releases, where both are told: others have a line like the first."""
    drivers = tuple(text.matching(_DRIVER, "latest version of cuda supported by the driver"))
    for line, match in drivers:
        yield say(names.DRIVER_CUDA, Version(match[1]), line)
    for line, match in text.matching(_RUNTIME, "cuda runtime version: ") if drivers else ():
        yield say(names.PACKAGE_CUDA("lc0"), Version(match[1]), line)
