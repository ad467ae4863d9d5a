"""The CUDA libraries beside the driver: the copy that is found first, and what else lies about.

Nothing is loaded. Which file a program gets in the end depends on that program's own search path;
``gpuprobe libraries`` works that out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import library_maps, names
from .library_copies import take_stock
from .model import Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .distributions import Found
    from .library_copies import Copy, Inventory
    from .machine import Machine
    from .version import Version

WRITES = (
    *(names.LIBRARY_PATH, names.LIBRARY_VERSION, names.LIBRARY_FOUND_BY, names.LIBRARY_COPIES),
    names.LIBRARY_MAPPED,
)


def collect(machine: Machine, search: Callable[[], Found]) -> Iterator[Entry]:
    """Each library that lies where there is a reason to look, and what this process has mapped."""
    _, installed = search()
    yield from _lying(take_stock(machine, installed))
    mapped = library_maps.mapped(machine)
    if isinstance(mapped, Known):
        for stem, files in mapped.value.items():
            yield entry(names.LIBRARY_MAPPED(stem), Known(files, mapped.source))


def _lying(inventory: Inventory) -> Iterator[Entry]:
    for stem in dict.fromkeys(copy.stem for copy in inventory.copies):
        copies = inventory.of(stem)
        first = copies[0]
        yield entry(names.LIBRARY_PATH(stem), Known(first.path, first.way))
        yield entry(names.LIBRARY_VERSION(stem), _version(first))
        yield entry(names.LIBRARY_FOUND_BY(stem), Known(first.way, first.path))
        if len(copies) > 1:
            told = tuple(copy.in_words() for copy in copies)
            yield entry(names.LIBRARY_COPIES(stem), Known(told, "the order of the search"))


def _version(copy: Copy) -> Fact[Version]:
    if copy.version is None:
        return Unknown(f"neither the name of {copy.real} nor a package states a release")
    return Known(copy.version, copy.package or copy.real)
