"""What a missing symbol, a build's own list, a compiler or a library's folder says of a fault."""

from __future__ import annotations

import pytest

from support.cases import ruled

MISSING_ENTRY = """ImportError: /opt/venv/lib/libkernels.so: undefined symbol: {symbol}
NVIDIA-SMI {driver}    Driver Version: {driver}    CUDA Version: {cuda}
"""


@pytest.mark.parametrize(
    ("symbol", "driver", "cuda", "cause"),
    [
        ("cuGreenCtxCreate", "525.60.13", "12.0", "driver-too-old"),
        ("cuMemcpyBatchAsync_ptsz", "550.54.14", "12.4", "driver-too-old"),
        ("cuGreenCtxCreate", "570.86.15", "12.8", "unknown"),  # it was not linked with libcuda
        ("cuDeviceGetAttribute", "525.60.13", "12.0", "unknown"),
    ],
)
def test_a_function_came_with_a_later_cuda_than_the_drivers(
    symbol: str, driver: str, cuda: str, cause: str
):
    assert ruled(MISSING_ENTRY.format(symbol=symbol, driver=driver, cuda=cuda)) == cause


@pytest.mark.parametrize(
    ("driver", "cause"), [("535.86.10", "driver-too-old"), ("560.28.03", "unknown")]
)
def test_a_driver_is_no_version_of_cuda_where_a_form_calls_it_so(driver: str, cause: str):
    text = f"CUDA Driver Version: {driver}\nundefined symbol: cuGreenCtxDestroy\n"
    assert ruled(text) == cause
