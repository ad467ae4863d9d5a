"""A package that takes from the system the CUDA in its own name."""

from __future__ import annotations

import pytest

from support.cases import ruled

NOT_BEGUN = "CUBLAS_STATUS_NOT_INITIALIZED\n"
NVCC = "Cuda compilation tools, release {0}, V{0}.105\n"
NO_ROOM = "CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"


@pytest.mark.parametrize(
    ("package", "toolkit", "failed", "cause"),
    [
        ("gpu4pyscf-cuda12x", "11.1", NOT_BEGUN, "framework-cuda-mismatch"),
        ("cupy-cuda12x==13.0.0", "11.1", NOT_BEGUN, "framework-cuda-mismatch"),
        ("gpu4pyscf-cuda12x", "12.4", NOT_BEGUN, "oom-workload"),
        ("gpu4pyscf", "11.1", NOT_BEGUN, "oom-workload"),
        ("gpu4pyscf-cuda12x", "11.1", NO_ROOM + NOT_BEGUN, "oom-workload"),
        ("gpu4pyscf-cuda12x", "11.1", "", "unknown"),
        ("gpu4pyscf-cuda12x==1.0\nnvidia-cublas-cu12==12.4.5.8", "11.1", NOT_BEGUN, "oom-workload"),
    ],
)
def test_cublas_does_not_start_in_a_package_for_another_cuda(
    package: str, toolkit: str, failed: str, cause: str
) -> None:
    assert ruled(f"{package}\n{NVCC.format(toolkit)}{failed}") == cause
