"""The real cuBLASLt keeps the contract that the fake keeps."""

from __future__ import annotations

import os

import pytest

from support.child import run_python
from support.cublaslt_contract import ON_A_DEVICE, WITHOUT_A_DEVICE
from support.vendor import is_installed, wheel_library

SONAME = "libcublasLt.so.13"
STARTED = set(WITHOUT_A_DEVICE) - {"it_does_not_start_without_a_driver"}


@pytest.mark.parametrize("name", sorted(STARTED | set(ON_A_DEVICE)))
def test_real_cublaslt_keeps_the_contract(name: str):
    library = wheel_library(SONAME) or SONAME
    if not is_installed(str(library)):
        pytest.skip(f"no {SONAME} here (pip install nvidia-cublas==13.*)")
    done = run_python(os.environ, "-m", "support.cublaslt_contract", name, str(library))
    assert done.returncode == 0, done.stderr
