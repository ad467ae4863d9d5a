"""A source that is compiled with a later CUDA than it was written for, and its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

CU13 = "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release {}, V{}.48\n"


@pytest.mark.parametrize(
    ("release", "line", "cause"),
    [
        (
            "13.0",
            'info.cu(72): error: class "cudaDeviceProp" has no member "clockRate"',
            "toolkit-mismatch",
        ),
        (
            "13.1",
            "mem.c:17:5: error: too few arguments to function \u2018cuMemPrefetchAsync_v2\u2019",
            "toolkit-mismatch",
        ),
        (
            "13.0",
            "error: too few arguments to function \u2018CUresult cuCtxCreate_v4(x)\u2019",
            "toolkit-mismatch",
        ),
        (
            "13.0",
            "info.cc(1): error C2039: 'computeMode': is not a member of 'cudaDeviceProp'",
            "toolkit-mismatch",
        ),
        ("12.2", "k.cu(56): error: texture is not a template", "toolkit-mismatch"),
        ("12.2", 'k.cu(9): error: identifier "cudaBindTexture" is undefined', "toolkit-mismatch"),
        ("11.4", 'k.cu(9): error: identifier "cudaBindTexture" is undefined', "unknown"),
        ("12.6", 'info.cu(72): error: class "cudaDeviceProp" has no member "clockRate"', "unknown"),
        ("13.0", 'info.cu(7): error: class "cudaDeviceProp" has no member "speed"', "unknown"),
        ("13.0", "x.c:9: error: too few arguments to function \u2018cuOwnHelper\u2019", "unknown"),
    ],
)
def test_a_source_uses_what_an_earlier_cuda_had(release: str, line: str, cause: str):
    assert ruled(CU13.format(release, release) + line) == cause
