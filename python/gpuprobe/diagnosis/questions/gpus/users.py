"""Which of the processes that are listed on a GPU compute there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.regex import regex

if TYPE_CHECKING:
    from ....facts.model import Facts

#: What draws on a screen, and is listed without any program that computes.
_DESKTOP = regex(r"(?i)xorg|xwayland|gnome|kwin|plasma|compiz|cinnamon|/x11/|firefox|chrom")


def computing(facts: Facts, gpu: str) -> tuple[str, ...]:
    """Those that are listed on `gpu`, without what only draws."""
    listed = facts.known(names.GPU_PROCESSES(gpu)) or ()
    return tuple(each for each in listed if not _DESKTOP.search(each))


#: The program that looks, and what it holds: ``python (process 4711, this one): 512 MiB``.
_OWN = regex(r", this one\)?: (\d{1,9}) MiB")
_MIB = 1 << 20


def is_this_one(holder: str) -> bool:
    """Whether a process of the list is the very program that looks."""
    return ", this one" in holder


def held_by_this_one(facts: Facts, gpu: str) -> int:
    """The bytes that the program which looks, say a notebook, holds on `gpu` itself."""
    listed = facts.known(names.GPU_PROCESSES(gpu)) or ()
    return sum(int(found[1]) * _MIB for each in listed if (found := _OWN.search(each)))
