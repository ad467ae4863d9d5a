"""Machines rendered from the tables: healthy ones, and ones bent in one way each.

They test breadth: frameworks, versions, GPUs, platforms, tools of several ages. The cause that is
expected follows from how a machine was bent and from the tables' data (which CUDA a driver
serves, which targets a build was compiled for), never from a rule of the diagnosis. Nothing is
written to disk: `cases()` makes the same texts in every run.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

from support.cases import Case

from . import access, driver, fit, healthy, libraries, memory, packages, work

SEED = 4
_MODULES = (healthy, driver, access, fit, libraries, packages, memory, work)


@cache
def cases() -> tuple[Case, ...]:
    """All made cases, in the same order and with the same texts every time."""
    dice = random.Random(SEED)
    numbers: Counter[str] = Counter()
    made = []
    for module in _MODULES:
        for cause, text, *acceptable in module.made(dice):
            numbers[cause] += 1
            name = f"{cause}-{numbers[cause]:02d}"
            made.append(Case(name, text, (cause,), tuple(acceptable)))
    return tuple(made)
