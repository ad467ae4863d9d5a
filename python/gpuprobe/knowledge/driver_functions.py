"""With which CUDA a function of libcuda came, or one that nvcc's code asks of the run time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .tables import load

if TYPE_CHECKING:
    from ..facts.version import Version

#: What the library adds to a name: a later form of the function, or of the stream that it takes.
_FORM = re.compile(r"(?:_v\d{1,2})?(?:_ptsz|_ptds)?\Z")


def first_cuda(function: str) -> Version | None:
    """The first CUDA whose drivers have `function`; None: it is older than the table, or none."""
    return _first(function, "functions")


def first_runtime(function: str) -> Version | None:
    """The first CUDA whose nvcc calls this function of the run time's own; None: no such one."""
    return _first(function, "of_runtime")


def _first(function: str, section: str) -> Version | None:
    name = _FORM.sub("", function, count=1)
    for row in load("driver_functions").section(section):
        if name in row.texts("names"):
            return row.version("cuda")
    return None
