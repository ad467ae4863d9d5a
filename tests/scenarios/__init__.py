"""The machines on which gpuprobe is tried out, from end to end.

Each file holds one family. To add a scenario, write a `Scenario` beside its relatives: say what
is different from a healthy machine with one H100, and what the doctor has to say about it.
Every one runs by override variables and through the real library search (test_scenarios.py).
"""

from __future__ import annotations

from support.scenario import Scenario

from . import (
    access,
    codes,
    containers,
    driver,
    hardware,
    healthy,
    host,
    jetson,
    libraries,
    memory,
    mig,
    packages,
    several_gpus,
    slow,
    wsl,
)

_FAMILIES = (
    healthy,
    hardware,
    driver,
    host,
    containers,
    wsl,
    jetson,
    access,
    packages,
    libraries,
    several_gpus,
    mig,
    memory,
    slow,
    codes,
)

#: By identity, for a family may begin from a machine of another one, which it imports.
SCENARIOS: tuple[Scenario, ...] = tuple(
    {
        id(value): value
        for family in _FAMILIES
        for value in vars(family).values()
        if isinstance(value, Scenario)
    }.values()
)
