"""What facts beside a failure say of it, where its loudest line is that of another cause."""

from __future__ import annotations

import pytest

from support.cases import ruled

TRITON = """RuntimeError: Triton Error [CUDA]: device kernel image is invalid
$ ptxas --version
ptxas: NVIDIA (R) Ptx optimizing assembler
Cuda compilation tools, release {ptxas}, V{ptxas}.91
$ nvidia-smi | grep Driver
| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
"""


@pytest.mark.parametrize(("ptxas", "cause"), [("12.2", "driver-too-old"), ("11.8", "unknown")])
def test_a_driver_loads_what_a_ptxas_of_its_own_major_made(ptxas: str, cause: str):
    assert ruled(TRITON.format(ptxas=ptxas)) == cause


SLOWER = """jax 0.4.23, jaxlib 0.4.23+cuda12.cudnn89
W nvptx_compiler.cc:742] The NVIDIA driver's CUDA version is 12.1 which is older than the ptxas \
CUDA version (12.3.107). Because the driver is older than the ptxas version, XLA is disabling \
parallel compilation, which may slow down compilation.
$ nvidia-smi -q -d PERFORMANCE
    Clocks Event Reasons
        SW Power Cap                      : Not Active
        HW Slowdown                       : {held}
            HW Thermal Slowdown           : Not Active
            HW Power Brake Slowdown       : {held}
"""


@pytest.mark.parametrize(
    ("held", "cause"), [("Active", "power-thermal"), ("Not Active", "driver-too-old")]
)
def test_slower_compilation_explains_no_low_clocks(held: str, cause: str):
    assert ruled(SLOWER.format(held=held)) == cause
