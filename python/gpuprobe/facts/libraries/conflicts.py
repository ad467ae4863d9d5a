"""Copies that come before a framework's own.

Only LD_LIBRARY_PATH does that: the loader's cache comes after every path that is written into a
file. Whether a framework really gets the other copy stands in its files; they are read only where
LD_LIBRARY_PATH names a copy of another release than the framework brings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..model import Fact, Known, Unknown
from .places import LD_PATH, PIP
from .users import users

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..installed.distributions import Distribution
    from ..machine import Machine
    from .copies import Copy, Inventory
    from .users import User


class Conflict(NamedTuple):
    """A copy of a framework's, the copy that LD_LIBRARY_PATH puts before it, and who gets that."""

    own: Copy
    first: Copy
    takers: Fact[tuple[str, ...]]


def conflicts(
    machine: Machine, installed: tuple[Distribution, ...], inventory: Inventory
) -> tuple[Conflict, ...]:
    """Each pair, with the frameworks that get the copy of LD_LIBRARY_PATH."""
    pairs = tuple(suspects(inventory))
    if not pairs:
        return ()
    found = tuple(users(machine, installed))
    return tuple(Conflict(own, first, takers(found, own, first)) for own, first in pairs)


def suspects(inventory: Inventory) -> Iterator[tuple[Copy, Copy]]:
    """The framework's own copy, and another release of it on LD_LIBRARY_PATH: one a library."""
    told = set()
    for first in inventory.copies:
        if first.way != LD_PATH or first.file in told:
            continue
        told.add(first.file)
        own = next((each for each in inventory.copies if _is_own(each, first.file)), None)
        if own is not None and own.version != first.version:
            yield own, first


def _is_own(copy: Copy, file: str) -> bool:
    return copy.file == file and (copy.way == PIP or copy.way.startswith("bundled"))


def takers(found: tuple[User, ...], own: Copy, first: Copy) -> Fact[tuple[str, ...]]:
    """The frameworks beside that copy which get the other one."""
    beside = tuple(user for user in found if user.site == own.site)
    if not beside:
        return Known((), "no framework that is known to us is installed beside it")
    answers = tuple((user, user.gets(first.file)) for user in beside)
    taken = tuple(user.package for user, got in answers if got and got.path == first.path)
    open_ended = (user for user, got in answers if got is None)  # a file that was not read may ask
    unread = next((reason for user in open_ended for reason in user.unread), None)
    if unread is not None and not taken:
        return Unknown(unread)
    return Known(taken, "the search paths in the frameworks' files")
