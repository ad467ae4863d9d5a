"""A source that is compiled with a later CUDA than it was written for, and its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

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


LATER = 'op.cu({}): error: identifier "{}" is undefined'


@pytest.mark.parametrize(
    ("release", "line", "cause"),
    [
        ("8.0", LATER.format(58, "__shfl_down_sync"), "toolkit-mismatch"),
        ("10.2", LATER.format(33, "CUDA_R_16BF"), "toolkit-mismatch"),
        ("10.2", LATER.format(7, "__nv_bfloat162"), "toolkit-mismatch"),
        ("11.0", LATER.format(114, "cudaMallocAsync"), "toolkit-mismatch"),
        (
            "11.1",
            "pool.cc:9:5: error: \u2018cudaFreeAsync\u2019 was not declared in this scope",
            "toolkit-mismatch",
        ),
        (
            "11.1",
            "pool.cc(9): error C3861: 'cudaFreeAsync': identifier not found",
            "toolkit-mismatch",
        ),
        # A function of the driver, by the table of those.
        (
            "12.0",
            "mc.cc:9:5: error: 'cuMulticastCreate' was not declared in this scope",
            "toolkit-mismatch",
        ),
        # The toolkit is new enough: a header was left out, or it is compiled for an older GPU.
        ("12.4", LATER.format(7, "__nv_bfloat162"), "unknown"),
        ("12.4", LATER.format(9, "__match_any_sync"), "unknown"),
        ("9.0", LATER.format(58, "__shfl_down_sync"), "unknown"),
        ("8.0", LATER.format(9, "__own_helper_sync"), "unknown"),
        # Two headers of CUDA's own do not fit each other.
        (
            "9.0",
            (
                "/usr/local/cuda/include/cuda_runtime_api.h:7:9: error: 'cudaGraphCreate' was not "
                "declared in this scope"
            ),
            "unknown",
        ),
    ],
)
def test_a_source_uses_what_came_with_a_later_cuda(release: str, line: str, cause: str):
    assert ruled(CU13.format(release, release) + line) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('kernel0.cu(777): error: identifier "__ballot_sync" is undefined', "toolkit-mismatch"),
        ('tools.cu(677): error: identifier "__syncwarp" is undefined', "toolkit-mismatch"),
        (LATER.format(7, "__nv_bfloat16"), "unknown"),  # or cuda_bf16.h was left out
        ("k.hip:7:9: error: use of undeclared identifier '__ballot_sync'", "unknown"),
        (LATER.format(9, "cudaMallocAsync").replace("undefined", "undefined in device code"),
         "unknown"),
    ],
)  # fmt: skip
def test_a_compiler_of_which_no_release_is_told_lacks_a_name(line: str, cause: str):
    assert ruled(line) == cause


def test_the_finding_names_the_first_cuda_that_has_the_name():
    found = finding(LATER.format(7, "__shfl_xor_sync"))
    assert found.title == "The source asks for CUDA 9.0 or later: __shfl_xor_sync came with it"
    assert found.fix is not None
    assert "compile with 9.0 or later" in found.fix.text
