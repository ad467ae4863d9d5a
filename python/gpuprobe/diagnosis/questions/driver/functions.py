"""Functions of the driver's libraries that a program asks for, and that they do not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ....knowledge.driver_functions import first_cuda, first_driver
from ...model import Confidence
from .end import served_cuda
from .versions import linux_driver_in_wsl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

#: The driver's interface, and the file that has it.
_ENTRY = regex(r"(?:cu|nvml)[A-Z]\w+")
_DRIVERS_FILE = regex(
    r"(?:\A|[/\\])(?:lib(?:cuda|nvidia-ml)\.so[.\d]*|nvcuda\.dll|the driver's library)\Z",
    re.IGNORECASE,
)
#: The first driver of which the table has NVML's functions, but for how a program begins.
_TABLE_BEGINS = Version("450")


def entries_missing(facts: Facts) -> Iterator[Key[object]]:
    """Functions of the driver's interface that the driver's own library does not have."""
    if linux_driver_in_wsl(facts) is not None:
        return  # it is another driver that serves this system
    for name in facts.subjects(said.SYMBOL_WANTED_BY):
        key = said.SYMBOL_WANTED_BY(name)
        if _ENTRY.fullmatch(name) and _DRIVERS_FILE.search(facts.known(key) or ""):
            yield key


def without_function(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """A function that a library misses, and that came with a later CUDA than the driver's.

    Of one that the driver has, the library was not linked with libcuda. Which of the two it is
    nobody can tell where the driver is not known.
    """
    serves, driver = served_cuda(facts), facts.known(names.DRIVER_VERSION)
    for name in filter(_ENTRY.fullmatch, facts.subjects(said.SYMBOL_WANTED_BY)):
        key = said.SYMBOL_WANTED_BY(name)
        cuda, branch = first_cuda(name), first_driver(name)
        if cuda is not None and serves is None:
            title = f"{name} is missing: it came with CUDA {cuda}, and the driver may be older"
            yield (key,), title, Confidence.POSSIBLE
        elif cuda is not None and serves is not None and serves < cuda:
            title = f"The driver serves CUDA up to {serves}; {name} came with CUDA {cuda}"
            yield (key,), title, Confidence.CERTAIN
        elif branch is not None and (driver is None or driver < branch):
            title = f"The driver's NVML has no {name}, which came with driver {branch}"
            sure = Confidence.LIKELY if driver is None else Confidence.CERTAIN
            yield (key, names.DRIVER_VERSION), title, sure
        elif branch is None and driver is not None and name.startswith("nvml"):
            yield from _of_no_table(name, driver)


def _of_no_table(name: str, driver: Version) -> Iterator[tuple[Keys, str, Confidence]]:
    """NVML keeps what it had, so that what an old driver's lacks came later, whenever that was.

    A program that asks a driver of today for it may as well not be linked with NVML.
    """
    if driver < _TABLE_BEGINS:
        title = f"NVML of driver {driver} has no {name}: the program was made for a later driver"
        yield (said.SYMBOL_WANTED_BY(name), names.DRIVER_VERSION), title, Confidence.LIKELY
