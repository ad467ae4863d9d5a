"""Programs that compute on the fake driver, or on a real GPU: what they begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import device_arrays

if TYPE_CHECKING:
    from pathlib import Path

    from .fakes import Fakes
    from .scenario import Scenario

BEGIN = """
from gpuprobe import conv2d, matmul, prove_conv2d, prove_matmul
from support.arrays import WAYS, as_tf32, floats, strided, whole

def proved(a, b, **more):
    return bool(prove_matmul(a, b, matmul(a, b, **more)))
def started():
    from gpuprobe import _core
    return _core.cuda_state().state
"""


def shown(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> list:
    """What the code shows; nothing may be alive when the process has ended."""
    found = device_arrays.result(scenario, fakes, folder, BEGIN + code)
    assert isinstance(found, list)
    return found
