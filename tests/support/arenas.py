"""Programs that take a GPU's memory, run in a process of their own on the fake driver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scenarios.healthy import HEALTHY

from .child import printed
from .machines import H100
from .probe import nothing_leaked
from .scenario import Scenario, stage

if TYPE_CHECKING:
    from pathlib import Path

    from .fakes import Fakes

MIB = 1 << 20
GIB = 1 << 30

#: 1 GiB, half of it in others' hands.
SMALL = replace(H100, memory_mib=1024, used_mib=512)
ONE_CARD = Scenario(name="one card", expect=HEALTHY, gpus=(SMALL,))

BEGIN = """
import json
from gpuprobe import memory
from gpuprobe.memory.arenas import allocate
MIB = 1 << 20
def show(*values): print(json.dumps(values), flush=True)
def raised(call, *arguments, **more):
    try:
        call(*arguments, **more)
    except Exception as error:
        return [type(error).__name__, str(error)]
"""


def result(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> object:
    """What the code shows; nothing may be alive when the process has ended."""
    made = stage(scenario, fakes, folder)
    shown = printed(made, BEGIN + code)
    nothing_leaked(made)
    return shown
