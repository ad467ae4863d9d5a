"""Programs that work on a GPU's arrays, run in a process of their own on the fake driver."""

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

ONE_CARD = Scenario(
    name="one card", expect=HEALTHY, gpus=(replace(H100, memory_mib=1024, used_mib=512),)
)

BEGIN = """
import json, os
import ml_dtypes
import numpy as np
import gpuprobe
from gpuprobe import DeviceArray, memory, to_device
def show(*values): print(json.dumps(values), flush=True)
def raised(call, *arguments, **more):
    try:
        call(*arguments, **more)
    except Exception as error:
        return [type(error).__name__, str(error)]
def replace(array, **changed):
    names = ("shape", "strides", "dtype", "device", "stream", "address", "owner", "is_read_only")
    return DeviceArray(**{name: changed.get(name, getattr(array, name)) for name in names})
def same(a, b):
    return bool((a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes())
counted = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
"""


def result(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> object:
    """What the code shows; nothing may be alive when the process has ended."""
    made = stage(scenario, fakes, folder)
    shown = printed(made, BEGIN + code)
    nothing_leaked(made)
    return shown
