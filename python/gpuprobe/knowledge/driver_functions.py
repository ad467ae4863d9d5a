"""With what a function came: of libcuda, of NVML, of the run time for nvcc's code, of others.

And with what CUDA sources may use no more what they did, or may use what they could not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .tables import load

if TYPE_CHECKING:
    from ..facts.version import Version

#: What the library adds to a name: a later form of the function, or of the stream that it takes.
_FORM = re.compile(r"(?:_v\d{1,2})?(?:_ptsz|_ptds)?\Z")


def first_cuda(function: str) -> Version | None:
    """The first CUDA whose drivers have `function`; None: it is older than the table, or none."""
    return _first(function, "functions", "cuda")


def first_driver(function: str) -> Version | None:
    """The first branch of drivers whose NVML has `function`; None: nobody can tell."""
    return _first(function, "of_nvml", "driver", formless=False)


def first_runtime(function: str) -> Version | None:
    """The first CUDA whose nvcc calls this function of the run time's own; None: no such one."""
    return _first(function, "of_runtime", "cuda")


#: nvJitLink's functions carry the first release that has them: ``__nvJitLinkComplete_12_4``.
_OF_LINKER = re.compile(r"__nvJitLink[A-Za-z0-9]{1,60}_(\d{2})_(\d{1,2})\Z")


def first_of_library(function: str) -> tuple[str, Version] | None:
    """The library's stem, and its first release that has `function`; None: nobody can tell."""
    from ..facts.version import Version

    if of_linker := _OF_LINKER.match(function):
        return "nvjitlink", Version.of(int(of_linker[1]), int(of_linker[2]))
    for row in load("driver_functions").section("of_libraries"):
        if function in row.texts("names"):
            return row.text("stem"), row.version("release")
    return None


class Change(NamedTuple):
    """What was dropped, or got another form, with a CUDA; `last`: the one before it."""

    name: str
    cuda: Version
    last: Version


def changed(told: str) -> Change | None:
    """What sources use as a CUDA had it that is over; None: it is what it was, or not known."""
    name = _FORM.sub("", told, count=1)
    for row in load("driver_functions").section("changed_in_sources"):
        if name in row.texts("names"):
            return Change(name, row.version("cuda"), row.version("last"))
    return None


class Arrival(NamedTuple):
    """With which CUDA a name came; `alone`: nothing but its age makes a compiler lack it."""

    cuda: Version
    alone: bool


def arrived(name: str) -> Arrival | None:
    """With which CUDA sources may use `name`; None: it is older than the tables, or no CUDA's."""
    for row in load("driver_functions").section("in_sources"):
        if name in row.texts("names"):
            return Arrival(row.version("cuda"), not row.flag("other_reasons"))
    cuda = first_cuda(name)  # in a header that who uses it has to include
    return None if cuda is None else Arrival(cuda, alone=False)


def _first(function: str, section: str, field: str, *, formless: bool = True) -> Version | None:
    name = _FORM.sub("", function, count=1) if formless else function
    for row in load("driver_functions").section(section):
        if name in row.texts("names"):
            return row.version(field)
    return None
