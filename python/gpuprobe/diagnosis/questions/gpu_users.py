"""Which of the processes that are listed on a GPU compute there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ...facts.regex import regex

if TYPE_CHECKING:
    from ...facts.model import Facts

#: What draws on a screen, and is listed without any program that computes.
_DESKTOP = regex(r"(?i)xorg|xwayland|gnome|kwin|plasma|compiz|cinnamon|/x11/|firefox|chrom")


def computing(facts: Facts, gpu: str) -> tuple[str, ...]:
    """Those that are listed on `gpu`, without what only draws."""
    listed = facts.known(names.GPU_PROCESSES(gpu)) or ()
    return tuple(each for each in listed if not _DESKTOP.search(each))
