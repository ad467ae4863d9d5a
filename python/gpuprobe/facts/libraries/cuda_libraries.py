"""The CUDA libraries beside the driver: which copies there are, and what is asked for in vain.

Nothing is loaded. Which file a framework gets depends on the search path in its own files; those
are read only where LD_LIBRARY_PATH makes it doubtful, for it costs more than all other looks
together. ``gpuprobe libraries`` reads them always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from . import maps as library_maps
from .copies import take_stock
from .needs import asked_by_torch, misses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..installed.distributions import Distribution, Found
    from ..machine import Machine
    from ..version import Version
    from .copies import Copy, Inventory

WRITES = (
    names.LIBRARIES_SEARCHED,
    *(names.LIBRARY_PATH, names.LIBRARY_VERSION, names.LIBRARY_FOUND_BY, names.LIBRARY_COPIES),
    *(names.LIBRARY_MISSING, names.LIBRARY_WANTED_BY),
    *(names.LIBRARY_OWN_VERSION, names.LIBRARY_TAKEN_BY),
    *(names.LIBRARY_MAPPED, names.PACKAGE_ASKED_BY_TORCH),
)


def collect(machine: Machine, search: Callable[[], Found]) -> Iterator[Entry]:
    """Each library that lies where there is a reason to look, and what this process has mapped."""
    _, installed = search()
    inventory = take_stock(machine, installed)
    yield entry(names.LIBRARIES_SEARCHED, _searched(inventory))
    yield from _lying(inventory)
    yield from _asked_for(machine, installed, inventory)
    yield from _doubtful(machine, installed, inventory)
    mapped = library_maps.mapped(machine)
    if isinstance(mapped, Known):
        for stem, files in mapped.value.items():
            yield entry(names.LIBRARY_MAPPED(stem), Known(files, mapped.source))


def _searched(inventory: Inventory) -> Fact[tuple[str, ...]]:
    if inventory.unread:
        return Unknown(inventory.unread[0])
    return Known(inventory.ways, "the order of the search")


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
        return Absent(f"{copy.real}: neither its name nor a package states a release")
    return Known(copy.version, copy.package or copy.real)


def _asked_for(
    machine: Machine, installed: tuple[Distribution, ...], inventory: Inventory
) -> Iterator[Entry]:
    for miss in misses(machine, installed, inventory):
        yield entry(names.LIBRARY_MISSING(miss.stem), Known(miss.file, miss.source))
        yield entry(names.LIBRARY_WANTED_BY(miss.stem), Known(miss.package, miss.source))
    for package, wanted, source in asked_by_torch(machine, installed):
        yield entry(names.PACKAGE_ASKED_BY_TORCH(package), Known(wanted, source))


def _doubtful(
    machine: Machine, installed: tuple[Distribution, ...], inventory: Inventory
) -> Iterator[Entry]:
    """A framework's own copy behind one that LD_LIBRARY_PATH names."""
    if "LD_LIBRARY_PATH" not in machine.environ:
        return
    from .conflicts import conflicts

    for own, _, takers in conflicts(machine, installed, inventory):
        yield entry(names.LIBRARY_OWN_VERSION(own.stem), _version(own))
        yield entry(names.LIBRARY_TAKEN_BY(own.stem), takers)
